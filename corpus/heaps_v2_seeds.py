"""Small Chrome traces with `heaps_v2` objects, in the forms of several writers."""
import json


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def columns(rows, names=("nodes", "types", "counts", "sizes")):
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def names(rows):
    return [dict(zip(("id", "name_sid", "parent"), row)) for row in rows]


def strings(rows):
    return [{"id": key, "string": text} for key, text in rows]


def heaps(allocators, nodes, types, texts):
    return {"version": 1, "allocators": allocators,
            "maps": {"nodes": names(nodes), "types": names(types), "strings": strings(texts)}}


def event(value, pid, dump, ts, level="detailed"):
    return {"pid": pid, "tid": 1, "ts": ts, "ph": "v", "cat": "disabled-by-default-memory-infra",
            "name": "periodic_interval", "id": dump,
            "args": {"dumps": {"level_of_detail": level, "heaps_v2": value}}}


def trace(events):
    return ('{"traceEvents":[\n' + ",\n".join(compact(one) for one in events) + "]}").encode()


def in_process():
    """Each dump adds to the maps of earlier dumps of the process; 0 stands for no stack, type or name."""
    first = heaps({"malloc": columns([(2, 1, 3, 300), (3, 0, 1, 40), (0, 1, 2, 16)]), "blink_gc": columns([])},
                  [(1, 1), (2, 2, 1), (3, 3, 1)], [(0, 4), (1, 5)],
                  [(0, "[null]"), (1, "CrBrowserMain"), (2, "Init"), (3, "MessageLoop"), (4, "[unknown]"),
                   (5, "T\u00fc\"\\")])
    second = heaps({"malloc": columns([(2, 1, 4, 400), (4, 2, 7, 3000000000), (3, 0, 1, 40)])},
                   [(4, 6, 2)], [(2, 7)], [(6, "Late"), (7, "V")])
    third = {"version": 1, "allocators": {"malloc": columns([(4, 1, 1, 8), (1, 2, 1, 8)])}, "maps": {}}
    other = heaps({"malloc": columns([(1, 1, 1, 8)])}, [(1, 1)], [(1, 2)], [(1, "CrRendererMain"), (2, "int")])
    return trace([event(first, 10, "0x1", 1000), event(other, 20, "0x1", 1001), event(second, 10, "0x2", 2000),
                  event(third, 10, "0x3", 3000.5)])


def chrome_62():
    """Line feeds between rows, a row for each size, -1 for an empty stack, ids from 0 in every dump."""
    def one(size, top):
        return ('{\n"version": 1,\n"maps": {\n"strings":[{"id":0,"string":"[unknown]"},\n{"id":2,"string":"pc:7f01"},\n'
                '{"id":1,"string":"%s"}],\n"nodes":[{"id":0,"name_sid":1},\n{"id":1,"name_sid":2,"parent":0}],\n'
                '"types":[{"id":0,"name_sid":0}]},\n"allocators":{"malloc":{\n"counts":[3,\n2,\n1,\n1],\n'
                '"sizes":[16,\n%d,\n8,\n9],\n"types":[0,0,0,0],\n"nodes":[1,\n1,\n0,\n18446744073709551615]}}\n}'
                % (top, size))
    events = []
    for i, (size, top) in enumerate([(24, "pc:7f00"), (32, "pc:7e00")]):
        events.append('{ "pid":7,"ph":"v","name":"periodic_interval","ts": %d,"id": "%d","args":{"dumps":{\n'
                      '"level_of_detail": "detailed",\n"allocators": {"malloc": {"attrs": {"size": {"type": "scalar",'
                      '"units": "bytes","value": "1234"}}}},\n"heaps_v2": %s}}}' % (i + 1, i + 1, one(size, top)))
    return ('{ "traceEvents": [' + ",\n".join(events) + "]}\n").encode()


def other_tools():
    """Columns with other names, `parent_id`, row objects, names instead of ids."""
    renamed = heaps({"malloc": columns([(2, 0, 1, 8)], ("nodes", "types", "objects", "bytes"))},
                    [(1, 1)], [(0, 3)], [(1, "main"), (2, "f"), (3, "[unknown]")])
    renamed["maps"]["nodes"].append({"id": 2, "name_sid": 2, "parent_id": 1})
    rows = {"version": 1, "allocators": {"malloc": {"nodes": [{"node": 2, "type": 1, "count": 4, "size": 64},
                                                              {"node_id": 1, "bytes": 5}]}},
            "maps": {"nodes": [{"id": 1, "name": "main"}, {"id": 2, "name": "f", "parent": 1}],
                     "types": [{"id": 1, "name": "int"}]}}
    return trace([event(renamed, 1, "0x1", 1), event(rows, 2, "0x1", 2)])


def proposal():
    """The events of the first proposal: allocators next to the maps, which each event extends."""
    def profile(data, ts):
        return {"ph": "P", "name": "heap_profile", "cat": "disabled-by-default-memory-infra", "pid": 1, "tid": 1,
                "ts": ts, "id": "0x%d" % ts, "args": {"data": data}}
    first = {"malloc": columns([(1, 0, 2, 32)]),
             "maps": {"nodes": [{"id": 0, "name": "[Thread]"}, {"id": 1, "name": "a", "parent": 0}],
                      "types": [{"id": 0, "name": "int"}]}}
    second = {"malloc": columns([(2, 1, 2, 32), (1, 0, 1, 16)]), "blink_gc": columns([(0, 0, 1, 1)]),
              "maps": {"nodes": [{"id": 2, "name": "b", "parent": 1}], "types": [{"id": 1, "name": "T"}]}}
    return trace([profile(first, 1), profile(second, 2)])


def seeds():
    return {"in-process.json": in_process(), "chrome-62-style.json": chrome_62(),
            "other-tools.json": other_tools(), "proposal.json": proposal()}
