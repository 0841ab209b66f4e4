// Shows one view after the other. Each takes its elements, listeners and observers with it when it is closed.
'use strict';

class View {
  constructor(article) {
    this.article = article;
    this.listening = new AbortController();
    this.element = document.createElement('section');
    for (const comment of article.comments) {
      const row = document.createElement('p');
      row.textContent = comment;
      row.addEventListener('click', () => row.classList.toggle('open'), {signal: this.listening.signal});
      this.element.append(row);
    }
    window.addEventListener('resize', () => this.layOut(), {signal: this.listening.signal});
    this.observer = new ResizeObserver(() => this.layOut());
  }

  open(parent) {
    parent.append(this.element);
    this.observer.observe(this.element);
  }

  layOut() {
    this.width = this.element.offsetWidth;
  }

  close() {
    this.observer.disconnect();
    this.listening.abort();
    this.element.remove();
  }
}

let current;

function load(number) {
  return {number, title: `Article ${number}`, comments: Array.from({length: 30}, (_, i) => `${number}: comment ${i}`)};
}

function show(number) {
  current?.close();
  current = new View(load(number));
  current.open(document.getElementById('view'));
  current.layOut();
  history.replaceState({number}, '', `?article=${number}`);
}
