// Strings, unpaired surrogates, sparse arrays and numbers. The global object `keep` holds whatever must be in the
// snapshot.

//// strings of every kind
keep.strings = ['', 'a', 'plain', 'two\nlines\r\n\t', '"quoted" \\ / \b\f\v\0\x01\x1f\x7f',
  '\u0080\u00e4\u00ff', '\u20ac\u4e2d\u6587',
  '\ud83d\ude00 pair', '\u2028\u2029\ufeff\ufffe\uffff', '</script><!--', '(root)', '<dummy>', '%s %d {0} ${x}'];
keep.concatenated = '';
for (var i = 0; i < 300; i++) keep.concatenated += 'piece ' + i + ' ';
keep.pair = keep.concatenated + keep.concatenated;
keep.sliced = ('a long text of which only one part is needed ' + i).slice(7, 30);
keep.slicedWide = ('\u4e2d\u6587 a long text with wide characters ' + i).substring(1, 25);
keep.long = new Array(2000).join('long ');
keep.wide = new Array(1500).join('\u00e9\u20ac');
keep.object = Object('wrapped');

//// unpaired surrogates
keep.surrogates = ['\ud800', '\udfff', 'high \ud83d', '\ude00 low', '\ude00\ud83d reversed', '\ud800\ud800\udc00 three',
  '\\ud800 escaped', 'end \udbff'];
keep['name \ud83d'] = {'\udc00': 1, 'x\ud800\u0000': 2};
keep.cutPair = 'many \ud83d\ude00\ud83d\ude00\ud83d\ude00'.slice(0, 8) + 'rest';

//// sparse arrays and large indices
keep.sparse = [];
keep.sparse[0] = {first: true};
keep.sparse[5000] = {middle: true};
keep.sparse[2147483647] = {signed: false};
keep.sparse[2147483648] = {signed: true};
keep.sparse[4294967294] = {last: true};
keep.holes = [, 1, , {two: 2}, ,];
keep.sealed = Object.freeze([{}, 'text', 1.5]);
keep.typed = {'-1': {}, 4294967294: {}, 4294967296: {}, '01': {}, '1e3': {}};

//// numbers
keep.numbers = [0, -0, 1, -1, 1.5, 1 / 3, NaN, Infinity, -Infinity, 1e300, 5e-324, 2147483648, 9007199254740993];
keep.doubles = [];
for (var i = 0; i < 400; i++) keep.doubles.push(i / 7);
keep.boxed = [Object(1), Object(true), new Date(0), new Date(NaN)];

//// a script with positions that V8 stores as signed numbers
keep.scripts = [-5, 2147483000, -2147483647].map(function (offset) {
  var options = {filename: 'offset' + offset + '.js', lineOffset: offset, columnOffset: offset};
  var source = '(function () {\n\n  return function inner() { return {}; };\n})()';
  return new (require('vm').Script)(source, options).runInThisContext();
});
keep.called = keep.scripts.map(function (inner) { return [inner, inner()]; });

//// templates
keep.tag = (function () { return arguments; })`first ${1} \u0000 second ${2}`;
keep.template = `several
lines ${keep.strings.length}`;

//// internationalisation
keep.intl = [new Intl.NumberFormat('en'), new Intl.DateTimeFormat('en'), new Intl.Collator('de')];
keep.formatted = keep.intl[0].format(1234567.891) + keep.intl[1].format(new Date(0));
