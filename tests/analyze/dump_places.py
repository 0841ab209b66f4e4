"""Finds the places of nodes in source code (spec/analysis.md#places), independently of heapcheck."""

CODE_TYPES = {"Code", "Block", "WhateverCode", "Routine", "Sub", "Method", "Submethod", "Regex", "Macro"}


def make_place(file, line, column):
    """The place as in an answer; `line` and `column` are counted from 1, and 0 means unknown."""
    if not file and not line:
        return None
    return {"file": file or None, "line": line or None, "column": column or None}


def find_places(graph):
    """For each node, its place or None."""
    return V8Places(graph).find() if graph.is_v8 else find_moar_places(graph)


def is_of_type(graph, node):
    """Whether the place tells the node's type apart from others with the same name."""
    name, group, _ = graph.kinds[graph.kind[node]]
    return name in ("object", "closure") if graph.is_v8 else group == "frames"


class V8Places:
    def __init__(self, graph):
        self.graph = graph
        needed = {"object_index", "script_id", "line", "column"}
        self.locations = [row for row in graph.locations or [] if row.keys() >= needed]

    def follow(self, node, *labels):
        for label in labels:
            for edge in self.graph.edges_of(node):
                if self.graph.has_name(edge) and self.graph.label_of(edge) == label:
                    return self.graph.target[edge]
        return None

    def kind_of(self, node):
        return self.graph.kinds[self.graph.kind[node]][0]

    def name_script(self, script):
        name = self.graph.name_of(script)
        if self.kind_of(script) == "code" and name and not name.startswith("system /"):
            return name
        text = self.follow(script, "name")
        return self.graph.name_of(text) if text is not None and self.kind_of(text) == "string" else ""

    def find_script(self, closure):
        shared = self.follow(closure, "shared")
        script = shared is not None and self.follow(shared, "script", "script_or_debug_info")
        if not script:
            return ""
        return self.name_script(self.follow(script, "script") or script)

    def find_names(self):
        """The names of scripts by their ids."""
        names = {}
        for function in self.graph.functions:
            if function.get("script_name"):
                names.setdefault(function["script_id"], self.graph.strings[function["script_name"]])
        for row in self.locations:
            node, script = row["object_index"], row["script_id"]
            if names.get(script):
                continue
            if row.get("script_object_index"):
                names[script] = self.name_script(row["script_object_index"])
            elif self.kind_of(node) == "closure":
                names[script] = self.find_script(node)
        return names

    def find(self):
        places = [None] * len(self.graph.kind)
        if self.graph.locations is None:
            for node, kind in enumerate(self.graph.kind):
                if self.graph.kinds[kind][0] == "closure":
                    places[node] = make_place(self.find_script(node), 0, 0)
            return places
        names = self.find_names()
        for row in reversed(self.locations):  # the first location of a node counts
            places[row["object_index"]] = make_place(names.get(row["script_id"], ""), row["line"] + 1,
                                                     row["column"] + 1)
        return places


def find_moar_places(graph):
    places = [None] * len(graph.kind)
    for node, frame in graph.frame_of.items():
        _, _, line, file = graph.frames[frame]
        if graph.strings[file] not in ("", "<null>"):
            places[node] = make_place(graph.strings[file], line if line < 2**32 else 0, 0)

    def is_object(node, *names):
        return graph.kinds[graph.kind[node]][1] == "objects" and graph.name_of(node) in names

    for node in [node for node in graph.frame_of if places[node]]:
        for edge in graph.edges_of(node):
            target = graph.target[edge]
            if graph.label_of(edge) in ("Static frame", "Code reference") and places[target] is None and \
                    graph.name_of(target) in {"BOOTStaticFrame", "BOOTCode"} | CODE_TYPES:
                places[target] = places[node]
    for names, target_name in ((("BOOTCode",), "BOOTStaticFrame"), (CODE_TYPES, "BOOTCode")):
        for node in range(len(places)):
            if places[node] is None and is_object(node, *names):
                targets = [graph.target[edge] for edge in graph.edges_of(node)
                           if is_object(graph.target[edge], target_name)]
                places[node] = places[targets[0]] if targets else None
    return places
