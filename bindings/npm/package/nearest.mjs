// Lists words, and finds the one that a misspelt word was probably meant to be, in the same way as the program.

/** `a, b and c`, where `last` is `and`. */
export const joinWords = (words, last) =>
    words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** The number of edits that turn one word into the other, where swapping two letters is one edit. */
function countEdits(a, b) {
  const rows = [Array.from({length: b.length + 1}, (_, j) => j)];
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

/** How far the word is from what was typed: the edits, whether the first letter is wrong, and the sum of the
 * differences between letters. If only the start of the word was typed, the rest counts as one edit. */
function measure(typed, word) {
  const edits = typed.length >= 3 && typed.length < word.length && word.startsWith(typed) ? 1 : countEdits(typed, word);
  let difference = 0;
  for (let i = 0; i < Math.min(typed.length, word.length); ++i)
    difference += Math.abs(typed.charCodeAt(i) - word.charCodeAt(i));
  return {word, edits, rank: [edits, typed[0] === word[0] ? 0 : 1, difference]};
}

/** The most similar word; empty if no word is similar enough. */
export function findNearest(typed, words) {
  const most = Math.min(3, Math.max(1, Math.floor(typed.length / 3)));
  const near = words.map((word) => measure(typed, word))
                   .filter(({word, edits}) => edits <= most && edits < Math.max(typed.length, word.length));
  near.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2]);
  return near.length ? near[0].word : '';
}

/** `; did you mean WORD`, or nothing if no word is similar enough. */
export function suggest(typed, words, prefix = '') {
  const nearest = findNearest(typed, words);
  return nearest && `; did you mean ${prefix}${nearest}`;
}
