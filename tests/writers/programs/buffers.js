// Buffers, typed arrays, WebAssembly and objects of the program that contains the engine. The global object `keep`
// holds whatever must be in the snapshot.

//// buffers and views
keep.buffers = [new ArrayBuffer(0), new ArrayBuffer(100000), new ArrayBuffer(64)];
keep.arrays = [new Uint8Array(keep.buffers[2]), new Float64Array(keep.buffers[2], 8, 4),
  new DataView(keep.buffers[1], 7), new Uint8ClampedArray(10), new Int32Array([1, 2, 3]), new Uint16Array(70000)];
keep.arrays[0].extra = {property: 'of a typed array'};

//// shared and resizable buffers
keep.shared = new SharedArrayBuffer(4096);
keep.sharedView = new Int32Array(keep.shared);
keep.resizable = new ArrayBuffer(16, {maxByteLength: 1024});
keep.tracking = new Uint8Array(keep.resizable);
keep.transferred = new ArrayBuffer(128).transfer ? new ArrayBuffer(128).transfer(64) : null;

//// buffers of Node.js
keep.nodeBuffers = [Buffer.from('text'), Buffer.alloc(20000), Buffer.from('slice of a pool').slice(3, 6)];

//// text encoding and URLs
keep.encoded = new TextEncoder().encode('encoded \u20ac');
keep.url = new URL('https://example.org/path?query=1#part');
keep.search = keep.url.searchParams;

//// WebAssembly
keep.wasmBytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 9, 2, 96, 1, 127, 1, 127, 96, 0, 0, 3, 2, 1, 0, 4, 4,
  1, 112, 0, 2, 5, 3, 1, 0, 1, 6, 6, 1, 127, 1, 65, 42, 11, 7, 17, 4, 1, 102, 0, 0, 1, 109, 2, 0, 1, 116, 1, 0, 1, 103,
  3, 0, 9, 7, 1, 0, 65, 0, 11, 1, 0, 10, 9, 1, 7, 0, 32, 0, 65, 1, 106, 11]);
keep.wasmModule = new WebAssembly.Module(keep.wasmBytes);
keep.wasmInstances = [new WebAssembly.Instance(keep.wasmModule), new WebAssembly.Instance(keep.wasmModule)];
keep.wasmResult = keep.wasmInstances[0].exports.f(41);
keep.wasmMemory = new WebAssembly.Memory({initial: 2, maximum: 4});
keep.wasmTable = new WebAssembly.Table({initial: 3, element: 'anyfunc'});
keep.wasmTable.set(1, keep.wasmInstances[1].exports.f);

//// elements of a page
keep.element = document.createElement('div');
keep.element.innerHTML = '<p id="one">text</p><ul><li>item</li></ul><svg><path d="M0 0"/></svg>';
keep.element.addEventListener('click', function () { return keep.element; });
document.documentElement.appendChild(keep.element);
keep.detached = [];
for (var i = 0; i < 20; i++) keep.detached.push(document.createElement('span'));
keep.fragment = document.createDocumentFragment();

//// another context
keep.context = require('vm').createContext({inside: {value: 1}, global: keep});
keep.fromContext = require('vm').runInContext('[function other() { return inside; }, {made: "inside"}, class Inner {}]',
  keep.context);

//// a frame of a page
keep.frame = document.createElement('iframe');
keep.frame.srcdoc = '<script>globalThis.kept = [{}, {}, function f() {}];</script>';
document.documentElement.appendChild(keep.frame);

//// a socket, a server and a file
keep.server = require('net').createServer(function () {});
keep.stream = new (require('stream').Transform)({transform: function (chunk, encoding, done) { done(null, chunk); }});
keep.stream.write('waiting');
keep.hash = require('crypto').createHash('sha256').update('text');
