"""Keeps the measurements of several machines, and makes the section of README.md."""
import fnmatch
import textwrap

from driver.output import format_ratio, format_seconds

BEGIN, END = "<!-- bench/run: the next lines -->", "<!-- bench/run: end -->"
# Rows that are only in the results: smaller variants of the rows in README.md, and all rows of `--large`.
NOT_IN_README = ("v1-1M", "v2-1M", "v3-1M", "*-20M", "*-1G", "*-5G")
NOT_A_GOAL = ("cat", "memcpy")  # limits that are only in the results
WIDTH = 118
MOST_OTHERS = 0.1  # of all processors' time: on two processors, other work takes a fifth of one
COLUMNS = (("cpu", "time"), ("user", "user time"), ("peak", "memory"))

HEAD = """
- *time*: the CPU time, both of the program itself and of the system, which for example clears its memory.
- *user time*: the CPU time of the program alone, in further runs.
- *memory*: the peak.

The first line of each task has the costs of heapcheck. The other lines have ratios:

- *limit*: the cost of heapcheck, divided by that of a program that only decompresses the file, counts its lines,
  compresses the result, or reads a file without source places.
- All others: the cost of another program, divided by that of heapcheck. The other programs only read the file or, for
  retained sizes, stacks and exports, do the same as heapcheck.

A ratio is computed for each round, in which each command runs on one processor, after another process has used and
freed enough memory for any of them. The table has the median ratio and, in brackets, the lowest and the highest.
heapcheck asks the system for huge pages for large columns; the other programs run as packaged by Debian or npm. The
inputs are enlarged real dumps. The numbers differ between machines:
"""
OLDER = """
The numbers of machines without user times are older. Each command could use all processors, and found the memory as the
previous command had left it.
"""


def find_vendor(measurement):
    return measurement["machine"]["processor"].split()[0].split("(")[0]


def is_shown(row):
    return "cpu" in row["commands"][0] and not any(fnmatch.fnmatch(row["name"], p) for p in NOT_IN_README)


def describe_machine(measurement):
    machine, rows = measurement["machine"], measurement["rows"]
    dates = sorted({row["date"] for row in rows})
    others = [row["others"] for row in rows if "others" in row]
    busy = f"; other work took up to {100 * max(others):.0f} % of the processors' time" if others else ""
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    words = (f"- {find_vendor(measurement)}: {machine['processor']}; {machine['cores']} cores, "
             f"{machine['memory_bytes'] / 1e9:.0f} GB; {measurement['rounds']} rounds; {when}{busy}")
    return "\n".join(textwrap.wrap(words, WIDTH, subsequent_indent="  ", break_on_hyphens=False))


def format_cost(command, axis):
    if axis not in command:
        return "-"
    value = command[axis]["median"]
    return f"{value / 1e6:.0f} MB" if axis == "peak" else f"{format_seconds(value)} s"


def list_columns(measurement):
    """The axes that were measured, and their names."""
    costs = measurement["rows"][0]["commands"][0]
    return [(axis, name) for axis, name in COLUMNS if axis in costs]


def format_cells(command, columns):
    """The cells of a command on one machine, on which it may be missing. Limits are limits of time only."""
    for axis, _ in columns:
        if not command or "left_out" in command or (axis == "peak" and command["role"] == "limit"):
            yield "-"
        elif "ratio" in command and axis == "peak":
            yield f"{command['ratio'][axis]['median']:.2f}"
        elif "ratio" in command:
            yield format_ratio(command["ratio"][axis]) if axis in command["ratio"] else "-"
        else:
            yield format_cost(command, axis)


def make_line(title, commands, columns):
    cells = [cell for command, shown in zip(commands, columns) for cell in format_cells(command, shown)]
    return f"| {' | '.join([title, *cells])} |"


def list_compared(rows):
    """The names of the limits and other programs that some machine measured: limits first, then by the ratio."""
    found = {}
    for row in rows:
        for command in row["commands"] if row else []:
            if command["role"] in ("limit", "peer") and "ratio" in command and command["name"] not in NOT_A_GOAL:
                order = command["role"] == "peer", command["ratio"]["cpu"]["median"]
                found.setdefault(command["name"], (order, command["role"]))
    for name, (_, role) in sorted(found.items(), key=lambda item: item[1]):
        yield name, f"limit: {name}" if role == "limit" else name


def make_task(rows, columns):
    """The lines for one task, with its row on each machine, or None, and the columns of each machine."""
    def find(name):
        return [next((c for c in row["commands"] if c["name"] == name), None) if row else None for row in rows]
    first = next(row for row in rows if row)
    yield make_line(f"**{first['title']}**, {first['input']['byte_count'] / 1e6:.0f} MB",
                    [row["commands"][0] if row else None for row in rows], columns)
    for name, title in list_compared(rows):
        yield make_line(title, find(name), columns)


def list_missing(measurement):
    """Programs that were measured in no row."""
    commands = [command for row in measurement["rows"] if is_shown(row) for command in row["commands"]]
    measured = {command["name"] for command in commands if "left_out" not in command}
    return sorted({f"- {command['name']} ({find_vendor(measurement)}): {command['left_out']}" for command in commands
                   if command["name"] not in measured})


def make_section(measurements):
    by_name = [{row["name"]: row for row in measurement["rows"] if is_shown(row)} for measurement in measurements]
    names = dict.fromkeys(name for rows in by_name for name in rows)
    tasks = [[rows.get(name) for rows in by_name] for name in names]
    tasks.sort(key=lambda rows: not next(row for row in rows if row)["title"].startswith("check"))
    columns = [list_columns(measurement) for measurement in measurements]
    heads = [f"{find_vendor(one)}: {name}" for one, shown in zip(measurements, columns) for _, name in shown]
    lines = [HEAD, *map(describe_machine, measurements)]
    if any(len(shown) < len(COLUMNS) for shown in columns):
        lines.append(OLDER.rstrip())
    lines += ["", f"| task | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    lines += [line for rows in tasks for line in make_task(rows, columns)]
    missing = [line for measurement in measurements for line in list_missing(measurement)]
    if missing:
        lines += ["", "Not measured:", "", *missing]
    return "\n".join([BEGIN, *lines, "", END])


def replace_section(page, section):
    before, rest = page.split(BEGIN, 1)
    return before + section + rest.split(END, 1)[1]


def merge_rows(old, new):
    """The old rows in their order, each replaced by the new row with the same name if there is one."""
    by_name = {row["name"]: row for row in old} | {row["name"]: row for row in new}
    return list(by_name.values())


def merge(measurements, new):
    """The measurements with the new one, which replaces the rows that an earlier one on the same machine has. There is
    one machine for each vendor of processors."""
    busy = [row["name"] for row in new["rows"] if row["others"] > MOST_OTHERS]
    if busy:
        raise ValueError(f"other work took more than {100 * MOST_OTHERS:.0f} % of the processors' time during "
                         + ", ".join(busy))
    vendor = find_vendor(new)
    old = next((one for one in measurements if find_vendor(one) == vendor), None)
    if old is None:
        return sorted([*measurements, new], key=find_vendor, reverse=True)
    rows = merge_rows(old["rows"], new["rows"])
    is_mixed = len(rows) > len(new["rows"])
    if is_mixed and any(old[fact] != new[fact] for fact in ("rounds", "machine")):
        raise ValueError("the rows that were not measured are from another machine or number of rounds")
    return [{**new, "rows": rows} if one is old else one for one in measurements]
