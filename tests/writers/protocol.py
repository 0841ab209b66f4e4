"""Dumps the heap of a process over the DevTools protocol, which needs only a small part of WebSocket."""
import base64
import http.client
import json
import os
import socket
import struct
import time
import urllib.request

PATIENCE = 60  # seconds
COMMANDS = {"snapshot": (None, "takeHeapSnapshot", {}),
            "timeline": ("startTrackingHeapObjects", "stopTrackingHeapObjects", {"trackAllocations": True}),
            "profile": ("startSampling", "stopSampling", {"samplingInterval": 512})}


class NoAnswer(Exception):
    """The process refused a command, or closed the connection."""


class Connection:
    """A WebSocket. `chunks` collects the parts of a snapshot."""

    def __init__(self, url):
        address, _, path = url.removeprefix("ws://").partition("/")
        host, _, port = address.partition(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE)
        self.rest, self.number, self.chunks = b"", 0, []
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            self.receive()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise NoAnswer(head.decode(errors="replace"))

    def receive(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise NoAnswer("the connection was closed")
        self.rest += piece

    def take(self, count):
        while len(self.rest) < count:
            self.receive()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def read_message(self):
        """The next message, which may have several frames. Control frames are skipped."""
        message = b""
        while True:
            first, length = self.take(2)
            if length == 126:
                length, = struct.unpack(">H", self.take(2))
            elif length == 127:
                length, = struct.unpack(">Q", self.take(8))
            content = self.take(length)
            if first & 15 == 8:
                raise NoAnswer("the connection was closed")
            if first & 8:
                continue
            message += content
            if first & 128:
                return json.loads(message.decode("utf-8", "surrogatepass"))

    def write_message(self, message):
        data, mask = json.dumps(message).encode(), os.urandom(4)
        size = len(data)
        head = struct.pack(">BBH", 129, 254, size) if size < 1 << 16 else struct.pack(">BBQ", 129, 255, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i & 3] for i, byte in enumerate(data)))

    def send(self, method, **params):
        """Returns the result of the command."""
        self.number += 1
        self.write_message({"id": self.number, "method": method, "params": params})
        while True:
            answer = self.read_message()
            if answer.get("method") == "HeapProfiler.addHeapSnapshotChunk":
                self.chunks.append(answer["params"]["chunk"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise NoAnswer(f"{method}: {answer['error'].get('message')}")
                return answer.get("result", {})  # workerd answers some commands with the command

    def evaluate(self, source):
        """Returns the value of the source, and the message of the exception, one of which is None."""
        answer = self.send("Runtime.evaluate", expression=source, returnByValue=True)
        if "exceptionDetails" not in answer:
            return answer["result"].get("value"), None
        details = answer["exceptionDetails"]
        return None, details.get("exception", {}).get("description", details.get("text", "")).split("\n")[0]


def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return json.load(answer)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def connect(process, port, kind):
    """Connects to the first target of this type, such as `node` or `page`, as soon as the process has one."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            targets = [target for target in ask(port, "/json/list") if target.get("type") == kind]
            if targets:
                return Connection(targets[0]["webSocketDebuggerUrl"])
        except (OSError, ValueError, http.client.HTTPException):
            pass  # it does not listen yet
        time.sleep(0.1)
    raise NoAnswer("the process offers no connection")


def wait_for_require(connection):
    """Waits until the script that defines `require` has run, so that no piece is skipped for lack of it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            if connection.evaluate("typeof require")[0] == "function":
                return
        except NoAnswer:
            pass  # there is no context yet
        time.sleep(0.05)
    raise NoAnswer("the process defines no function require")


def run_pieces(connection, pieces):
    """Runs the pieces of a program. Returns the titles of those that the engine cannot run."""
    connection.evaluate("this.keep = {}; 0")
    skipped = []
    for piece in pieces:
        _, problem = connection.evaluate(f"(function () {{\n{piece.source}}})(); 0\n//# sourceURL={piece.name}.js")
        if problem is not None:
            skipped.append(piece.title)
    time.sleep(0.05)  # timers and promises run before the dump
    return skipped


def find_version(connection, port):
    """The version of V8, if the process tells it."""
    about = ask(port, "/json/version")
    if "V8-Version" in about:
        return about["V8-Version"]
    try:
        return connection.evaluate("process.versions.v8")[0]
    except NoAnswer:  # workerd evaluates nothing
        return None


def dump(connection, mode, run):
    """Calls `run`, and returns its result and the text of the file."""
    start, stop, options = COMMANDS[mode]
    connection.send("HeapProfiler.enable")
    if start:
        connection.send(f"HeapProfiler.{start}", **options)
    result = run()
    connection.chunks.clear()
    answer = connection.send(f"HeapProfiler.{stop}")
    if mode == "profile":
        return result, json.dumps(answer["profile"], separators=(",", ":"), ensure_ascii=False)
    return result, "".join(connection.chunks)
