#!/usr/bin/env python3
"""check.py HEAPCHECK PAGE CORPUS: opens the page that checks heap dumps in headless Chromium, and gives it files.
Checks that reports and answers are those of the program, byte for byte, that findings are shown with their bytes, that
recovering, converting and cancelling work, that nothing in a hostile name has an effect, and that a narrow screen is
wide enough. If Firefox is installed, the reports and answers are also compared there. Without Chromium, exits with
status 77."""
import functools
import gzip
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.dont_write_bytecode = True  # writes into the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/export/page"))
from browser import Browser
from firefox import Firefox
from made_dumps import make_hostile, make_leak

heapcheck = str(pathlib.Path(sys.argv[1]).resolve())
page, corpus = (pathlib.Path(argument).resolve() for argument in sys.argv[2:])
chromium = shutil.which("chromium") or shutil.which("chromium-browser")
firefox = shutil.which("firefox-esr")

# All formats, whole and damaged, compressed and not.
real_files = [
    "mvmheap/v1/seed/moar-2017.08-small.txt", "mvmheap/v2/seed/moar-2018.03-small.mvmheap",
    "mvmheap/v2/seed/moar-2017.10-unfinished.mvmheap", "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap",
    "mvmheap/v3/seed/cut.mvmheap", "chrome/legacy/seed/chrome-64-small.json",
    "chrome/heaps_v2/seed/chrome-120-processes.json", "chrome/trace/seed/cut.json",
    "v8/heapsnapshot/seed/chrome-64.heapsnapshot", "v8/heapsnapshot/seed/node-16.heapsnapshot",
    "v8/heapsnapshot/seed/node-24-stacks.heaptimeline", "v8/heapsnapshot/seed/cut.heaptimeline",
    "v8/heapprofile/seed/chrome-156.heapprofile", "v8/whole/node-16.heapsnapshot.zst",
]

failures = 0


def expect(what, found, is_right):
    global failures
    if not is_right:
        failures += 1
        print(f"{what}: found {str(found)[:2000]}")


def run_program(files, *words):
    """What the program prints for files in one folder, or nothing if it refuses."""
    files = [pathlib.Path(file) for file in files]
    done = subprocess.run([heapcheck, words[0], *[file.name for file in files], *words[1:]], cwd=files[0].parent,
                          capture_output=True, text=True)
    return done.stdout or None


def check_focus(browser, what, selector):
    """A person who uses the keyboard is at the part, and not at the start of the page again."""
    found = browser.run("document.activeElement.outerHTML.slice(0, 200)")
    expect(f"{what}: the focus", found, browser.run(f"document.activeElement === document.querySelector('{selector}')"))


def choose(browser, files):
    """Gives the page files, as if a person had chosen them."""
    document = browser.send("DOM.getDocument")["root"]["nodeId"]
    node = browser.send("DOM.querySelector", nodeId=document, selector="#choose")["nodeId"]
    browser.run("document.getElementById('status').textContent = ''; document.getElementById('choose').value = ''")
    browser.send("DOM.setFileInputFiles", nodeId=node, files=[str(pathlib.Path(file).resolve()) for file in files])


