// A cache with a list in which the entry that was used last is the first.
class Entry {
  constructor(key, value) {
    this.key = key;
    this.value = value;
    this.before = this;
    this.after = this;
  }

  insertAfter(other) {
    this.before = other;
    this.after = other.after;
    other.after.before = this;
    other.after = this;
  }

  remove() {
    this.before.after = this.after;
    this.after.before = this.before;
  }
}

export class LruCache {
  #entries = new Map();
  #ends = new Entry();
  #most;

  constructor(most) {
    this.#most = most;
  }

  get(key) {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.remove();
    entry.insertAfter(this.#ends);
    return entry.value;
  }

  set(key, value) {
    const entry = new Entry(key, value);
    this.#entries.set(key, entry);
    entry.insertAfter(this.#ends);
    if (this.#entries.size <= this.#most) return;
    const last = this.#ends.before;
    last.remove();
    this.#entries.delete(last.key);
  }
}
