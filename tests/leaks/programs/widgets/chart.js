'use strict';

class Chart {
  constructor(title, points) {
    this.title = title;
    this.points = points.map(({day, value}) => ({x: day, y: value, label: `${title}, day ${day}`}));
    this.width = innerWidth;
    window.addEventListener('resize', () => this.layout());
  }

  layout() {
    this.width = innerWidth;
  }

  render(parent) {
    this.element = document.createElement('figure');
    this.element.textContent = `${this.title}: ${this.points.length} points`;
    parent.append(this.element);
  }

  // Takes the chart off the page, but not its listener.
  remove() {
    this.element.remove();
    this.element = null;
  }
}