def wait_for(browser, what, script, seconds=120):
    """Waits until the script returns something true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = browser.run(f"({script}) || null")
        if found is not None:
            return found
        time.sleep(0.05)
    raise SystemExit(f"{what}: not found after {seconds} s; the page says: "
                     + browser.run("document.getElementById('status').textContent"))


def wait_until_done(browser):
    return wait_for(browser, "the end", "/^(Done|Cancelled)/.test(statusLine.textContent) && statusLine.textContent")


def click(browser, selector, text):
    found = browser.run(f"""(() => {{ const buttons = [...document.querySelectorAll('{selector} button')];
        const button = buttons.find(button => button.textContent === {json.dumps(text)});
        if (!button) return buttons.map(button => button.textContent);
        button.focus(); button.click(); return true; }})()""")
    if found is not True:
        raise SystemExit(f"the button {text}: not found among {found}")


def ask(browser, question):
    """What the page would save as the answer to a question, or nothing if there is no answer."""
    script = f"""(job => answerOf('{question}', job).catch(failure => failure instanceof Failure ? null : String(failure))
        .finally(() => job.end('Done.')))(new Job())"""
    return browser.run(script)


def compare(browser, files):
    """The reports and answers that the page has are the program's. Returns how many the program gives."""
    choose(browser, files)
    state = wait_until_done(browser)
    pairs = []
    for index, file in enumerate(files):
        pairs.append((f"{file}: validate", run_program([file], "validate", "--output", "json"),
                      browser.run(f"entries[{index}].report")))
        pairs.append((f"{file}: summary", run_program([file], "summary", "--output", "json"),
                      browser.run(f"entries[{index}].summary ?? null")))
    name = " ".join(map(str, files))
    pairs.append((f"{name}: report", run_program(files, "report", "--json", "-o", "-", "--quiet"),
                  browser.run("answers.get('page') ?? null")))
    for question in ["suspects"] + (["growth"] if len(files) > 1 else []):
        pairs.append((f"{name}: {question}", run_program(files, question, "--output", "json"),
                      ask(browser, question)))
    for what, expected, found in pairs:
        expect(f"{what}, expected {str(expected)[:300]}", found, found == expected)
    verdict = json.loads(pairs[0][1])["files"][0]["verdict"]
    expect(f"{name}: verdict in the status line", state, verdict in state)
    shown = browser.run("[...document.querySelectorAll('.finding .message')].map(message => message.textContent)")
    report = [finding["message"] for file in files for finding in
              json.loads(run_program([file], "validate", "--output", "json"))["files"][0]["findings"]]
    expect(f"{name}: findings on the page", shown, sorted(shown) == sorted(report))
    check_problems(browser, name)
    return sum(1 for _, expected, _ in pairs if expected is not None)


def check_problems(browser, name):
    expect(f"{name}: problems", browser.problems, not browser.problems)


def check_pictures(browser, sections):
    for section in sections:
        found = browser.run(f"document.querySelectorAll('#{section} .mark').length")
        expect(f"marks in #{section}", found, found > 0)


def check_place(browser, file, content):
    """The bytes of the first finding are those of the content, and the marked ones are at its offset."""
    choose(browser, [file])
    wait_until_done(browser)
    lines = wait_for(browser, "bytes", "document.querySelector('.hex')?.textContent").splitlines()
    start = int(lines[0].split()[0], 16)
    shown = b"".join(bytes.fromhex(line[10:10 + 3 * 16]) for line in lines)
    expect(f"{file}: bytes at {start}", shown, len(shown) > 32 and shown == content[start:start + len(shown)])
    location = json.loads(browser.run("entries[0].report"))["files"][0]["findings"][0]["location"]
    expect(f"{file}: bytes before the place", start, location["offset"] - 64 < start <= location["offset"])
    marks = browser.run("""[...document.querySelectorAll('.hex-line')].map(line =>
        line.querySelector('mark')?.textContent ?? '').join('')""")
    marked = content[location["offset"]:][:min(64, max(1, location["length"]))]
    expect(f"{file}: marked bytes", marks, marks.strip() == marked.hex(" "))
    check_labels(browser)
    rule = browser.run("document.querySelector('.finding .facts').textContent")
    expect(f"{file}: the rule", rule, "What to do" in rule)
    check_problems(browser, f"{file}: place")


def take_output(browser):
    """The output that the page would save, which a person gets as a file."""
    browser.run("""window.saved = null; URL.createObjectURL = blob => {
        blob.arrayBuffer().then(bytes => { window.saved = Array.from(new Uint8Array(bytes), byte =>
          byte.toString(16).padStart(2, '0')).join(''); });
        return '#';
      }; null""")
    click(browser, ".outcome", "Save")
    return bytes.fromhex(wait_for(browser, "the output", "window.saved"))


def check_reading_again(browser, file):
    """If reading the place of a finding is cancelled, the place is read when it is opened again."""
    browser.open(page)
    browser.run("""engine.ask = request => {
        const answer = Engine.prototype.ask.call(engine, request);
        if (request.call === 'bytes') { delete engine.ask; engine.stop(); }
        return answer;
      }; null""")
    choose(browser, [file])
    wait_until_done(browser)
    place = "document.querySelector('.finding details')"
    wait_for(browser, "the cancelled place", f"{place}.querySelector('div').textContent === 'Cancelled.'")
    browser.run(f"{place}.open = false")
    time.sleep(0.1)  # for the event about this
    browser.run(f"{place}.open = true")
    wait_for(browser, "the place", f"!!{place}.querySelector('.hex') && !{place}.textContent.includes('Cancelled')")
    check_problems(browser, f"{file}: reading again")


