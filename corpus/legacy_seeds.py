"""Small traces with legacy heap dumps: the example of the format's authors, and forms that Chrome 64 did not write."""

FRAMES = '"0":{"name":"BrMain"},"1":{"name":"Init","parent":"0"},"2":{"name":"MsgLp","parent":"0"},"3":{"name":"<self>","parent":"0"}'
TYPES = '"0":"T","1":"[unknown]"'


def event(phase, name, args, more=""):
    return f'{{"pid":7,"tid":7,"ts":5,"ph":"{phase}","cat":"x","name":"{name}","args":{args}{more}}}'


def frames(members):
    return event("M", "stackFrames", f'{{"stackFrames":{{{members}}}}}')


def types(members):
    return event("M", "typeNames", f'{{"typeNames":{{{members}}}}}')


def dump(entries, dump_id="0x1"):
    heaps = f'{{"dumps":{{"heaps":{{"malloc":{{"entries":[{entries}]}}}},"level_of_detail":"detailed"}}}}'
    return event("v", "periodic_interval", heaps, f',"id":"{dump_id}"')


def trace(*events):
    return ('{"traceEvents":[' + ",\n".join(events) + "]}\n").encode()


def entry(size, stack=None, kind=None, count=None):
    members = [("size", f"{size:x}"), ("count", None if count is None else f"{count:x}"), ("bt", stack), ("type", kind)]
    return "{" + ",".join(f'"{name}":"{value}"' for name, value in members if value is not None) + "}"


def seeds():
    whole = ",".join([entry(100, "", None, 9), entry(60, "", "0", 5), entry(40, "", "1", 4),
                      entry(90, "0", None, 8), entry(60, "0", "0", 5), entry(30, "0", "1", 3),
                      entry(50, "1", None, 4), entry(50, "1", "0", 4),
                      entry(20, "2", None, 2), entry(20, "2", "1", 2),
                      entry(15, "3", None, 1), entry(10, "3", "0", 1), entry(5, "3", "1", 0)])
    old = ",".join([entry(100), entry(30, "0"), entry(50, "1"), entry(10, "2"), entry(4, "")])
    merged = ",".join([entry(100, ""), entry(100, "", "0#1"), entry(90, "0#17"), entry(70, "1#17")])
    nested = '"hierarchy":{"0":{"1":{"bt":"1"},"2":{"bt":"2"},"bt":"0"},"1":{"2":{"bt":"7"},"bt":"8"}},"names":["BrMain","Init","MsgLp"]'
    broken = ",".join([entry(100, "9"), entry(60, "", "0", 5), '{"size":"x","bt":"0"}', entry(70, "0", "0"),
                       entry(5, "1"), entry(5, "1"), "null", '{"bt":3,"type":"8"}'])
    return {
        "whole.json": trace(frames(FRAMES), types(TYPES), dump(whole), dump(whole, "0x2")),
        "old-variant.json": trace(frames(FRAMES), dump(old)),
        "merged-ids.json": trace(dump(merged), frames('"0#17":{"name":"a"},"1#17":{"name":"b","parent":"0#17"}'),
                                 types('"0#1":"int"')),
        "hierarchy.json": trace(frames(nested), types(TYPES), dump(",".join([entry(9, ""), entry(8, "0"), entry(1, "7"), entry(1, "8")]))),
        "broken.json": trace(frames('"0":{"name":"a","parent":"1"},"1":{"parent":"0"},"3":{"name":"c","parent":"4"}'),
                             types(TYPES), dump(broken), types(TYPES)),
        "cut.json": trace(types(TYPES), dump(whole), frames(FRAMES))[:900],
    }
