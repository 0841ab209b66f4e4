"""Finds which nodes of V8 heap snapshots are detached from their page, for independent.py.

Written from spec/analysis.md; shares no code with graph/.
"""
PREFIX = "Detached "
ATTACHED, DETACHED = 1, 2
LEFT_OUT = ("weak", "hidden", "invisible")


def find_states(graph, stated):
    """For each node 1, 2 or 0 if its state is unknown; None if all of them are. `stated` is the column of the file."""
    is_native = [graph.kinds[kind][0] == "native" for kind in graph.kind]
    if stated is None:
        states = [DETACHED if native and graph.name_of(node).startswith(PREFIX) else 0
                  for node, native in enumerate(is_native)]
        return states if any(states) else None
    states = [state if state in (ATTACHED, DETACHED) else 0 for state in stated]
    for state in (ATTACHED, DETACHED):
        waiting = [node for node, native in enumerate(is_native) if native and states[node] == state]
        for node in waiting:
            for edge in graph.edges_of(node):
                target = graph.target[edge]
                if graph.edge_types[graph.edge_type[edge]] not in LEFT_OUT and is_native[target] and not states[target]:
                    states[target] = state
                    waiting.append(target)
    return states if any(states) else None


def rename(graph):
    """Puts the prefix before the names of detached native nodes of a file that states which are."""
    graph.name, renamed = list(graph.name), {}
    for node, state in enumerate(graph.states or []):
        if state != DETACHED or graph.kinds[graph.kind[node]][0] != "native":
            continue
        name = graph.name[node]
        if name not in renamed:
            renamed[name] = len(graph.strings)
            graph.strings.append(PREFIX + graph.strings[name])
        graph.name[node] = renamed[name]