def check_recovery(browser, folder):
    """Recovering writes what the program writes, and the page can open the result."""
    file, output = corpus / "mvmheap/v3/seed/cut.mvmheap", pathlib.Path(folder, "recovered.mvmheap")
    choose(browser, [file])
    wait_until_done(browser)
    click(browser, ".file", "Recover the intact parts")
    wait_for(browser, "the recovery", "!!document.querySelector('.outcome button')")
    text = browser.run("document.querySelector('.outcome').textContent")
    expect("what was kept", text, "1 snapshot" in text and "the file ends inside it" in text)
    labels = browser.run("[...document.querySelectorAll('.file dt')].map(label => label.textContent)")
    expect("labels", labels, {"Format", "Kept", "Dropped"} <= set(labels) and all(label[0].isupper() for label in labels))
    subprocess.run([heapcheck, "recover", str(file), "-o", str(output), "--quiet"], check=False)
    click(browser, ".outcome", "Open here")
    state = wait_for(browser, "the recovered dump",
                     "/^Done.*recovered/.test(statusLine.textContent) && statusLine.textContent")
    check_focus(browser, "Open here", ".file h2")
    expect("the recovered dump", state, state == "Done. cut.recovered.mvmheap: valid.")
    choose(browser, [file])
    wait_until_done(browser)
    click(browser, ".file", "Recover the intact parts")
    wait_for(browser, "the recovery", "!!document.querySelector('.outcome button')")
    expect("the recovered bytes", "others", take_output(browser) == output.read_bytes())


def check_conversion(browser, folder, file, is_lossy):
    """Converting writes what the program writes; if something would be lost, the page says so first."""
    browser.open(page)
    output = pathlib.Path(folder, file.name + ".converted")
    choose(browser, [file])
    wait_until_done(browser)
    browser.run("document.querySelector('.file select').value = 'mvmheap-v1'")
    click(browser, ".file", "Convert")
    wait_for(browser, "the conversion", "!!document.querySelector('.outcome button')")
    done = subprocess.run([heapcheck, "convert", str(file), "--to", "mvmheap-v1", "-o", str(output)],
                          capture_output=True, text=True)
    expect(f"{file}: whether the program converts it without loss", done.stderr, output.exists() != is_lossy)
    if is_lossy:
        text = browser.run("document.querySelector('.outcome').textContent")
        expect(f"losses, expected {done.stderr}", text, "cannot represent" in text)
        click(browser, ".outcome", "Convert and lose this")
        wait_for(browser, "the lossy conversion", "!!document.querySelector('.outcome .tools button')")
        check_focus(browser, "Convert and lose this", ".outcome")
        subprocess.run([heapcheck, "convert", str(file), "--to", "mvmheap-v1", "--allow-loss", "-o", str(output),
                        "--quiet"], check=False)
    expect("the converted bytes", "others", take_output(browser) == output.read_bytes())
    check_problems(browser, "conversion")


# A file of 400 MB that takes no memory: the same megabyte of blanks many times.
slow_file = """new File(['{"traceEvents":[', ...Array(400).fill(new Blob([' '.repeat(1 << 20)])), ']}'], 'slow.json')"""


def check_cancelling(browser):
    """Progress is shown while a file is read; cancelling ends the worker, and the page works afterwards."""
    browser.open(page)
    browser.run(f"void openFiles([{slow_file}])")
    wait_for(browser, "progress", "document.getElementById('progress').value > 0.02")
    browser.run("document.getElementById('cancel').focus()")
    text = browser.run("statusLine.textContent")
    expect("while a file is checked", text, text == "Checking slow.json\u2026")
    browser.run("document.getElementById('cancel').click()")
    text = wait_for(browser, "the cancellation", "/^Cancelled/.test(statusLine.textContent) && statusLine.textContent")
    expect("after cancelling", text, text == "Cancelled." and browser.run("!engine.isRunning"))
    expect("the button to cancel", "visible", browser.run("document.getElementById('running').hidden"))
    expect("the focus", "elsewhere", browser.run("document.activeElement.id") == "choose")
    expect("after cancelling", "differences", compare(browser, [corpus / real_files[9]]) == 4)


