"""The calls of heapcheck that programs.py makes for each file and for each folder.

A call consists of a part, arguments, and input. It runs in an empty folder, and all files that it leaves there are
compared. In the arguments and in standard input, FILE is the file, LATER the next one, FOLDER the folder, and ID1, ID2
are ids of nodes in the file. Standard input that begins with < is read from a file.
"""
import itertools
import shlex
from typing import NamedTuple


class Call(NamedTuple):
    part: str
    words: list
    stdin: str = ""
    files: dict = {}  # the content of its folder: texts or, with < at the start, copies of files
    times: int = 1  # the number of runs in the same folder
    keys: tuple = ()  # texts typed at a terminal, with a pause after each, instead of standard input


def split(lines):
    """The words of each line, without empty lines."""
    return [shlex.split(line) for line in lines.strip().splitlines()]


FORMS = ["text", "json", "ndjson", "csv"]
REPORTS = ["text", "json", "ndjson", "sarif", "junit", "github", "gitlab"]
READERS = ["devtools", "memlab", "moar-ha", "moarperf", "comma", "speedscope", "catapult", "perfetto"]
TARGETS = ["mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3", "chrome-legacy", "heaps-v2",
           "heapsnapshot", "heapprofile"]
EXPORTS = ["heapsnapshot", "collapsed", "speedscope", "pprof", "dhat", "sqlite", "csv", "ndjson", "parquet"]
TABLES = ["snapshots", "nodes", "edges", "types", "strings", "stacks", "allocations"]
GROUPS = ["objects", "types", "stables", "frames", "kinds", "strings", "allocators"]
ORDERS = ["", " by size", " by count", " by retained", " by cumulative"]

# Questions in the form for the shell; on the command line, FILE comes after the command.
QUESTIONS = [f"top {group}{order}" for group in GROUPS for order in ORDERS] + """
summary
summary every 2
suspects
suspects --share 1 --drop 10
leaks
find objects
find nodes --limit 7
find nodes by retained
find 'objects size>40 by size' --limit 100
find 'nodes retained>=1K by id' --limit 0
find strings name~a
find 'types type!=Foo'
find stables 'repr=P6opaque'
find frames kind=frame
find roots 'id>=2 by size'
count nodes
count 'objects size<=64 name~"e"'
show row:0
show row:5
show ID1
show @ID2 --limit 2
path row:5
path ID1
path @ID2 --paths 5
path --merged objects --limit 30
path --merged 'strings size>16'
retainers row:1
retainers ID1
retainers @ID2
retained
retained --limit 3
dominators
dominators row:1 --limit 5
dominators ID2
dominators --by-type
dominators --by-type ID1 --limit 0
unreachable
duplicates
top objcts
top objects by sise
top objects size
top objects --limit -1
top objects --limit many
top objects --output yaml
top objects --limti 3
top objects extra
top
find
find thing
find objects size>
find objects size>big
find 'objects type="open'
find objects colour=red
find objects by colour
find objects size~3
count objects by size
show
show 99999999
show row:99999999
show row:x
show x
path
path row:5 row:6
path row:5 --paths 0
path --merged
path --merged thing
path row:0 --paths 2 --merged
retainers -1
dominators row:x
summary every
summary every 0
summary any 2
suspects --share 101
growth --limit 5
growth --of frames --by count
growth --of kinds --by retained
growth --by nothing
""".strip().splitlines()

# Only on the command line.
ASKED = """
summary --snapshot 0
summary --snapshot 99
top objects --snapshot 1
find nodes --snapshot 0 --limit 5
tree
tree --inverted --limit 50
tree --snapshot 0 --limit 0
suspects LATER
suspects LATER LATER
leaks LATER
leaks LATER LATER
diff LATER
diff LATER FILE --limit 0
diff --snapshots 0,1
diff --snapshots all --by size
diff --snapshots 0,99
diff --snapshots x
diff LATER --of kinds --by count
diff LATER --of frames
diff LATER --of types --by cumulative
diff LATER --of allocators --fail-on 'size > 1' --fail-on 'count > +1'
diff LATER --fail-on 'type~"a": count > -2' --fail-on 'retained >= 10%' --fail-on 'size < 1G'
diff LATER --fail-on 'size >'
diff LATER --fail-on 'colour > 3'
growth LATER
growth LATER --fail-on 'size <= +1K'
growth LATER --of strings --by size
""".strip().splitlines()

