export function write(rows) {
  return JSON.stringify({rows, total: rows.reduce((sum, row) => sum + row.sold, 0)}, null, 2);
}