def check_jobs(browser):
    """While a file is checked, what was cancelled for it hides neither the title nor the button to cancel, and what
    ends before it does not either."""
    browser.open(page)
    shown = "[statusLine.textContent, document.getElementById('running').hidden]"
    for first in (slow_file, "new File(['x'], 'first')"):
        browser.run(f"void openFiles([{first}]); void openFiles([{slow_file}])")
        wait_for(browser, "progress", "document.getElementById('progress').value > 0.02")
        found = browser.run(shown)
        expect("while the second file is checked", found, found == ["Checking slow.json\u2026", False])
    found = browser.run(f"(job => {{ job.end('Done.'); return {shown}; }})(new Job())")
    expect("after a shorter job", found, found == ["Checking slow.json\u2026", False])
    browser.run("document.getElementById('cancel').click()")
    wait_for(browser, "the cancellation", "statusLine.textContent === 'Cancelled.'")
    expect("the button to cancel", "visible", browser.run("document.getElementById('running').hidden"))
    check_problems(browser, "jobs")


def check_opening(browser):
    """Requests at the same time open a file once, and each stop makes it be opened again."""
    browser.open(page)
    choose(browser, [corpus / real_files[9]])
    wait_until_done(browser)
    found = browser.run("""(async () => {
        const calls = [];
        engine.ask = request => { calls.push(request.call); return Engine.prototype.ask.call(engine, request); };
        for (let round = 0; round < 2; ++round) {
          engine.stop();
          await Promise.all([openedDump(entries[0]), openedDump(entries[0])]);
        }
        return calls; })()""")
    expect("requests to open a file", found, found == ["open", "open"])
    check_problems(browser, "opening")


def check_broken(browser):
    """An error that heapcheck does not report ends its worker, and the page works afterwards."""
    browser.open(page)
    script = "engine.ask({call: 'open', file: null}).catch(failure => [failure.kind, !engine.isRunning])"
    found = browser.run(script)
    expect("an unexpected error", found, found == ["broken", True])
    expect("after an unexpected error", "differences", compare(browser, [corpus / real_files[9]]) == 4)


def check_gone(browser, folder):
    """If a file is removed after it was chosen or opened, the page says so in its own words."""
    words = "the file could not be read; it may have changed or been removed since you chose it"
    file = pathlib.Path(folder, "gone.json")
    content = (corpus / "chrome/trace/seed/cut.json").read_bytes()
    file.write_bytes(content.replace(b"{", b"{" + b" " * (9 << 20), 1))  # larger than what the worker reads at once
    browser.open(page)
    choose(browser, [file])
    wait_until_done(browser)
    wait_for(browser, "the place", "!!document.querySelector('.hex')")
    browser.run("(async () => { engine.stop(); await openedDump(entries[0]); })()")
    file.unlink()
    for what, script in (("checked", "openedDump(entries[0]).then(dump => engine.ask({call: 'validate', dump: dump}))"),
                         ("shown", "readBytes(entries[0], 0, 9)")):
        found = browser.run(f"{script}.then(() => 'no failure', failure => [failure.kind, failure.message])")
        expect(f"a file that is gone when it is {what}", found, found == ["gone", words])
    browser.run("void openFiles([entries[0].file])")
    text = wait_for(browser, "a file that is gone", "document.querySelector('.verdict.wrong')?.textContent")
    expect("a file that is gone", text, text == f"gone.json: {words}. ")


def drop(browser, paths):
    """Drops files and folders on the page."""
    browser.run("document.getElementById('status').textContent = ''")
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for step in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", type=step, x=100, y=100, data=data)