# Only in the shell.
SCRIPT = QUESTIONS + """
help
snapshots
top kinds --limit 1
more
more
snapshot 0
summary
top objects by retained
diff 0 1
diff 0
diff 0 99
diff 0 1 2 --by count --limit 3
snapshot 99
snapshot x
snapshot
pth 3
incidents row:2 --limit 2
show "row:0"
show 'row:0
find nodes "name~a b"
find "nodes name=\\"x\\""
top "objects" 'by' count
top objects --output json
top objects --output=csv --limit=2
top objects --limit
top objects --limit 2 --limit 3
more
help me
exit now
tree
validate
# comment

quit
top objects
""".splitlines()

CONFIG = """ignore = ["mvm3.toc.*", "json"]
severity = ["v8snap=warning", "mvm2=note"]
fail-level = "warning"
max-per-rule = 2

[[override]]
paths = ["*.heapsnapshot", "bad*"]
for = "devtools"
select = ["json", "mvm*", "v8*"]
"""
def question_words(line):
    command, *words = shlex.split(line)
    return [command, "FILE", *words]


def always():
    """The calls for every file."""
    yield Call("check", ["validate", "FILE", "--max-per-rule", "10000", "--no-config"])
    yield Call("check", ["validate", "FILE", "--max-per-rule", "10000", "--for", "all", "--output", "json"])
    yield Call("check", ["info", "FILE", "--output", "json"])
    yield Call("rewrite", ["recover", "FILE", "-o", "out", "--output", "json"])
    for form in FORMS:
        yield Call("shell", ["shell", "FILE", "--force", "--output", form, "--limit", "20"], "\n".join(SCRIPT))
    yield Call("page", ["report", "FILE", "--force", "-o", "out.html"])
    yield Call("page", ["report", "FILE", "LATER", "--json", "-o", "-"])


def check_calls():
    validate = ["validate", "FILE"]
    for reader, report in itertools.product(READERS + ["all"], ["text", "json"]):
        yield validate + ["--for", reader, "--output", report]
    for report in REPORTS:
        yield validate + ["--output", report]
        yield validate + ["--output", report, "--output-file", "report", "--for", "all", "--max-per-rule", "1"]
    yield from (validate + words for words in split("""
--quiet
--color always
--statistics
--statistics --output json
--select json,v8*,mvm*.toc
--select 'mvm3.*' --ignore '*.toc.*' --output json
--ignore json --ignore 'v8*,heaps*' --fail-level note
--severity '*=note' --output json
--severity json=warning,mvm*=off --fail-level warning
--exit-zero --error-on-undecided
--max-memory 64K
--max-memory 1M --error-on-undecided
--max-expanded 1K
--sandbox off
--jobs 2 LATER --output json
LATER --quiet
"""))
    yield from split("""
info FILE
info FILE --snapshot 0
info FILE --snapshot 1 --output json
info FILE --snapshot 99
info FILE --quiet
info FILE --max-memory 64K
""")


def rewrite_calls():
    for target in TARGETS:
        yield ["convert", "FILE", "--allow-loss", "--to", target, "-o", "out"]
        yield ["convert", "FILE", "--to", target, "-o", "-"]
    for target in TARGETS[:4]:
        yield ["recover", "FILE", "--placeholder-names", "--to", target, "-o", "out"]
    yield from split("""
convert FILE --allow-loss --to chrome-legacy --keep-trace --threshold 1000 -o out
convert FILE --allow-loss --to chrome-legacy --share 1 -o out
convert FILE --allow-loss --to heaps-v2 --keep-trace -o out
convert FILE --to mvmheap-v3 --level 1 --keep-times -o out --quiet
convert FILE --to mvmheap-v3 -o FILE
recover FILE -o out
recover FILE -o out --to mvmheap-v1 --allow-loss
recover FILE -o out --quiet --placeholder-names
recover FILE -o FILE
""")


