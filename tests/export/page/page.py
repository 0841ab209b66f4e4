#!/usr/bin/env python3
"""page.py HEAPCHECK CORPUS: opens pages of `heapcheck report` in headless Chromium. Checks that there are no console
errors or policy violations, that each picture has marks, that zoom and search work, that suspects are marked and labels
can be read, that nothing in a hostile name has an effect, and that the sums agree with `heapcheck top`. Without
Chromium, checks only the data, and exits with status 77."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # writes into the sources
from browser import Browser
from made_dumps import make_hostile, make_leak

heapcheck, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
chromium = shutil.which("chromium") or shutil.which("chromium-browser")

failures = 0


def expect(what, found, is_right):
    global failures
    if not is_right:
        failures += 1
        print(f"{what}: found {found}")


def make(folder, name, *inputs):
    page = f"{folder}/{name}.html"
    subprocess.run([heapcheck, "report", *map(str, inputs), "-o", page, "--quiet"], check=True)
    expect(f"{name}: size at most 3 MB", os.path.getsize(page), os.path.getsize(page) <= 3_000_000)
    return page


def data_of(*inputs):
    return json.loads(subprocess.run([heapcheck, "report", *map(str, inputs), "--json", "-o", "-"], check=True,
                                     capture_output=True).stdout)


def check_sums(path):
    """The totals of types agree with `top`, if none is left out."""
    data = data_of(path)
    top = json.loads(subprocess.run([heapcheck, "top", str(path), "objects", "--output", "json"], check=True,
                                    capture_output=True).stdout)
    rows = {row["name"]: (row["count"], row["size"], row["retained"]) for row in top["rows"]}
    shown = [row for row in data["types"] if row["of"] == "objects"]
    expect("types", len(shown), len(shown) >= min(150, len(rows)))
    for row in shown:
        if len(row["name"]) < 90:
            expect(row["name"], row, rows.get(row["name"]) == (row["count"], row["size"], row["retained"]))
    expect("size", data["snapshot"]["size"], data["snapshot"]["size"] == sum(b["size"] for b in data["histogram"]))
    shown = sum(row["size"] for row in data["types"]) + data["types_left_out"]["size"]
    expect("sizes of types", shown, shown == data["snapshot"]["size"])
    expect("tree", data["trees"][0]["places"][0], data["trees"][0]["places"][0]["retained"] ==
           data["snapshot"]["retained"])


def accessible(node, part):
    """The name, role or description of a part, as a screen reader finds it."""
    return node.get(part, {}).get("value", "")


def check_spoken(browser, name):
    """A screen reader finds a name for each mark and each part that can be used, and reads it only once."""
    count = browser.run("document.querySelectorAll('.mark').length")
    nodes = [node for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    marks = [node for node in nodes if accessible(node, "role") in ("button", "image")]
    expect(f"{name}: marks for screen readers", len(marks), len(marks) >= count)
    spoken = marks + [node for node in nodes if accessible(node, "role") in ("searchbox", "combobox", "region")]
    names = [(accessible(node, "name"), accessible(node, "description")) for node in spoken]
    wrong = [name for name in names if not name[0] or name[0] == name[1]]
    expect(f"{name}: parts that have no name or are read twice", wrong, not wrong)


def check_page(browser, name, page, pictures):
    browser.open(page)
    for picture in pictures:
        marks = browser.run(f"document.querySelectorAll('{picture} .mark').length")
        expect(f"{name}: marks in {picture}", marks, marks > 0)
    check_spoken(browser, name)
    order = browser.run("[...document.querySelectorAll('section')].map(section => section.id)")
    wanted = ["growth", "changes", "tree", "stacks", "suspects", "types", "histogram", "kinds"]
    expect(f"{name}: order of the sections", order, order == [part for part in wanted if part in order])
    overlaps = browser.run("""[...document.querySelectorAll('svg')].flatMap(picture => {
        const texts = [...picture.querySelectorAll('.axis, .value')].map(text => [text.textContent, text.getBBox()]);
        return texts.filter(([, one], index) => texts.slice(0, index).some(([, other]) => one.x < other.x + other.width &&
          other.x < one.x + one.width && one.y < other.y + other.height - 3 && other.y < one.y + one.height - 3))
          .map(([text]) => text); })""")
    expect(f"{name}: labels that overlap", overlaps, not overlaps)
    links = browser.run("document.querySelectorAll('[src],[href],[style],iframe,img,object').length")
    expect(f"{name}: elements that load something", links, links == 0)


# Puts functions on a page: the texts that belong to a mark, and the contrast of two colours (WCAG 2).
helpers = """
    window.textsOf = mark => {
      const texts = [];
      for (let next = mark.nextElementSibling; next && next.tagName === 'text'; next = next.nextElementSibling) texts.push(next);
      return texts;
    };
    window.contrast = (one, other) => {
      const light = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const [low, high] = [light(one), light(other)].sort((left, right) => left - right);
      return (high + 0.05) / (low + 0.05);
    };