def check_folders(browser, folder):
    """All dumps in a folder are opened, also in folders inside it; other files are left out, unless they are dropped by
    themselves."""
    dumps, others = (pathlib.Path(folder, name) for name in ("dumps", "others"))
    (dumps / "inner").mkdir(parents=True)
    others.mkdir()
    shutil.copy(corpus / real_files[9], dumps / "inner/node.heapsnapshot")
    for place in (dumps, others):
        (place / "notes.txt").write_text("neither")
    (dumps / "empty.txt").touch()
    browser.open(page)
    drop(browser, [dumps])
    state = wait_until_done(browser)
    expect("a folder", state, state == "Done. dumps/inner/node.heapsnapshot: valid. Skipped 2 files of unknown format.")
    headings = browser.run("[...document.querySelectorAll('#files h2')].map(heading => heading.textContent).join()")
    expect("the files of a folder", headings, headings == "dumps/inner/node.heapsnapshot")
    expect("a memory section", False, browser.run("!!document.getElementById('memory')"))
    drop(browser, [others])
    state = wait_for(browser, "a folder without dumps", "/^No/.test(statusLine.textContent) && statusLine.textContent")
    expect("a folder without dumps", state, state == "No heap dumps were found, only 1 file of unknown format.")
    # The dump can be opened alone if it cannot be compared with the other file.
    drop(browser, [dumps, others / "notes.txt"])
    state = wait_until_done(browser)
    expect("a folder and a file", state, "notes.txt: unreadable" in state)
    click(browser, "#page", "Open only dumps/inner/node.heapsnapshot")
    state = wait_until_done(browser)
    expect("a file alone", state, state == "Done. dumps/inner/node.heapsnapshot: valid.")
    check_problems(browser, "folders")
    return dumps


def check_listing(browser, dumps, address):
    """The listing of a folder can be cancelled, also by dropping something else, and then has no effect. A folder
    without a handle, as in Firefox, is listed too. An unusable folder is refused with the reason."""
    browser.open(page)
    browser.run("""(() => { const list = listFiles; let held;
        window.holdListing = () => {
            listFiles = () => { listFiles = list; return new Promise(resolve => { held = resolve; }); }; };
        window.finishListing = () => held([{file: new File(['x'], 'late'), name: 'late'}]); })()""")
    valid = "Done. dumps/inner/node.heapsnapshot: valid. Skipped 2 files of unknown format."
    for what, act, expected in (("cancelled", lambda: click(browser, "#running", "Cancel"), "Cancelled."),
                                ("replaced", lambda: drop(browser, [dumps]), valid)):
        browser.run("holdListing()")
        drop(browser, [dumps])
        state = wait_for(browser, "the listing", "statusLine.textContent")
        expect(f"{what}: the listing", state, state == "Listing the files\u2026")
        act()
        wait_for(browser, f"{what}: the end of the listing", f"statusLine.textContent === {json.dumps(expected)}")
        browser.run("finishListing()")
        time.sleep(0.3)
        state = browser.run("[statusLine.textContent, controls.hidden]")
        expect(f"{what}: the state after the listing", state, state == [expected, True])
    for result, start in (("[]", "The folder contains no files."),
                          ("Array(mostFiles + 1)", "The folder contains more than"),
                          ("Promise.reject(new DOMException())", "The browser does not let this page read the folder.")):
        browser.run(f"listFiles = async () => {result}")
        drop(browser, [dumps])
        text = wait_for(browser, start, f"statusLine.textContent.startsWith({json.dumps(start)})")
        expect(start, text, browser.run("controls.hidden"))
    browser.open(address + page.name)
    browser.run("delete DataTransferItem.prototype.getAsFileSystemHandle")
    drop(browser, [dumps])
    state = wait_until_done(browser)
    expect("a folder without a handle", state, "inner/node.heapsnapshot: valid. Skipped 2 files" in state)
    check_problems(browser, "listing")


def check_late_reply(browser):
    """What a worker sent before it was stopped has no effect."""
    browser.open(page)
    browser.run("""(async () => {
        const workers = [];
        const Real = Worker;
        window.Worker = class extends Real { constructor(...words) { super(...words); workers.push(this); } };
        await engine.ask({call: 'questions'});
        engine.stop();
        await engine.ask({call: 'questions'});
        progressBar.value = 0.25;
        for (const data of [{progress: 0.75}, {number: 1, result: ''}]) workers[0].onmessage({data: data});
        workers[0].onerror({message: 'late'}); })()""")
    found = browser.run("[progressBar.value, engine.isRunning]")
    expect("after late replies", found, found == [0.25, True])
    check_problems(browser, "late replies")