def export_calls():
    for form in EXPORTS:
        yield ["export", "FILE", "--to", form, "-o", "out.x"]
        yield ["export", "FILE", "--to", form, "-o", "out.x", "--force", "--all-snapshots"]
        yield ["export", "FILE", "--to", form, "-o", "-", "--quiet", "--force"]
    for form, table in itertools.product(["csv", "ndjson", "parquet"], TABLES):
        yield ["export", "FILE", "--to", form, "--table", table, "-o", "-", "--force"]
    yield from split("""
export FILE --to csv -o out --force --shard 1/2
export FILE --to ndjson -o out --force --shard 2/3 --snapshot 0
export FILE --to parquet -o out --force --snapshot 1
export FILE --to sqlite -o out --snapshot 99
export FILE --to sqlite --table nodes -o out
""")


def in_turns():
    """Calls of which each file gets only some, because there are so many."""
    for line, form in itertools.product(QUESTIONS + ASKED, FORMS):
        force = ["--force"] if form in ("json", "csv") else []
        yield Call("questions", question_words(line) + ["--output", form] + force)
    for words in check_calls():
        yield Call("check", words)
    for words in rewrite_calls():
        yield Call("rewrite", words)
    for words in export_calls():
        yield Call("export", words)
    yield Call("shell", ["shell", "FILE"], "\n".join(SCRIPT))
    yield Call("shell", ["shell", "FILE", "--snapshot", "0", "--force"], "\n".join(SCRIPT))
    for words in split("""
report FILE LATER -o out.html
report FILE LATER LATER --force -o out.html
report FILE --json --snapshot 0 -o out.json
report FILE --json -o - --force
report FILE --quiet -o -
report FILE --snapshot 99 -o out.html
"""):
        yield Call("page", words)
    for words in split("""
validate - --output json
info -
convert - --allow-loss --to mvmheap-v3 -o out
recover - -o out
summary -
export - --to collapsed -o -
report - -o -
"""):
        yield Call("input", words, "<FILE")
    name = "copy.mvmheap"
    for words in split(f"""
convert {name} --allow-loss --to mvmheap-v1 --in-place
recover {name} --in-place --keep-times
validate {name} --config rules.toml
validate {name} --write-baseline known
validate {name} --baseline known --output json
"""):
        yield Call("files", words, files={name: "<FILE", "rules.toml": CONFIG}, times=2)
    yield Call("files", ["validate", name, "--write-baseline", "known", "--baseline", "known", "--output", "json"],
               files={name: "<FILE"}, times=3)
    yield Call("files", ["validate", name, "--cache", "cache", "--output", "json"], files={name: "<FILE"}, times=2)


def for_folder():
    """The calls for each folder: its files are checked together."""
    for words in split("\n".join(f"--output {report}" for report in REPORTS) + """
--jobs 1
--jobs 2 --statistics
--jobs 2 --statistics --output json --for all
--quiet --for all
--exclude '*.json' --exclude '*/seed/*'
--exclude '*a*' --output json
--shard 1/3
--shard 3/3 --output json
--write-baseline known
--select mvm3,json --max-per-rule 1
--for all
"""):
        yield Call("folders", ["validate", "FOLDER", *words])
    yield Call("folders", ["validate", "--files-from", "list"], files={"list": "FOLDER\nFOLDER\nmissing\n"})
    yield Call("folders", ["validate", "--files-from", "-", "--output", "json"], "FOLDER\n")
    yield Call("folders", ["validate", "FOLDER", "--cache", "cache"], times=2)
    yield Call("folders", ["validate", "FOLDER", "--write-baseline", "known", "--output", "json"])
    yield Call("folders", ["validate", "FOLDER", "--config", "rules.toml"], files={"rules.toml": CONFIG})
