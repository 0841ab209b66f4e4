const columns = ['article', 'sold', 'shop'];

export function write(rows) {
  return [columns, ...rows.map(row => columns.map(column => JSON.stringify(row[column])))].join('\n');
}
