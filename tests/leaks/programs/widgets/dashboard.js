'use strict';
const content = document.getElementById('content');
let charts = [];

function openTab(tab) {
  for (const chart of charts) chart.remove();
  charts = ['today', 'week', 'month'].map(
    (span, i) => new Chart(`${tab} (${span})`, samples.slice(i * 20, i * 20 + 15)));
  for (const chart of charts) chart.render(content);
}

for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => openTab(button.dataset.tab));
openTab('sales');
