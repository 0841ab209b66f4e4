"""Makes the results: JSON, and a table for the terminal."""
import datetime
import json
import os
import pathlib

from driver import measure

AXES = ("user", "cpu", "wall", "peak")
LEAST_SECONDS = 0.001  # a shorter time of a limit makes no sensible ratio


def find_processor():
    """Its name, family and model: in virtual machines, names such as "AMD EPYC" stand for several generations."""
    facts = dict(line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    name = " ".join(facts.get("model name", "unknown").split())
    return f"{name}, family {facts['cpu family']}, model {facts['model']}" if "cpu family" in facts else name


def describe_machine():
    memory = pathlib.Path("/proc/meminfo").read_text().split()[1]
    return {"processor": find_processor(), "cores": os.cpu_count(), "memory_bytes": int(memory) * 1024}


def find_ratios(command, outcome, base):
    for axis in AXES:
        is_limit = command.role == "limit"
        if not is_limit or axis == "peak" or measure.find_median(outcome, axis) >= LEAST_SECONDS:
            yield axis, measure.find_ratios(outcome, base, axis, is_limit)


def describe_command(command, outcome, base):
    told = {"name": command.name, "role": command.role}
    reason = command.missing or outcome.failure
    if reason:
        return {**told, "left_out": reason}
    told["runs"] = len(outcome.runs)
    for axis in AXES:
        told[axis] = measure.summarise([getattr(run, axis) for run in outcome.runs])
    if base is not outcome and base.runs:
        told["ratio"] = dict(find_ratios(command, outcome, base))
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


def describe_row(row, outcomes, input_facts, others):
    base = outcomes[row.commands[0].name]
    commands = [describe_command(c, outcomes[c.name], base) for c in row.commands]
    return {"name": row.name, "title": row.title, "date": datetime.date.today().isoformat(), "others": others,
            "input": input_facts, "commands": commands, "goals": list(describe_goals(row, commands))}


def format_seconds(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def format_ratio(ratio):
    return f"{ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['most']:.2f})"


def make_line(command):
    name = ("limit: " if command["role"] == "limit" else "") + command["name"]
    if "left_out" in command:
        return f"  {name:<32} {command['left_out']}"
    cells = []
    for axis in AXES:
        value = command[axis]["median"]
        is_base = "ratio" not in command
        ratio = "1" if is_base else format_ratio(command["ratio"][axis]) if axis in command["ratio"] else "-"
        cells.append(f"{value / 1e6:>8.1f} {ratio:<19}" if axis == "peak" else f"{format_seconds(value):>7} {ratio:<19}")
    return f"  {name:<32} {' '.join(cells)} {command['runs']:>2}"


def make_table(row):
    size = row["input"]["byte_count"] / 1e6
    heads = " ".join(f"{head:>{8 if head == 'peak MB' else 7}} {'ratio':<19}"
                     for head in ("user s", "CPU s", "wall s", "peak MB"))
    lines = [f"{row['name']}: {row['title']} ({size:.1f} MB), other work on the machine: {row['others']:.0%}",
             f"  {'':<32} {heads} runs"]
    lines += [make_line(command) for command in row["commands"]]
    for goal in row["goals"]:
        words = ["met" if goal["met"] else "missed", "at most" if goal["at_most"] else "at least"]
        lines.append(f"  goal {words[0]}: {goal['command']}, {goal['of']} of {goal['axis']}: {goal['value']:.5g}, "
                     f"expected {words[1]} {goal['bound']:.3g}")
    return "\n".join(lines) + "\n"


NOTE = """A ratio of a limit is heapcheck's cost divided by that of the limit; any other ratio is the cost divided by
heapcheck's. They are computed round by round: the median, the lowest and the highest. The user time is that of further
runs, which find the memory of the first run in place.
"""


def round_numbers(value):
    """The same value with six digits for each number that is not an integer."""
    if isinstance(value, dict):
        return {key: round_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [round_numbers(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def dump_measurement(measurement):
    head = {key: value for key, value in measurement.items() if key != "rows"}
    rows = ",\n".join(json.dumps(round_numbers(row), ensure_ascii=False) for row in measurement["rows"])
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n{rows}\n]}}'


def dump(results):
    """JSON with one line for each row."""
    return f'{{"version": 2, "measurements": [\n{",".join(map(dump_measurement, results))}\n]}}\n'
