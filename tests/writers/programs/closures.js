// Closures and classes. The global object `keep` holds whatever must be in the snapshot.

//// closures that share a context
function makeCounter(start) {
  var count = start;
  var unused = 'captured ' + start;
  return {
    up: function () { return ++count; },
    down: function () { return --count; },
    describe: function describe() { return unused + count; }
  };
}
keep.counters = [];
for (var i = 0; i < 200; i++) keep.counters.push(makeCounter(i));
keep.nested = (function () {
  var a = [1];
  return function () { var b = [a]; return function () { return [a, b]; }; };
})()();

//// constructors, prototypes and accessors
function Shape(sides) { this.sides = sides; }
Shape.prototype.describe = function () { return 'has ' + this.sides + ' sides'; };
function Square() { Shape.call(this, 4); }
Square.prototype = Object.create(Shape.prototype, {constructor: {value: Square}});
keep.shapes = [new Shape(3), new Square(), Object.create(null)];
Object.defineProperty(keep.shapes[0], 'area', {get: function () { return 12; }, set: function () {}, enumerable: true});
keep.frozen = Object.freeze({point: Object.seal({x: 1.5, y: -0})});
keep.bound = Shape.prototype.describe.bind(keep.shapes[0], 1, 'two');
keep.holder = {toString: function () { return 'holder'; }, '': 'no name', __proto__: null, 'a"b\\c\n': 1};

//// arguments, exceptions and regular expressions
keep.passed = (function () { return arguments; })(1, 'two', {three: 3});
try { null.property; } catch (error) { keep.error = error; }
keep.patterns = [/a+b/g, /[\u2028"\\]/i, new RegExp('(x)(y)?')];
keep.patterns[0].exec('aaab');

//// classes
keep.classes = (function () {
  class Base {
    constructor(name) { this.name = name; }
    static create(name) { return new this(name); }
    get length() { return this.name.length; }
  }
  class Derived extends Base {
    constructor(name) { super(name + '!'); this.method = () => super.length; }
  }
  return {Base, Derived, list: [Base.create('base'), Derived.create('derived'), new (class extends Array {})(3)]};
})();

//// generators and iterators
keep.generators = (function () {
  function* walk(items) { for (const item of items) yield [item]; }
  const started = walk([{}, {}, {}]);
  started.next();
  return [started, walk([]), [1, 2, 3][Symbol.iterator](), 'text'[Symbol.iterator]()];
})();

//// proxies and reflection
keep.proxy = new Proxy({target: true}, {get: function (target, name) { return target[name]; }});
keep.revoked = Proxy.revocable({}, {});
keep.revoked.revoke();

//// private members and static blocks
keep.private = (() => {
  class Account {
    #balance = {amount: 10};
    static #count = 0;
    static { Account.label = 'label ' + Account.#count; }
    #check() { return this.#balance; }
    check = () => this.#check();
  }
  return [new Account(), new Account(), Account];
})();
