// A long list of which only 50 rows are on the page. Rows that leave it wait in a pool until they are used again.
'use strict';

class RowPool {
  constructor() {
    this.free = [];
  }

  take() {
    const row = this.free.pop() ?? document.createElement('li');
    row.innerHTML = '<b></b> <span></span> <time></time>';
    return row;
  }

  give(row) {
    row.remove();
    if (this.free.length < 50) this.free.push(row);
  }
}

const pool = new RowPool();
function scrollList(position) {
  const list = document.getElementById('list');
  for (const row of [...list.children].slice(0, 10)) pool.give(row);
  while (list.children.length < 50) {
    const row = pool.take();
    row.children[0].textContent = `Sender ${position % 90}`;
    row.children[1].textContent = `Message ${position}`;
    row.children[2].textContent = new Date(position * 60000).toISOString();
    row.style.width = `${300 + row.textContent.length}px`;
    list.append(row);
  }
}
