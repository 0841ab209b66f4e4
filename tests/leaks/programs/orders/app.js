'use strict';
const table = new OrderTable(document.getElementById('rows'));
let page = 0;

function loadOrders(page) {
  return Array.from({length: 20}, (_, i) => {
    const number = page * 20 + i;
    return {number, customer: customers[number % customers.length], total: number * 1.19};
  });
}

document.getElementById('next').addEventListener('click', () => table.show(loadOrders(page++)));
document.getElementById('undo').addEventListener('click', () => table.undo());
table.show(loadOrders(page++));
