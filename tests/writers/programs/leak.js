// Timers, promises, asynchronous functions and a leak. The global object `keep` holds whatever must be in the snapshot.

//// a leak
function Session(number) {
  this.number = number;
  this.data = {text: 'session ' + number, tags: [number, number + 1]};
}
keep.sessions = [];
keep.cache = {};
function open(count) {
  for (var i = 0; i < count; i++) {
    keep.sessions.push(new Session(i));
    keep.cache['session ' + i] = keep.sessions[keep.sessions.length - 1];
  }
}
open(3000);
keep.list = null;
for (var i = 0; i < 2000; i++) keep.list = {next: keep.list};
keep.cycle = {};
keep.cycle.self = keep.cycle;

//// functions that were called often
function hot(a, b) { return a + b; }
keep.sum = 0;
for (var i = 0; i < 200000; i++) keep.sum = hot(keep.sum, i) % 1000;
keep.sorted = keep.sessions.slice(0, 500).sort(function (one, other) { return other.number - one.number; });
keep.parsed = JSON.parse(JSON.stringify(keep.sessions.slice(0, 200)));

//// timers
keep.timers = [setTimeout(function () { keep.fired = {timer: true}; }, 1),
  setTimeout(function () { return keep; }, 1e8)];
keep.interval = setInterval(function () { keep.ticks = (keep.ticks || 0) + 1; }, 10);
if (keep.timers[1].unref) keep.timers[1].unref();
if (keep.interval.unref) keep.interval.unref();

//// promises
keep.promises = [Promise.resolve({resolved: true}), new Promise(function () {}), Promise.reject(new Error('rejected'))];
keep.promises[2].catch(function (error) { keep.caught = error; });
keep.chained = keep.promises[1].then(function (value) { return [value, keep]; });
keep.all = Promise.all(keep.promises.slice(0, 2));

//// asynchronous functions
keep.suspended = (function () {
  async function wait(value) { const local = {value}; await keep.promises[1]; return local; }
  return [wait(1), wait({two: 2}), (async () => { await wait(3); })()];
})();

//// asynchronous generators
keep.asyncGenerator = (function () {
  async function* produce() { for (let i = 0; ; i++) yield {i}; }
  const generator = produce();
  generator.next().then(function (first) { keep.first = first; });
  return generator;
})();

//// asynchronous storage
keep.storage = new (require('async_hooks').AsyncLocalStorage)();
keep.storage.run({request: 1}, function () { setTimeout(function () { keep.stored = keep.storage.getStore(); }, 1); });

//// events and aborted operations
keep.controller = new AbortController();
keep.controller.signal.addEventListener('abort', function () { return keep.sessions; });
keep.channel = new MessageChannel();
keep.events = new EventTarget();
keep.events.addEventListener('event', {handleEvent: function () {}});
