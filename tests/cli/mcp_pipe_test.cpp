// Tests how the server of the Model Context Protocol reads and writes, with a client that is a script.
#include <cstddef>
#include <string>
#include <tuple>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// Starts the server with these arguments and runs a Python script in which `p` is its process. `setup` runs
/// before it in the shell. Returns what the script prints.
std::string run_client(const std::string& arguments, const std::string& script,
                       const std::string& setup = {}) {
  const std::string start =
      "import json, os, subprocess, sys, threading, time\n"
      "ends = [*os.pipe(), *os.pipe()]\n"
      "os.set_blocking(ends[0], False)\n"  // so that the server must wait until a pipe is ready
      "os.set_blocking(ends[3], False)\n"
      "p = subprocess.Popen(['" HEAPCHECK_PROGRAM
      "', 'mcp', *sys.argv[1:]], stdin=ends[0], stdout=ends[3])\n"
      "os.close(ends[0])\n"
      "os.close(ends[3])\n"
      "p.stdin, p.stdout = open(ends[1], 'wb'), open(ends[2], 'rb')\n"
      "def request(id, method, **params):\n"
      "  return json.dumps({'jsonrpc': '2.0', 'id': id, 'method': method, 'params': params}).encode() + "
      "b'\\n'\n"
      "def send(line):\n"
      "  p.stdin.write(line)\n"
      "  p.stdin.flush()\n"
      "def receive(): return json.loads(p.stdout.readline())\n";
  return run_shell(setup + "ulimit -c 0; python3 - " + arguments + " <<'END'\n" + start + script + "END\n")
      .out;
}

}  // namespace

TEST_CASE("the server fails if it cannot read standard input", "[program][mcp]") {
  const Outcome outcome = run("heapcheck mcp </ 2>&1");
  CHECK(outcome.status == 4);
  CHECK(outcome.out == "heapcheck: standard input cannot be read: Is a directory\n");
}

TEST_CASE("requests that wait take up little memory", "[program][mcp]") {
  // As the client does not read, the first answers fill the pipe, and all other requests must wait.
  CHECK(run_client("--max-memory 64M",
                   "def write():\n"
                   "  for i in range(20): send(request(i, 'tools/list'))\n"
                   "  for i in range(20, 320): send(request(i, 'tools/call', name=str(i) * 300000))\n"
                   "  p.stdin.close()\n"
                   "writer = threading.Thread(target=write)\n"
                   "writer.start()\n"
                   "writer.join(1)\n"
                   "print(writer.is_alive())\n"
                   "ids = [json.loads(line)['id'] for line in p.stdout]\n"
                   "print(ids == list(range(320)), p.wait())\n") == "True\nTrue 0\n");
}

TEST_CASE("a request can be cancelled, and pings are answered, during another one", "[program][mcp]") {
  const Scratch scratch;
  std::string dump = read(root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot");
  dump.insert(1, std::string(std::size_t{100} << 20, ' '));  // which takes a while to read
  std::ignore = scratch.file("slow", dump);
  const std::string open_slow = "request(1, 'tools/call', name='open', arguments={'path': 'slow'})";
  CHECK(run_client("--root " + scratch.path().string(),
                   "send(" + open_slow +
                       " + request('p', 'ping'))\n"
                       "print(receive()['id'], receive()['result'].get('isError'))\n") == "p None\n");
  CHECK(run_client(
            "--root " + scratch.path().string(),
            "cancel = {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 1}}\n"
            "send(" +
                open_slow +
                " + json.dumps(cancel).encode() + b'\\n')\n"
                "send(request(2, 'tools/call', name='list', arguments={}))\n"
                "answer = receive()\n"
                "print(answer['id'], answer['result']['structuredContent']['answer']['dumps'])\n") ==
        "2 []\n");
}

TEST_CASE("lines that are too long or have no end are answered", "[program][mcp]") {
  CHECK(run_client("",
                   "send(b'x' * 3000000 + b'\\n' + request(1, 'ping') + request(2, 'ping')[:-1])\n"
                   "p.stdin.close()\n"
                   "answers = [json.loads(line) for line in p.stdout]\n"
                   "print([a['id'] for a in answers], answers[0]['error']['message'], p.wait())\n") ==
        "[None, 1, 2] found a message of more than 1048576 bytes, expected at most 1048576 0\n");
}

TEST_CASE("in the sandbox, compressed dumps need no folder of temporary files", "[program][mcp]") {
  const Scratch scratch;
  fs::copy_file(root / "corpus/v8/whole/node-16.heapsnapshot.zst", scratch.path("dump.zst"));
  CHECK(run_client("--sandbox on --root " + scratch.path().string(),
                   "def call(name, **arguments):\n"
                   "  send(request(1, 'tools/call', name=name, arguments=arguments))\n"
                   "  print(receive()['result'].get('isError'))\n"
                   "call('open', path='dump.zst')\n"
                   "call('suspects', dump='d1')\n"
                   "call('report', dump='d1', output='page.html')\n",
                   "export TMPDIR=/nowhere; ") == "None\nNone\nNone\n");
  CHECK(scratch.file_count() == 2);
}
