export function write(rows) {
  return `<table>${rows.map(row => `<tr><td>${row.article}<td>${row.sold}<td>${row.shop}`).join('\n')}</table>`;
}
