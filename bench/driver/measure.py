"""Runs commands as whole processes, in turn, and records their costs."""
import dataclasses
import math
import os
import random
import statistics
import subprocess

MOST_SECONDS = 600
# The kernel samples whether a process is in user mode, 250 times a second, so short commands are repeated.
LEAST_CPU_SECONDS = 0.5
MOST_REPEATS = 8


@dataclasses.dataclass
class Run:
    """The costs of one process: CPU time (user and system), wall time and user time alone in seconds, and peak memory
    in bytes."""
    cpu: float
    wall: float
    peak: int
    user: float = 0


@dataclasses.dataclass
class Outcome:
    """The runs of one command, or the reason why there are none."""
    runs: list
    failure: str = ""


def run_once(launcher, command, say, launcher_options=()):
    """Returns a Run, or a sentence about the failure."""
    read_end, write_end = os.pipe()
    words = [launcher, str(write_end), *launcher_options]
    words += (["--pipe", command.pipe] if command.pipe else []) + command.words
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
    if len(line) != 5:
        return "could not be measured"
    if int(line[0]) not in command.good:
        say(f"{command.name} failed: {errors.strip()}")
        return f"failed (exit status {line[0]})" if int(line[0]) > 0 else "was killed"
    user, cpu, wall = map(float, line[1:4])
    if command.reports:
        user, cpu, wall = map(float, output.rsplit("measured ", 1)[-1].split())
    return Run(cpu, wall, int(line[4]), user)


def find_available_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        facts = dict(line.split(":") for line in file)
    return int(facts["MemAvailable"].split()[0]) * 1024


class Launcher:
    """Runs commands on as few processors as they need."""

    def __init__(self, path, say):
        self.path, self.say = path, say
        self.processor_count = len(os.sched_getaffinity(0))

    def run(self, command, touched=0):
        """Returns a Run, or a sentence about the failure. First, `touched` bytes of memory are used and freed."""
        if command.processors > self.processor_count:
            return f"needs {command.processors} processors"
        options = ["--processors", str(command.processors)] + (["--touch", str(touched)] if touched else [])
        return run_once(self.path, command, self.say, options)

    def measure(self, command, touched):
        """Runs the command when all memory is in the same state, and records the costs. The user time is that of the
        runs right after this one, which have its memory."""
        first = self.run(command, touched)
        if isinstance(first, str):
            return first
        repeats = min(MOST_REPEATS, math.ceil(LEAST_CPU_SECONDS / max(first.cpu, 1e-3)))
        more = [self.run(command) for _ in range(repeats)]
        failure = next((run for run in more if isinstance(run, str)), None)
        return failure or dataclasses.replace(first, user=statistics.mean(run.user for run in more))


def try_all(launcher, commands):
    """Runs each command once, which also reads its input into the cache. Returns the outcomes without runs, the first
    runs of those that succeed, and the memory that the largest of them needs."""
    tried = {command.name: launcher.run(command) for command in commands}
    outcomes = {name: Outcome([], run if isinstance(run, str) else "") for name, run in tried.items()}
    runs = {name: run for name, run in tried.items() if not isinstance(run, str)}
    # More than half of the memory could push the inputs out of the cache.
    touched = min(max((run.peak for run in runs.values()), default=0), find_available_memory() // 2)
    return outcomes, runs, touched


def run_in_turn(launcher, commands, rounds, slow_seconds, say):
    """Measures each command once in each round, except slow other programs, which are measured only in the first one.
    The order changes in each round."""
    launcher = Launcher(launcher, say)
    outcomes, tried, touched = try_all(launcher, commands)
    for number in range(rounds):
        for command in random.Random(number).sample(commands, len(commands)):
            outcome = outcomes[command.name]
            is_slow = command.name in tried and tried[command.name].wall > slow_seconds
            if outcome.failure or (number > 0 and is_slow and command.role == "peer"):
                continue
            say(f"round {number + 1} of {rounds}: {command.name}")
            result = launcher.measure(command, touched)
            if isinstance(result, str):
                outcome.failure, outcome.runs = result, []
            else:
                outcome.runs.append(result)
    return outcomes


def summarise(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def find_median(outcome, axis):
    return statistics.median(getattr(run, axis) for run in outcome.runs)


def find_ratios(outcome, base, axis, is_limit):
    """The ratio in each round: for a limit, heapcheck's cost divided by that of the limit; for any other program, its
    cost divided by heapcheck's."""
    pairs = [(getattr(one, axis), getattr(other, axis)) for one, other in zip(outcome.runs, base.runs)]
    # A program may take no measurable time on a tiny input.
    return summarise([b / max(a, 1e-6) if is_limit else a / max(b, 1e-6) for a, b in pairs])


class OtherWork:
    """The share of the processors' time that other programs use while commands are measured."""

    def __init__(self):
        self.before = self.read()

    @staticmethod
    def read():
        """Seconds since the start of the machine: all time, idle time, and what this process and its children used."""
        with open("/proc/stat", encoding="ascii") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]  # the others are included in these
        return sum(ticks) / os.sysconf("SC_CLK_TCK"), sum(ticks[3:5]) / os.sysconf("SC_CLK_TCK"), sum(os.times()[:4])

    def find_share(self):
        everything, idle, own = (after - before for before, after in zip(self.before, self.read()))
        return min(1, max(0, (everything - idle - own) / max(everything, 0.01)))
