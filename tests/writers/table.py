"""Makes the tables of writers in the specification from results.json."""
import facts

BEGIN = "<!-- begin of the table that tests/writers/run.py writes -->"
END = "<!-- end of the table that tests/writers/run.py writes -->"
COMMON = 5  # columns that every writer has
WAYS = {"profile": "the DevTools protocol", "flag": "`--heap-prof`", "api": "`v8.startHeapProfile()`"}


def count_files(row):
    """The numbers of snapshots, of timelines, and of profiles."""
    timelines = row["files"].get("timeline", 0)
    profiles = sum(count for mode, count in row["files"].items() if mode not in row["snapshots"])
    return sum(row["files"].values()) - timelines - profiles, timelines, profiles


def describe_columns(row):
    """The columns of a snapshot, and of a timeline if they differ."""
    by_mode = {mode: " ".join(f"`{name}`" for name in found["columns"][COMMON:])
               for mode, found in row["snapshots"].items()}
    plain, tracked = by_mode["snapshot"], by_mode.get("timeline", by_mode["snapshot"])
    return plain if plain == tracked else f"{plain}; in timelines {tracked}"


def describe_others(row):
    """The deviations of all files, or of those of some modes."""
    by_mode = {mode: found["others"] for mode, found in row["snapshots"].items()}
    others = []
    for other in dict.fromkeys(other for found in by_mode.values() for other in found):
        modes = [f"{mode}s" for mode, found in by_mode.items() if other in found]
        others.append(other if len(modes) == len(by_mode) else f"in {' and '.join(modes)}, {other}")
    others += [words for rule, words in facts.NOTED.items() if rule in row["notes"]]
    return "; ".join(others)


def describe(row):
    """Everything in a row but the writer."""
    files = ", ".join(map(str, count_files(row)))
    return f"{files} | {describe_columns(row)} | {row['snapshots']['snapshot']['types']} | {describe_others(row)}"


def name_of(row):
    return f"{row['version']} ({row['engine']})" if row["engine"] else row["version"]


def line_of(row):
    """A line for the output of a run."""
    return f"{row['writer']} {name_of(row)} | {describe(row)} | {row['errors']} errors, {row['warnings']} warnings"


def make_snapshots(rows):
    """The lines of the table of snapshots. Writers whose files have the same form share a line."""
    groups = []
    for row in rows:
        if groups and groups[-1][0]["writer"] == row["writer"] and describe(groups[-1][0]) == describe(row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return ["| Writer | Snapshots, timelines, profiles | Columns after the first five | Node types | Other |",
            "|---|---|---|---:|---|",
            *(f"| {group[0]['writer']} {', '.join(map(name_of, group))} | {describe(group[0])} |" for group in groups)]


def name_versions(versions, known):
    """The versions, or the first and the last if no other one that is known lies in between."""
    first = known.index(versions[0])
    if len(versions) > 2 and known[first:first + len(versions)] == versions:
        return f"{versions[0]} to {versions[-1]}"
    return ", ".join(versions)


def make_profiles(rows):
    """The lines of the table of profiles: a line for each form."""
    forms, known = {}, {}
    for row in rows:
        for mode, form in row["profiles"].items():
            way = row["writer"], mode
            known.setdefault(way, []).append(row["version"])
            forms.setdefault(tuple(form.values()), {}).setdefault(way, []).append(row["version"])
    lines = ["| Writer | Members of the file | Members of a node | Members of a call frame | `scriptId` |"
             " Written back byte for byte |", "|---|---|---|---|---|---|"]
    for (document, node, frame, script, is_written_back), ways in forms.items():
        names = "; ".join(f"{way[0]} {name_versions(versions, known[way])} with {WAYS[way[1]]}"
                          for way, versions in ways.items())
        members = " | ".join(" ".join(f"`{name}`" for name in part.split()) for part in (document, node, frame))
        lines.append(f"| {names} | {members} | {script} | {'yes' if is_written_back else 'no'} |")
    return lines


PAGES = {"spec/v8/heapsnapshot.md": make_snapshots, "spec/v8/heapprofile.md": make_profiles}


def replace(page, lines):
    """The text of the page with a new table."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("found no comments around the table")
    return "\n".join([before + BEGIN, "", *lines, "", END + after])


def write(root, rows):
    for name, make in PAGES.items():
        path = root / name
        path.write_text(replace(path.read_text(), make(rows)))


def is_current(root, rows):
    """Returns whether the tables say what the rows say, and prints the pages of those that do not."""
    wrong = [name for name, make in PAGES.items() if replace((root / name).read_text(), make(rows)) !=
             (root / name).read_text()]
    for name in wrong:
        print(f"{name}: the table of writers differs from tests/writers/results.json; use --update")
    return not wrong
