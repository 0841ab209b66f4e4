"""Judges how a cost grows with the size of the input."""
import dataclasses
import math

# From one size to the next, which is four times as large, a cost may grow 1.5 times as fast as the input: a sort takes
# 1.1 times as long for each byte of a larger input, tables double when they are full, and caches hold a smaller part of
# a larger heap. A quadratic cost grows 4 times as fast as the input, and a cost with the exponent 1.5 grows twice as
# fast. The time of hash tables whose rows have no order also does that where they outgrow a cache, but the number of
# instructions does not, so instructions decide. They are the same in each run, and need tolerance only for sorts.
ROOM = 1.5
ROOM_FOR_INSTRUCTIONS = 1.2
LEAST_SECONDS = 0.1  # a shorter time shows nothing about growth
LEAST_BYTES = 32 << 20  # and less memory than this mostly consists of buffers


@dataclasses.dataclass
class Growth:
    """The ratio of the costs of two consecutive sizes, divided by the ratio of the sizes; 1 is linear."""
    factor: float
    is_judged: bool

    @property
    def is_steep(self):
        return self.is_judged and self.factor > ROOM


def find_growth(sizes, costs, least, constant=0):
    """Uses the last two sizes. The constant is the cost without an input; costs below `least` are not judged."""
    before, after = (max(cost - constant, 0) for cost in costs[-2:])
    if before <= 0 or after <= 0:
        return Growth(math.nan, False)
    return Growth(after / before / (sizes[-1] / sizes[-2]), after >= least)


def judge(sizes, runs, nothing):
    """The growth of time and of memory for runs with inputs of these sizes; `nothing` is a run without an input."""
    time = find_growth(sizes, [run.cpu for run in runs], LEAST_SECONDS, nothing.cpu)
    memory = find_growth(sizes, [run.peak for run in runs], LEAST_BYTES, nothing.peak)
    return time, memory
