"""Runs commands as whole processes, in turn, and records their costs."""
import dataclasses
import os
import random
import statistics
import subprocess

MOST_SECONDS = 600


@dataclasses.dataclass
class Run:
    """The costs of one process: CPU time (user and system) and wall time in seconds, and peak memory in bytes."""
    cpu: float
    wall: float
    peak: int


@dataclasses.dataclass
class Outcome:
    """The runs of one command, or the reason why there are none."""
    runs: list
    failure: str = ""


def run_once(launcher, command, say):
    """Returns a Run, or a sentence about the failure."""
    read_end, write_end = os.pipe()
    words = [launcher, str(write_end)] + (["--pipe", command.pipe] if command.pipe else []) + command.words
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, errors="replace", pass_fds=[write_end], start_new_session=True)
    os.close(write_end)
    with os.fdopen(read_end) as costs:
        try:
            output, errors = child.communicate(timeout=MOST_SECONDS)
        except BaseException as error:  # such as an interrupt
            os.killpg(child.pid, 9)
            child.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return f"took more than {MOST_SECONDS} s"
        line = costs.read().split()
    if len(line) != 4:
        return "could not be measured"
    if int(line[0]) not in command.good:
        say(f"{command.name} failed: {errors.strip()}")
        return f"failed (exit status {line[0]})" if int(line[0]) > 0 else "was killed"
    run = Run(float(line[1]), float(line[2]), int(line[3]))
    if command.reports:
        measured = output.rsplit("measured ", 1)[-1].split()
        run.cpu, run.wall = float(measured[0]), float(measured[1])
    return run


def run_in_turn(launcher, commands, rounds, slow_seconds, say):
    """Runs each command once in each round, except slow other programs, which run only in the first one. The order
    changes in each round, because the previous command has an effect: it leaves memory that is faster to allocate."""
    outcomes = {command.name: Outcome([]) for command in commands}
    for number in range(rounds):
        for command in random.Random(number).sample(commands, len(commands)):
            outcome = outcomes[command.name]
            is_slow = number > 0 and outcome.runs and outcome.runs[0].wall > slow_seconds
            if outcome.failure or (is_slow and command.role == "peer"):
                continue
            say(f"round {number + 1} of {rounds}: {command.name}")
            result = run_once(launcher, command, say)
            if isinstance(result, str):
                outcome.failure, outcome.runs = result, []
            else:
                outcome.runs.append(result)
    return outcomes


def summarise(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def find_ratios(outcome, base, axis, is_limit):
    """The ratio in each round: for a limit, heapcheck's cost divided by that of the limit; for any other program, its
    cost divided by heapcheck's."""
    pairs = [(getattr(one, axis), getattr(other, axis)) for one, other in zip(outcome.runs, base.runs)]
    # A limit may take no measurable time on a tiny input.
    return summarise([b / max(a, 1e-6) if is_limit else a / max(b, 1e-6) for a, b in pairs])
