"""Finds the retained sizes in a graph of dump_readers.py, for independent.py. Written from spec/analysis.md.

Dominators are found with the algorithm of Cooper, Harvey and Kennedy (A Simple, Fast Dominance Algorithm, 2001), which
is not the one that heapcheck uses.
"""
import re

EPHEMERON = re.compile(r"\d+ / part of key \(.* @\d+\) -> value \(.* @\d+\) pair in WeakMap \(table @(\d+)\)",
                       re.DOTALL | re.ASCII)
SEVERAL = -1


def kind_of(graph, node):
    return graph.kinds[graph.kind[node]][0]


def edge_kind_of(graph, edge):
    return graph.edge_types[graph.edge_type[edge]]


def is_documents(graph, node):
    return kind_of(graph, node) == "synthetic" and graph.name_of(node) == "(Document DOM trees)"


def find_reached(graph, starts, follows=None, without=None):
    """A byte for each node: 1 if it can be reached by edges that follows(node, edge) accepts, by default all edges.
    `without` is left out."""
    reached, waiting = bytearray(len(graph.kind)), [start for start in starts if start != without]
    for start in waiting:
        reached[start] = 1
    while waiting:
        node = waiting.pop()
        for edge in graph.edges_of(node):
            target = graph.target[edge]
            if not reached[target] and target != without and (follows is None or follows(node, edge)):
                reached[target] = 1
                waiting.append(target)
    return reached


def find_page_nodes(graph):
    """The nodes that a page or program owns."""
    starts = {graph.target[edge] for edge in graph.edges_of(0) if edge_kind_of(graph, edge) == "shortcut"
              or edge_kind_of(graph, edge) == "element" and is_documents(graph, graph.target[edge])}
    return find_reached(graph, starts, lambda _, edge: not graph.is_weak[edge])


def make_retaining(graph):
    """A function that returns whether an edge of a node retains its target."""
    if not graph.is_v8:
        return lambda _, edge: True
    is_page = find_page_nodes(graph)

    def is_from_table(node, edge):
        match = EPHEMERON.fullmatch(graph.label_of(edge))
        return match is not None and int(match[1]) == graph.id[node]

    def retains(node, edge):
        target, kind = graph.target[edge], edge_kind_of(graph, edge)
        if graph.is_weak[edge] or target == node or kind == "internal" and is_from_table(node, edge):
            return False
        return node == 0 or kind != "shortcut" and bool(is_page[node] or not is_page[target])

    return retains


def find_owners(graph):
    """The node that owns each node, which is the node itself unless it can be owned; SEVERAL, or None."""
    owners = [None if kind_of(graph, i) in ("array", "hidden")
              or kind_of(graph, i) == "native" and graph.name_of(i) == "system / ExternalStringData" else i
              for i in range(len(graph.kind))]
    waiting = [node for node, owner in enumerate(owners) if owner is not None]
    fixed = set(waiting)
    while waiting:
        node = waiting.pop()
        for edge in graph.edges_of(node):
            target = graph.target[edge]
            if graph.is_weak[edge] or target in fixed or owners[target] in (SEVERAL, owners[node]):
                continue
            owners[target] = owners[node] if owners[target] is None else SEVERAL
            waiting.append(target)
    return owners


def find_counted_sizes(graph):
    sizes = list(graph.size)
    has_user_roots = any(kind_of(graph, graph.target[edge]) != "synthetic" or is_documents(graph, graph.target[edge])
                         for edge in graph.edges_of(0))
    if not graph.is_v8 or not has_user_roots:
        return sizes
    for node, owner in enumerate(find_owners(graph)):
        if owner not in (None, SEVERAL, node, 0) and kind_of(graph, owner) != "synthetic":
            sizes[owner] += sizes[node]
            sizes[node] = 0
    return sizes


def find_successors(graph):
    """The nodes that each node retains. In V8's snapshots, the root also retains nodes that nothing else retains."""
    retains = make_retaining(graph)
    successors = [[graph.target[edge] for edge in graph.edges_of(node) if retains(node, edge)]
                  for node in range(len(graph.kind))]
    if graph.is_v8:
        held = bytearray(len(successors))
        for targets in successors:
            for target in targets:
                held[target] = 1
        successors[0] += [node for node in range(1, len(successors)) if not held[node]]
    return successors


def order_nodes(successors):
    """The nodes that can be reached from node 0, each after all its dominators (reverse postorder)."""
    order, seen, stack = [], bytearray(len(successors)), [(0, iter(successors[0]))]
    seen[0] = 1
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if not seen[target]:
                seen[target] = 1
                stack.append((target, iter(successors[target])))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    return order


def find_dominators(successors, order):
    """The immediate dominator of each node; the root's is the root itself. None for nodes that are not in `order`."""
    place = [0] * len(successors)
    predecessors = [[] for _ in successors]
    for i, node in enumerate(order):
        place[node] = i
        for target in successors[node]:
            predecessors[target].append(node)
    dominators = [None] * len(successors)
    dominators[0] = 0
    is_changed = True
    while is_changed:
        is_changed = False
        for node in order[1:]:
            found = None
            for other in predecessors[node]:
                if dominators[other] is None:
                    continue
                found = other if found is None else found
                while found != other:
                    if place[found] > place[other]:
                        found = dominators[found]
                    else:
                        other = dominators[other]
            if dominators[node] != found:
                dominators[node] = found
                is_changed = True
    return dominators


class Retention:
    """The retained size of each node and the dominator tree."""

    def __init__(self, graph):
        successors = find_successors(graph)
        order = order_nodes(successors)
        dominators = find_dominators(successors, order)
        sizes = find_counted_sizes(graph)
        self.retained = [0 if dominator is None else size for size, dominator in zip(sizes, dominators)]
        self.dominated = [[] for _ in sizes]
        for node in reversed(order[1:]):
            self.retained[dominators[node]] += self.retained[node]
            self.dominated[dominators[node]].append(node)
        if graph.is_v8:
            for node in (node for node, dominator in enumerate(dominators) if dominator is None):
                self.retained[node] = sizes[node]
                self.retained[0] += sizes[node]
                self.dominated[0].append(node)

    def add_up(self, row_of):
        """The memory that the nodes of each row retain together, except nodes that another one dominates."""
        totals, open_rows, waiting = {}, {}, [0]
        while waiting:
            node = waiting.pop()
            is_end = node < 0
            row = row_of[~node if is_end else node]
            open_rows[row] = open_rows.get(row, 0) + (-1 if is_end else 1)
            if is_end:
                continue
            if open_rows[row] == 1:
                totals[row] = totals.get(row, 0) + self.retained[node]
            waiting.append(~node)
            waiting += self.dominated[node]
        return totals
