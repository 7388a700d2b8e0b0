// Rules about texts: content against its digest (CGP D1), instants (CGP F4),
// validity windows and line ranges (CGP F5, F17).

import { digestText, isDigest, sha256, utf8 } from './encoding.mjs';

// checkContent compares inline content with content_digest; null or undefined
// is absent, "" is present. The first that applies is the verdict.
export function checkContent(content, contentDigest) {
  if ((content ?? null) === null) return 'no_content';
  if ((contentDigest ?? null) === null) return 'no_digest';
  if (!isDigest(contentDigest)) return 'opaque_digest';
  return digestText(sha256(utf8(content))) === contentDigest ? 'match' : 'mismatch';
}

const INSTANT = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?Z$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year, month) {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : DAYS[month - 1];
}

// parseInstant reads YYYY-MM-DDTHH:MM:SS(.f+)?Z (CGP F4): a real date, hour ≤ 23,
// minute ≤ 59, second ≤ 60. It returns what compareInstants compares, or null.
export function parseInstant(text) {
  const match = typeof text === 'string' ? INSTANT.exec(text) : null;
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  return { numbers: [year, month, day, hour, minute, second], fraction: trimZeros(match[7] ?? '') };
}

// trimZeros drops trailing zeros. (A pattern like /0+$/ is quadratic in a long run of zeros.)
function trimZeros(digits) {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

// compareInstants returns a negative number, 0 or a positive one. Fractions
// without trailing zeros stand in the order of their texts.
export function compareInstants(a, b) {
  for (let i = 0; i < a.numbers.length; i++) {
    if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] - b.numbers[i];
  }
  if (a.fraction === b.fraction) return 0;
  return a.fraction < b.fraction ? -1 : 1;
}

// judgeInstant: is a well formed, or where does it stand relative to b?
export function judgeInstant(a, b) {
  const first = parseInstant(a);
  if (first === null) return 'malformed_instant';
  if ((b ?? null) === null) return 'well_formed';
  const second = parseInstant(b);
  if (second === null) return 'malformed_instant';
  const order = compareInstants(first, second);
  return order < 0 ? 'before' : order > 0 ? 'after' : 'equal';
}

// judgeWindow compares the instant of receipt with a key's window, both ends
// inclusive (PROTOCOL §5). The window itself is judged first; without one the
// instant is not looked at.
export function judgeWindow(notBefore, notAfter, at) {
  const hasStart = (notBefore ?? null) !== null;
  const hasEnd = (notAfter ?? null) !== null;
  if (!hasStart && !hasEnd) return 'in_service';
  const start = hasStart ? parseInstant(notBefore) : null;
  const end = hasEnd ? parseInstant(notAfter) : null;
  if ((hasStart && start === null) || (hasEnd && end === null)) return 'malformed_window';
  if (hasStart && hasEnd && compareInstants(start, end) > 0) return 'malformed_window';
  const instant = parseInstant(at);
  if (instant === null) return 'malformed_instant';
  if (hasStart && compareInstants(instant, start) < 0) return 'not_yet_valid';
  if (hasEnd && compareInstants(instant, end) > 0) return 'expired';
  return 'in_service';
}

// CGP F17: L n [- m], decimal, from 1, no sign, no leading zero.
const RANGE = /^L([1-9][0-9]*)(?:-([1-9][0-9]*))?$/;

// compareDecimals compares numbers of any size by their digits.
function compareDecimals(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

// lineEnds returns the offset after each line. Lines end with LF alone, which
// belongs to its line; a final LF opens no further line (CGP F17).
function lineEnds(file) {
  const ends = [];
  for (let start = 0; start < file.length; start = ends.at(-1)) {
    const lf = file.indexOf(0x0a, start);
    ends.push(lf < 0 ? file.length : lf + 1);
  }
  return ends;
}

// addressed returns {bytes} that the range addresses in the file (bytes), or
// {error}. An absent range (null or undefined) is the whole file.
export function addressed(range, file) {
  if ((range ?? null) === null) return { bytes: file };
  const match = typeof range === 'string' ? RANGE.exec(range) : null;
  if (match === null) return { error: 'unrecognised' };
  const first = match[1];
  const last = match[2] ?? first;
  if (compareDecimals(last, first) < 0) return { error: 'inverted' };
  const ends = lineEnds(file);
  const lines = String(ends.length);
  if (compareDecimals(first, lines) > 0) return { error: 'start_past_end' };
  const end = compareDecimals(last, lines) > 0 ? ends.length : Number(last); // an end past the last line clamps
  const start = Number(first) === 1 ? 0 : ends[Number(first) - 2];
  return { bytes: file.subarray(start, ends[end - 1]) };
}
