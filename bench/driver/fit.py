"""Judges how a cost grows with the size of the input."""
import dataclasses
import math

# A cost may grow by half more than the input from one size to the next one, which is four times as large: a sort needs
# 1.1 times as long for each byte of a larger input, tables double when they are full, and a larger heap fits less well
# into caches. A quadratic cost grows by 4 times as much as the input, and one that grows with the power 1.5 by twice as
# much. Hash tables whose rows come in no order also do that where they outgrow a cache, but without more instructions,
# so these decide. They are the same in each run, and need room only for sorts.
ROOM = 1.5
ROOM_FOR_INSTRUCTIONS = 1.2
LEAST_SECONDS = 0.1  # a shorter time says nothing about growth
LEAST_BYTES = 32 << 20  # and less memory than this mostly consists of buffers


@dataclasses.dataclass
class Growth:
    """How often the cost of a size fits into that of the next one, in relation to the sizes; 1 is linear."""
    factor: float
    is_judged: bool

    @property
    def is_steep(self):
        return self.is_judged and self.factor > ROOM


def find_growth(sizes, costs, least, constant=0):
    """From the last two of the sizes. The constant is the cost of no input, and costs below `least` are not judged."""
    before, after = (max(cost - constant, 0) for cost in costs[-2:])
    if before <= 0 or after <= 0:
        return Growth(math.nan, False)
    return Growth(after / before / (sizes[-1] / sizes[-2]), after >= least)


def judge(sizes, runs, nothing):
    """The growth of time and of memory for runs with inputs of these sizes; `nothing` is a run without an input."""
    time = find_growth(sizes, [run.cpu for run in runs], LEAST_SECONDS, nothing.cpu)
    memory = find_growth(sizes, [run.peak for run in runs], LEAST_BYTES, nothing.peak)
    return time, memory
