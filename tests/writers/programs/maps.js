// Maps, sets, weak collections, symbols and BigInts. The global object `keep` holds whatever must be in the snapshot.

//// objects as dictionaries
keep.dictionary = {};
for (var i = 0; i < 500; i++) keep.dictionary['key ' + i * 7919 % 500] = {value: i};
for (var i = 0; i < 500; i += 3) delete keep.dictionary['key ' + i];
keep.numbers = {1: 'one', 2000000000: 'many', '-1': 'negative', 1.5: 'half', 4294967295: 'no index'};

//// maps and sets
keep.map = new Map();
keep.set = new Set();
for (var i = 0; i < 300; i++) {
  keep.map.set(i % 2 ? 'key ' + i : {key: i}, [i]);
  keep.set.add(i * 1.5);
}
keep.map.set(keep.map, keep.set);
keep.map.delete('key 1');
keep.views = [keep.map.entries(), keep.set.values(), keep.map.keys()];

//// weak maps and weak sets
keep.weakKeys = [];
keep.weakMap = new WeakMap();
keep.weakSet = new WeakSet();
for (var i = 0; i < 100; i++) {
  var key = {weak: i};
  if (i % 2) keep.weakKeys.push(key);
  keep.weakMap.set(key, {value: i, again: key});
  keep.weakSet.add(key);
}
keep.chain = new WeakMap();
for (var i = 1; i < keep.weakKeys.length; i++) keep.chain.set(keep.weakKeys[i - 1], keep.weakKeys[i]);

//// symbols
keep.symbols = [Symbol('described'), Symbol(), Symbol.for('registered'), Symbol(''), Symbol('\ud800'), Symbol.iterator];
keep.named = {};
for (var i = 0; i < keep.symbols.length; i++) keep.named[keep.symbols[i]] = i;
keep.objectSymbol = Object(keep.symbols[0]);

//// big integers
keep.bigints = [BigInt(0), BigInt('-1'), BigInt('123456789012345678901234567890'), Object(BigInt(7))];
for (var i = 0; i < 50; i++) keep.bigints.push(BigInt(2) ** BigInt(i * 17));
keep.bigArrays = [new BigInt64Array(8), new BigUint64Array([BigInt(1), BigInt(2)])];

//// weak references and finalization
keep.refs = [new WeakRef(keep), new WeakRef({gone: true})];
keep.registry = new FinalizationRegistry(function () {});
keep.registry.register(keep.refs[0], {held: 'value'}, keep.refs[1]);
keep.registry.register({gone: true}, 'held');

//// symbols as weak keys, grouping
keep.weakMap.set(Symbol('weak key'), {value: 'of a symbol'});
keep.grouped = Map.groupBy([1, 2, 3, 4], function (number) { return number % 2 ? 'odd' : 'even'; });