def check_old(browser):
    """A browser without what the page needs is told so, before and after a file is chosen."""
    for old in ("delete window.DecompressionStream", "delete window.WebAssembly",
                "WebAssembly.validate = code => !code.includes(123)", "WebAssembly.validate = code => code.includes(123)"):
        script = browser.send("Page.addScriptToEvaluateOnNewDocument", source=old)["identifier"]
        browser.open(page)
        first = browser.run("statusLine.textContent")
        choose(browser, [corpus / real_files[9]])
        text = wait_for(browser, f"a sentence after {old}", "statusLine.textContent")
        expect(old, [first, text], first == text and text.startswith("This browser is too old"))
        expect(f"{old}: files", "some", browser.run("document.getElementById('files').childElementCount === 0"))
        check_problems(browser, old)
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def check_limit(browser):
    """If the memory is not enough, the page says so, and what reads such files."""
    browser.open(page)
    browser.run("maxMemory = 1_000_000")
    choose(browser, [corpus / real_files[-1]])
    state = wait_until_done(browser)
    expect("a file that is too large", state, "undecided" in state)
    for part in ("files", "page"):
        text = browser.run(f"document.getElementById('{part}').textContent")
        expect(f"a sentence about the limit in #{part}", text, "more memory than a browser gives to this page" in text)
    check_problems(browser, "limit")


def check_hostile(browser, folder):
    """Names are only ever text."""
    browser.open(page)
    dump = pathlib.Path(make_hostile(folder))
    hostile = dump.with_name("<img src=x onerror=alert(5)>\u202e.heapsnapshot")
    dump.rename(hostile)
    choose(browser, [hostile])
    wait_until_done(browser)
    text = browser.run("document.body.textContent")
    expect("hostile names are shown", text, "<img src=x onerror=alert(2)>" in text and "onerror=alert(5)" in text)
    visible = browser.run("document.querySelector('main').textContent")
    expect("marks of direction are escaped", "", "\u202e" not in visible and "\\u202e" in visible)
    found = browser.run("document.querySelectorAll('img, iframe, object, [onerror], [onload], svg svg').length")
    expect("elements from names", found, found == 0)
    expect("scripts", "others", browser.run("document.querySelectorAll('script').length") == 3)
    check_problems(browser, "hostile")
    # The policy allows no connection and no other script, and the check above would notice.
    refused = browser.run("fetch('data:,x').then(() => 'sent', () => 'refused')")
    expect("a connection", refused, refused == "refused" and bool(browser.problems))


