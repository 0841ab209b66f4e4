'use strict';

class OrderTable {
  constructor(body) {
    this.body = body;
    this.removed = [];
  }

  // Replaces the rows. The old ones are kept, so that a person can undo the last step; but all steps are kept.
  show(orders) {
    while (this.body.firstChild) this.removed.push(this.body.removeChild(this.body.firstChild));
    for (const order of orders) this.body.append(this.makeRow(order));
  }

  makeRow({number, customer, total}) {
    const row = document.createElement('tr');
    for (const text of [number, customer.name, customer.city, total.toFixed(2)]) {
      const cell = document.createElement('td');
      cell.textContent = text;
      row.append(cell);
    }
    row.dataset.number = number;
    return row;
  }

  undo() {
    const row = this.removed.pop();
    if (row) this.body.append(row);
  }
}