"""


def check_labels(browser, name):
    """In areas and bars, no text is wider than its mark, shares are shown in full or not at all, and texts are readable."""
    browser.run(helpers)
    marks = "[...document.querySelectorAll('#tree svg .mark, #types svg .mark')]"
    wide = browser.run(f"""{marks}.flatMap(mark => textsOf(mark).filter(text => text.getComputedTextLength() >
        mark.getBBox().width + 1).map(text => text.textContent))""")
    expect(f"{name}: texts wider than their marks", wide, not wide)
    without = browser.run(f"""{marks}.filter(mark => mark.getBBox().width > 90 && (mark.closest('#tree') ||
        mark.getBBox().height > 36)).map(mark => textsOf(mark).map(text => text.textContent).join(' | ')).filter(text => !/[0-9]\u00a0%/.test(text))""")
    expect(f"{name}: wide marks without a share", without, not without)
    for theme in ("light", "dark"):
        browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        pale = browser.run(f"""{marks}.flatMap(mark => textsOf(mark).map(text => [text.textContent, getComputedStyle(mark).fill,
            contrast(getComputedStyle(mark).fill, getComputedStyle(text).fill)]).filter(([, , value]) => value < 4.5))""")
        expect(f"{name}: texts that are hard to read on {theme}", pale, not pale)
    browser.send("Emulation.setEmulatedMedia", features=[])


def check_axes(browser, name, selector, ends):
    """The labels of each axis begin and end with `ends`, and are inside their picture."""
    axes = browser.run(f"""[...document.querySelectorAll('{selector} svg')].map(picture =>
        [...picture.querySelectorAll('.axis')].map(text => [text.textContent, text.getBBox().x,
        text.getBBox().x + text.getBBox().width, picture.viewBox.baseVal.width])).filter(axis => axis.length !== 0)""")
    expect(f"{name}: axes in {selector}", axes, bool(axes))
    for axis in axes:
        axis.sort(key=lambda label: label[1])
        expect(f"{name}: ends of an axis in {selector}", axis, (axis[0][0], axis[-1][0]) == ends)
        expect(f"{name}: labels outside of a picture", axis, axis[0][1] > -1 and axis[-1][2] < axis[-1][3] + 1)


def check_tree(browser, name):
    names = "[...document.querySelectorAll('#tree svg .mark')].map(m => m.textContent)"
    before = browser.run(names)
    expect(f"{name}: bars", len(before), len(before) > 2)
    browser.run("document.querySelectorAll('#tree svg .mark')[2].dispatchEvent(new MouseEvent('click'))")
    zoomed = browser.run("[...document.querySelectorAll('#tree svg .mark:not(.above)')].map(m => "
                         "m.textContent)[0]")
    expect(f"{name}: zoom to {before[2]}", zoomed, zoomed == before[2])
    focused = browser.run("""document.querySelector('#tree svg [tabindex="0"]').focus();
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}));
        document.activeElement.textContent""")
    expect(f"{name}: Home goes to the root", focused, focused == before[0])
    browser.run("document.querySelectorAll('#tree svg .mark')[0].dispatchEvent(new MouseEvent('click'))")
    word = before[1].split(":")[0].split(" \u203a ")[0][:20]
    browser.run(f"""(() => {{ const box = document.querySelector('#tree input'); box.value = {json.dumps(word)};
        box.dispatchEvent(new Event('input')); }})()""")
    found = browser.run("document.querySelectorAll('#tree svg .found').length")
    expect(f"{name}: search for {word}", found, found > 0)
    browser.run("""(() => { const box = document.querySelector('#tree input'); box.value = 'no such name anywhere';
        box.dispatchEvent(new Event('input')); })()""")
    found = browser.run("document.querySelectorAll('#tree svg .found').length")
    expect(f"{name}: search for nothing", found, found == 0)


graph = corpus / "v8/heapsnapshot/seed/node-10.heapsnapshot"
several = corpus / "mvmheap/v2/seed/moar-2018.03-small.mvmheap"
stacks = corpus / "v8/heapprofile/seed/small.heapprofile"
timeline = corpus / "v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline"


def check_places(dump):
    """The data states the place of the suspect in the tree."""
    data = data_of(dump)
    places = data["trees"][0]["places"]
    found = [[(places[index]["name"], places[index]["count"]) for index in suspect["places"]]
             for suspect in data["suspects"]]
    expect("places of suspects", found, found == [[("Leak", 60)]])


def check_suspect(browser, folder, dump):
    """The suspect is marked in the first picture, where a chain of wrappers is one bar, and the path to it is shown."""
    browser.open(make(folder, "suspect", dump))
    browser.run(helpers)
    texts = """[...document.querySelectorAll('#tree svg .mark')].map(mark =>
        textsOf(mark).map(text => text.textContent).join(' | '))"""
    found = browser.run(texts)
    above = "Application \u203a Wrapper (3 levels) \u203a Store \u203a CacheOfEverythingThatWasEverLoaded"
    numbers = "Suspect 1: 60 Leak | 92.2\u00a0% of the heap, 58.6\u00a0KiB"
    expect("bars", found, found == ["(root) \u00b7 100.0\u00a0%", f"{above} \u00b7 100.0\u00a0%",
                                    f"{numbers}, held by CacheOfEverythingThatWasEverLoaded"])
    found = browser.run("""[...document.querySelectorAll('#tree svg .suspect')].map(mark =>
        [mark.textContent.split(':')[0], parseFloat(getComputedStyle(mark).strokeWidth)])""")
    expect("marked bars", found, found == [["Leak", 3]])
    browser.send("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
    browser.run("window.dispatchEvent(new Event('resize'))")
    found = browser.run(texts)[2]
    expect("suspect in a narrow window", found, found == numbers)
    browser.send("Emulation.clearDeviceMetricsOverride")
    browser.run("document.querySelector('#tree .suspect').dispatchEvent(new MouseEvent('click'))")
    found = browser.run("[...document.querySelectorAll('#tree .detail .path li')].map(step => step.textContent)")
    expect("path to the suspect", found, found == ["(root)", above, "Leak"])
    browser.run("document.querySelector('#tree .detail .path button').click()")
    expect("zoom by the path", browser.run(texts), browser.run(texts)[0].startswith("(root)"))
    expect("suspect: problems", browser.problems, not browser.problems)


def check_left_out(browser, folder):
    """A long list leaves room for other places, and the page states how much of the list it leaves out."""
    dump = make_leak(folder, 30, ["List"] * 2000)
    data = data_of(dump)
    places = data["trees"][0]["places"]
    expect("places of a tree", len(places), len(places) <= 901 and data["trees"][0]["is_cut"])
    browser.open(make(folder, "list", dump))
    text = browser.run("[...document.querySelectorAll('#tree > p')].map(text => text.textContent).join('|')")
    expect("what is left out", text, "below any one place hold at most 44.9\u00a0KiB, 83.6\u00a0% of the total." in text)


def check_chain(browser):
    """A chain is one marked bar instead of a staircase."""
    found = browser.run("document.querySelector('#tree svg .title').textContent")
    expect("title of a chain", found, found == "Suspect 1: a chain of 59 BOOTArray")
    found = browser.run("document.querySelector('#tree svg').viewBox.baseVal.height")
    expect("height of the picture with a chain", found, found < 400)


def check_print(browser):
    """On paper, all pictures have the same width, regardless of the width of the window."""
    widths = "[...new Set([...document.querySelectorAll('svg')].map(picture => picture.viewBox.baseVal.width))]"
    before = browser.run(widths)
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    expect("width on paper", browser.run(widths), browser.run(widths) == [900])
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    expect("width after printing", browser.run(widths), browser.run(widths) == before and before != [900])


def check_steps(browser, folder):
    """For 10, 40 and 30 nodes, the steps are +30 and -10, and 20 nodes are new."""
    files = [make_leak(folder, number) for number in (10, 40, 30)]
    growth = data_of(*files)["growth"]
    expect("growth", growth, growth["by"] == "id" and growth["size"] == 20_000)
    expect("suspect", growth["suspects"], [row["name"] for row in growth["suspects"]][:1] in (["Cache"], ["Leak"]))
    check_page(browser, "steps", make(folder, "steps", *files), ["#changes"])
    labels = "[...document.querySelectorAll('#changes .diff .mark')].map(m => m.textContent)"
    for value, change in ((0, "+19.5"), (1, "+29.3"), (2, "\u22129.8")):
        browser.run(f"""(() => {{ const list = document.querySelector('#changes select'); list.value = {value};
            list.dispatchEvent(new Event('change')); }})()""")
        found = browser.run(labels)
        expect(f"step {value}", found, len(found) == 1 and f"Leak: {change}\u00a0KiB" in found[0])
    check_axes(browser, "steps", "#changes", ("leak-10-0.heapsnapshot", "leak-30-0.heapsnapshot"))
    check_axes(browser, "steps", "#histogram", ("0\u00a0B", "4\u00a0KiB"))
    check_print(browser)
    text = browser.run("document.querySelector('.headline').textContent")
    expect("headline", text, "100.0\u00a0% of what is new: 19.5\u00a0KiB. Since the first file, the heap grew by 19.5\u00a0KiB; "
           "the type that grew most is Leak +19.5\u00a0KiB. All 30 retain 85.7\u00a0% of the heap." in text)
    text = browser.run("document.querySelector('#growth').textContent")
    expect("what is new", text, "19.5\u00a0KiB in the last snapshot are new" in text)
    expect("steps: problems", browser.problems, not browser.problems)


def check_narrow(browser, folder):
    """On a narrow screen, no name is broken or cut into a few letters, and nothing is wider than the screen."""
    browser.send("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
    nested = pathlib.Path(folder, "of", "a", "service")
    nested.mkdir(parents=True)
    for inputs in ([make_leak(nested, 20), make_leak(nested, 40)], [several], [stacks]):
        browser.open(make(folder, "narrow", *inputs))
        browser.run("document.querySelectorAll('details').forEach(part => part.setAttribute('open', ''))")
        found = browser.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        expect("narrow: width of the page", found, found[0] == found[1])
        # Each part between two possible breaks has its own rectangle.
        found = browser.run("""[...document.querySelectorAll('td .name')].filter(name => name.textContent.length > 6 &&
            name.textContent.length / new Set([...name.getClientRects()].map(part => Math.round(part.top))).size < 6)
            .map(name => name.textContent)""")
        expect("narrow: broken names", found, not found)
        found = browser.run("""[...document.querySelectorAll('svg text')].map(text => text.textContent)
            .filter(text => /^.{0,5}\u2026$/u.test(text))""")
        expect("narrow: cut names", found, not found)
        found = browser.run("document.querySelectorAll('td .name, svg text').length")
        expect("narrow: names", found, found > 10)
    browser.send("Emulation.clearDeviceMetricsOverride")


def check_allocated(browser, folder):
    """The page about a timeline with stacks states how much each call allocated in total."""
    browser.open(make(folder, "timeline", timeline))
    found = browser.run("[...document.querySelectorAll('#stacks th')].map(head => head.textContent)")
    expect("columns of calls", found, found[-2:] == ["Allocated", "Allocated size"])
    found = browser.run("""[...document.querySelectorAll('#stacks td')].map(cell => cell.textContent).join('|')""")
    expect("allocated in total", found, "(V8 API)|45|5.3\u00a0KiB|5.3\u00a0KiB|4,096|182.9\u00a0KiB" in found)
    found = browser.run("[...document.querySelectorAll('#stacks .mark')].map(mark => mark.textContent)")
    expect("label of a call", found, any(
        "45 objects still alive; allocated 182.9\u00a0KiB in total, 4,096 objects" in label for label in found))


def check_many(browser, folder):
    """Of 30 files, only as many as there is room for have a label below the lines."""
    files = [make_leak(folder, number) for number in range(11, 41)]
    check_page(browser, "many", make(folder, "many", *files), ["#changes"])
    check_axes(browser, "many", "#changes", ("leak-11-0.heapsnapshot", "leak-40-0.heapsnapshot"))
    expect("many: problems", browser.problems, not browser.problems)


# Processes of the browser may still write after it has ended.
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    check_sums(graph)
    wrapped = make_leak(folder, 60, ["Application", *["Wrapper"] * 3, "Store"], "CacheOfEverythingThatWasEverLoaded")
    check_places(wrapped)
    if chromium is None:
        print("chromium is not installed")
        sys.exit(1 if failures else 77)
    hostile = make_hostile(folder)
    browser = Browser(chromium, folder)
    try:
        browser.start()
        for name, inputs, pictures in (
                ("graph", [graph], ["#types", "#tree", "#histogram"]),
                ("several", [several], ["#types", "#tree", "#changes", "#histogram"]),
                ("stacks", [stacks], ["#types", "#tree"]),
                ("diff", [graph, graph, hostile], ["#types", "#tree", "#changes"]),
                ("hostile", [hostile], ["#types", "#tree", "#histogram"])):
            check_page(browser, name, make(folder, name, *inputs), pictures)
            check_labels(browser, name)
            check_tree(browser, name)
            if name == "several":
                check_chain(browser)
            expect(f"{name}: problems", browser.problems, not browser.problems)
        text = browser.run("document.body.textContent")
        expect("hostile: names are shown as text", text[:200], "<img src=x onerror=alert(2)>" in text)
        visible = browser.run("document.getElementById('page').textContent")
        expect("hostile: marks of direction are escaped", "", "\u202e" not in visible and "\\u202e" in visible)
        scripts = browser.run("document.querySelectorAll('script').length")
        expect("hostile: scripts", scripts, scripts == 2)
        check_suspect(browser, folder, wrapped)
        check_left_out(browser, folder)
        check_steps(browser, folder)
        check_many(browser, folder)
        check_narrow(browser, folder)
        check_allocated(browser, folder)
        # Shows that the checks above notice a problem if there is one.
        browser.run("const made = document.createElement('script'); made.textContent = '1'; document.body.append(made)")
        browser.run("1")
        expect("a script that the policy refuses is noticed", browser.problems, bool(browser.problems))
    finally:
        browser.process.kill()
        browser.process.wait()
sys.exit(1 if failures else 0)
