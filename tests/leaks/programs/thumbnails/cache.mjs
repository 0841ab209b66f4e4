// Keeps thumbnails only as long as somebody uses them. But the function that the registry holds for each of them holds
// the thumbnail itself, so none is ever collected.
export class Thumbnail {
  constructor(name, width) {
    this.name = name;
    this.width = width;
    this.pixels = Array.from({length: 40}, (_, i) => i * width + 0.25);
    this.palette = {background: '#fff', foreground: `#${width.toString(16)}`};
  }
}

export class ThumbnailCache {
  #byName = new Map();
  #finalizers = new FinalizationRegistry(forget => forget());

  get(name) {
    const known = this.#byName.get(name)?.deref();
    if (known) return known;
    const made = new Thumbnail(name, 64 + name.length);
    this.#byName.set(name, new WeakRef(made));
    this.#finalizers.register(made, () => this.#byName.delete(made.name));
    return made;
  }
}
