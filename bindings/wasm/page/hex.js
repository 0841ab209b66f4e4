// The bytes around a place in a file.

const bytesBefore = 48;
const bytesAfter = 80;
const mostMarked = 64;

function hexNumber(number, digits = 1) { return number.toString(16).padStart(digits, '0'); }

/** What a byte is in ASCII, or a dot. */
function letterOf(byte) { return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '\u00b7'; }

/** Adds the texts of the bytes to an element; those from `from` to `to` are marked. */
function putBytes(line, found, from, to, show) {
  const text = (start, end) => Array.from(found.subarray(start, end), show).join('');
  put(line, text(0, from));
  if (from < to) put(line, el('mark', {}, text(from, to)));
  put(line, text(to, found.length));
}

/** Lines of bytes that start at `start`, in which the bytes of `span` are marked. */
function hexLines(found, start, span) {
  const perLine = window.matchMedia('(min-width: 700px)').matches ? 16 : 8;
  const picture = el('pre', {class: 'hex', tabindex: 0, role: 'region', 'aria-label': `Bytes at 0x${hexNumber(span.offset)}`});
  for (let at = 0; at < found.length; at += perLine) {
    const part = found.subarray(at, at + perLine);
    const inPart = place => Math.min(part.length, Math.max(0, place - start - at));
    const [from, to] = [inPart(span.offset), inPart(span.offset + span.length)];
    const line = el('span', {class: 'hex-line'}, el('span', {class: 'dim'}, hexNumber(start + at, 8) + '  '));
    putBytes(line, part, from, to, (byte, index) => hexNumber(byte, 2) + ' ');
    put(line, ' '.repeat(3 * (perLine - part.length) + 1));
    putBytes(line, part, from, to, letterOf);
    put(picture, line, '\n');
  }
  return picture;
}

/** The words under the bytes: which of them are marked. */
function hexCaption(span, end, isCompressed) {
  const what = span.offset >= end ? `The file ends at 0x${hexNumber(end)}` :
    span.length === 0 ? `Marked: the byte at 0x${hexNumber(span.offset)}` :
    `Marked: ${plural(span.length, 'byte')} at 0x${hexNumber(span.offset)}` +
      (span.length > mostMarked ? `, of which the first ${mostMarked} are shown` : '');
  return what + (isCompressed ? ', counted in the decompressed content.' : '.');
}

/** A picture of the place of a finding. `read(offset, count)` returns a promise of bytes. */
async function showPlace(location, isCompressed, read) {
  const start = Math.max(0, location.offset - location.offset % 16 - bytesBefore);
  const shown = Math.min(location.length, mostMarked);
  const found = await read(start, location.offset - start + shown + bytesAfter);
  const caption = hexCaption(location, start + found.length, isCompressed);
  return el('figure', {}, hexLines(found, start, {offset: location.offset, length: Math.max(1, shown)}),
    el('figcaption', {class: 'dim'}, caption));
}
