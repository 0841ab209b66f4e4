"""Makes the results: JSON, a table for the terminal, and the section of README.md."""
import fnmatch
import json
import os
import pathlib

from driver import measure

BEGIN, END = "<!-- bench/run: the next lines -->", "<!-- bench/run: end -->"
AXES = ("cpu", "wall", "peak")
# Rows that are only in the results: smaller variants of the rows in README.md, and all rows of `--large`.
NOT_IN_README = ("v1-1M", "v2-1M", "v3-1M", "*-20M", "*-1G", "*-5G")


def describe_machine():
    model = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory = pathlib.Path("/proc/meminfo").read_text().split()[1]
    return {"processor": model, "cores": os.cpu_count(), "memory_bytes": int(memory) * 1024}


def describe_command(command, outcome, base):
    told = {"name": command.name, "role": command.role}
    reason = command.missing or outcome.failure
    if reason:
        return {**told, "left_out": reason}
    told["runs"] = len(outcome.runs)
    for axis in AXES:
        told[axis] = measure.summarise([getattr(run, axis) for run in outcome.runs])
    if base is not outcome and base.runs:
        told["ratio"] = {axis: measure.find_ratios(outcome, base, axis, command.role == "limit") for axis in AXES}
    return told


def describe_goals(row, commands):
    by_name = {command["name"]: command for command in commands}
    for goal in row.goals:
        command = by_name[goal.command]
        costs = command if goal.of_cost else command.get("ratio", {})
        if goal.axis not in costs:
            continue
        value = costs[goal.axis]["median"]
        is_met = value <= goal.bound if goal.is_upper else value >= goal.bound
        yield {"command": goal.command, "axis": goal.axis, "value": value, "bound": goal.bound,
               "of": "cost" if goal.of_cost else "ratio", "at_most": goal.is_upper, "met": is_met}


def describe_row(row, outcomes, input_facts):
    base = outcomes[row.commands[0].name]
    commands = [describe_command(c, outcomes[c.name], base) for c in row.commands]
    return {"name": row.name, "title": row.title, "input": input_facts, "commands": commands,
            "goals": list(describe_goals(row, commands))}


def format_seconds(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def format_ratio(ratio):
    return f"{ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['most']:.2f})"


def make_line(command):
    name = ("limit: " if command["role"] == "limit" else "") + command["name"]
    if "left_out" in command:
        return f"  {name:<32} {command['left_out']}"
    ratios = [format_ratio(command["ratio"][axis]) if "ratio" in command else "1" for axis in AXES]
    return (f"  {name:<32} {format_seconds(command['cpu']['median']):>7} {ratios[0]:<20}"
            f" {format_seconds(command['wall']['median']):>7} {ratios[1]:<20}"
            f" {command['peak']['median'] / 1e6:>8.1f} {ratios[2]:<18} {command['runs']:>2}").rstrip()


def make_table(row):
    size = row["input"]["byte_count"] / 1e6
    lines = [f"{row['name']}: {row['title']} ({size:.1f} MB)",
             f"  {'':<32} {'CPU s':>7} {'ratio':<20} {'wall s':>7} {'ratio':<20} {'peak MB':>8} {'ratio':<18} runs"]
    lines += [make_line(command) for command in row["commands"]]
    for goal in row["goals"]:
        words = ["met" if goal["met"] else "missed", "at most" if goal["at_most"] else "at least"]
        lines.append(f"  goal {words[0]}: {goal['command']}, {goal['of']} of {goal['axis']}: {goal['value']:.5g}, "
                     f"expected {words[1]} {goal['bound']:.3g}")
    return "\n".join(lines) + "\n"


NOTE = """A ratio of a limit is heapcheck's cost divided by that of the limit; any other ratio is the cost divided by
heapcheck's. They are computed round by round: the median, the lowest and the highest.
"""


def make_section_row(row):
    base = row["commands"][0]
    told = {"limit": [], "peer": []}
    for command in row["commands"]:
        if command["role"] in told and "ratio" in command and command["name"] not in ("cat", "memcpy"):
            told[command["role"]].append((command["ratio"]["cpu"]["median"], command["name"]))
    limits = ", ".join(f"{ratio:.2f} x {name}" for ratio, name in sorted(told["limit"]))
    peers = ", ".join(f"{name} {ratio:.1f}" for ratio, name in sorted(told["peer"]))
    cells = [row["title"], f"{row['input']['byte_count'] / 1e6:.0f} MB",
             f"{format_seconds(base['cpu']['median'])} s",
             f"{base['peak']['median'] / 1e6:.0f} MB", limits or "-", peers or "-"]
    return f"| {' | '.join(cells)} |"


def make_section(results):
    machine = results["machine"]
    lines = [BEGIN, "",
             "- *Limits*: the CPU time of heapcheck, divided by the CPU time of a program that only decompresses",
             "  the file, counts its lines, or compresses the result.",
             "- *Others*: the CPU time of another program, divided by the CPU time of heapcheck. The other programs",
             "  only read the file or, for retained sizes and exports, do the same as heapcheck.", "",
             "heapcheck asks the system for huge pages for large columns; the other programs run as packaged by",
             "Debian or npm. The inputs are enlarged real dumps. All numbers are medians of "
             f"{results['rounds']} rounds on", f"{machine['cores']} cores ({machine['processor']}).", "",
             "| task | input | CPU time | peak memory | limits | others |", "|---|---|---|---|---|---|"]
    rows = [row for row in results["rows"] if not any(fnmatch.fnmatch(row["name"], p) for p in NOT_IN_README)]
    rows.sort(key=lambda row: not row["title"].startswith("check"))
    lines += [make_section_row(row) for row in rows if "cpu" in row["commands"][0]]
    missing = sorted({f"{c['name']}: {c['left_out']}" for row in rows for c in row["commands"] if "left_out" in c})
    if missing:
        lines += ["", "Not measured:", ""] + [f"- {name}" for name in missing]
    return "\n".join(lines + ["", END])


def merge_rows(old, new):
    """The old rows in their order, each replaced by the new row with the same name if there is one."""
    by_name = {row["name"]: row for row in old} | {row["name"]: row for row in new}
    return list(by_name.values())


def replace_section(page, section):
    before, rest = page.split(BEGIN, 1)
    return before + section + rest.split(END, 1)[1]


def round_numbers(value):
    """The same value with six digits for each number that is not an integer."""
    if isinstance(value, dict):
        return {key: round_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [round_numbers(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def dump(results):
    """JSON with one line for each row."""
    head = {key: value for key, value in results.items() if key != "rows"}
    rows = ",\n".join(json.dumps(round_numbers(row), ensure_ascii=False) for row in results["rows"])
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n{rows}\n]}}\n'
