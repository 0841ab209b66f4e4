"""Graphs that are the worst case for an algorithm. Each is a number of nodes and a function of a node that returns the
nodes that it refers to; node 0 is the root."""
import math


def chain(n):
    """Each node refers to the next one: an algorithm that recurses, or walks from each node to the root, fails."""
    return n, lambda i: [i + 1] if i + 1 < n else []


def chain_up(n):
    """The root refers to the last node, and each other node to the one before it: file order does not help."""
    return n, lambda i: [n - 1] if i == 0 else [i - 1] if i > 1 else []


def fan(n):
    """The root refers to all nodes, which are alike: an algorithm that compares equal nodes with each other fails."""
    return n, lambda i: range(1, n) if i == 0 else []


def hub(n):
    """The root refers to all nodes, and all of them to node 1."""
    return n, lambda i: range(1, n) if i == 0 else [1] if i > 1 else []


def complete(n):
    """A few nodes with `n` references, from each node to all nodes."""
    nodes = math.isqrt(n)
    return nodes, lambda i: range(nodes)


def diamonds(n):
    """A chain of diamonds, with 2^(n/3) paths: an algorithm that lists or counts paths one by one fails."""
    def targets(i):
        kind = i % 3
        near = [i + 1, i + 2] if kind == 0 else [i + 3 - kind]
        return [target for target in near if target < n]
    return n, targets


def late_edges(n):
    """The worst case for Semi-NCA: the last node of a chain and the root both refer to each node of the other half.
    From each of these nodes, the search for its dominator goes up the whole chain."""
    half = n // 2

    def targets(i):
        if i == 0:
            return [1, *range(half, n)]
        if i + 1 < half:
            return [i + 1]
        return range(half, n) if i + 1 == half else []
    return n, targets


def ladder(n):
    """A chain, in which each node also refers to a node near the root: long paths are shortened again and again."""
    return n, lambda i: [i + 1, i.bit_length()] if i + 1 < n else [1]


def comb(n):
    """A chain with a leaf at each node: half the nodes are deep, and each of them dominates something."""
    def targets(i):
        return [target for target in (i + 1, i + 2) if target < n] if i % 2 == 0 else []
    return n, targets


SHAPES = {"chain": chain, "chain-up": chain_up, "fan": fan, "hub": hub, "diamonds": diamonds,
          "late-edges": late_edges, "ladder": ladder, "comb": comb, "complete": complete}