def check_narrow(browser, files):
    """At 420 pixels, nothing is wider than the screen."""
    browser.open(page)
    browser.send("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
    for file in files:
        choose(browser, [file])
        wait_until_done(browser)
        browser.run("document.querySelectorAll('details').forEach(part => part.setAttribute('open', ''))")
        time.sleep(0.3)
        found = browser.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        expect(f"{file}: width of the page", found, found[0] == found[1])
    browser.send("Emulation.clearDeviceMetricsOverride")


def check_labels(browser):
    """Everything that can be used has a name for screen readers, and progress is announced."""
    # Only a button is named by its own text. What scrolls is a region, because others have no names.
    unnamed = browser.run("""[...document.querySelectorAll('button, input, select, progress, pre[tabindex], .scroll')]
        .filter(part => !part.getAttribute('aria-label') && !part.labels?.length &&
          !(part.tagName === 'BUTTON' && part.textContent.trim()) ||
          part.matches('pre, .scroll') && part.getAttribute('role') !== 'region')
        .map(part => part.outerHTML)""")
    expect("parts without a label", unnamed, not unnamed)
    expect("role of the status", "", browser.run("statusLine.getAttribute('role')") == "status")
    order = browser.run("[...document.querySelectorAll('h1, h2, h3')].map(head => +head.tagName[1])")
    expect("levels of headings", order, order[0] == 1 and all(b - a <= 1 for a, b in zip(order, order[1:])))


def check_order(browser, folder):
    """Files are in the order of the numbers in their names; a person can move one up."""
    files = [make_leak(folder, number) for number in (90, 100, 110)]
    browser.open(page)
    count = compare(browser, files)
    check_pictures(browser, ["changes", "tree", "types"])
    text = browser.run("document.querySelector('.headline').textContent")
    expect("headline", text, "of what is new" in text)
    click(browser, "#order", "Move up")
    check_focus(browser, "Move up", "#order li")
    wait_until_done(browser)
    expect("the other order", "the same answer",
           ask(browser, "growth") == run_program([files[1], files[0], files[2]], "growth", "--output", "json"))
    return count


def save_in_firefox(browser, text):
    """The document that a button saves, or nothing if there is no such button."""
    root = "document.documentElement"
    browser.run(f"{root}.removeAttribute('data-saved')")
    found = browser.run(f"""(() => {{ const button = [...document.querySelectorAll('button')].find(button =>
        button.textContent === {json.dumps(text)}); if (button) button.click(); return !!button; }})()""")
    return wait_for(browser, text, f"{root}.getAttribute('data-saved')") if found else None


def check_firefox(folder):
    """In Firefox, the page has the same reports and answers. Returns how many the program gives."""
    browser = Firefox(firefox, folder)
    answers = 0
    try:
        browser.connect()
        for file in (corpus / name for name in real_files):
            browser.open(page)
            browser.keep_saved()
            browser.choose([file])
            wait_for(browser, "the end", "document.getElementById('status').textContent.startsWith('Done')")
            for text, words in (("Save the report as JSON", ["validate", "--output", "json"]),
                                ("Save the data of the charts as JSON", ["report", "--json", "-o", "-", "--quiet"]),
                                ("Save the answer \u201csuspects\u201d as JSON", ["suspects", "--output", "json"])):
                expected, found = run_program([file], *words), save_in_firefox(browser, text)
                answers += expected is not None
                expect(f"Firefox: {file}: {text}, expected {str(expected)[:300]}", found, found == expected)
    finally:
        browser.process.kill()
        browser.process.wait()
    return answers


def serve(folder):
    """The address of a server for the files in a folder."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


if chromium is None:
    print("chromium is not installed")
    sys.exit(77)
# Processes of the browser may still write after it has ended.
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    address = serve(page.parent)
    browser = Browser(chromium, folder, allowed=("file://", "blob:", address))
    try:
        browser.start()
        browser.send("DOM.enable")
        browser.open(page)
        compared = sum(compare(browser, [corpus / file]) for file in real_files)
        check_labels(browser)
        compared += check_order(browser, folder)
        cut = (corpus / "v8/heapsnapshot/seed/cut.heaptimeline").read_bytes()
        packed = pathlib.Path(folder, "cut.heaptimeline.gz")
        packed.write_bytes(gzip.compress(cut))
        check_place(browser, corpus / real_files[4], (corpus / real_files[4]).read_bytes())
        check_place(browser, packed, cut)
        archive = pathlib.Path(folder, "cut.zip")
        with zipfile.ZipFile(archive, "w") as zipped:
            zipped.writestr("notes.txt", "No dump. " * 1000)
            zipped.writestr("cut.heaptimeline", cut)
        check_place(browser, archive, cut)
        check_reading_again(browser, packed)
        check_recovery(browser, folder)
        check_conversion(browser, folder, corpus / real_files[1], is_lossy=False)
        check_conversion(browser, folder, corpus / real_files[3], is_lossy=True)
        check_cancelling(browser)
        check_jobs(browser)
        check_opening(browser)
        check_broken(browser)
        check_gone(browser, folder)
        check_listing(browser, check_folders(browser, folder), address)
        check_late_reply(browser)
        check_old(browser)
        check_limit(browser)
        check_narrow(browser, [corpus / real_files[index] for index in (1, 4, 5, 9)])
        check_hostile(browser, folder)
        browser.open(address + page.name)
        compared += compare(browser, [corpus / real_files[3]])
        print(f"{compared} reports and answers compared in Chromium, {failures} failures")
        expect("reports and answers", compared, compared > 40)
    finally:
        browser.process.kill()
        browser.process.wait()
    if firefox:
        compared = check_firefox(folder)
        print(f"{compared} reports and answers compared in Firefox, {failures} failures")
        expect("reports and answers in Firefox", compared, compared > 30)
sys.exit(1 if failures else 0)
