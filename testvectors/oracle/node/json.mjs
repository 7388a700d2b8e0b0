// A small strict JSON reader (RFC 8259) and writer.
//
// JSON.parse turns every number into a double, so `7.0`, `7e0`, `-0` and
// 18446744073709551615 lose their spelling, which decides whether a proof is
// usable (CGP §6.5.3). Here a number keeps its text. Objects become Maps, so no
// member name is special. Refused: duplicate member names (compared after
// unescaping), lone surrogates, a byte order mark, anything after the value.

export class JsonNumber {
  constructor(text) {
    this.text = text;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y; // what a string may hold unescaped
const SPACE = /[ \t\n\r]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const LITERALS = [['true', true], ['false', false], ['null', null]];

// parse reads the one JSON value of text; it throws a SyntaxError on anything else.
export function parse(text) {
  const reader = new Reader(text);
  reader.take(SPACE);
  const value = reader.value();
  reader.take(SPACE);
  if (reader.at !== text.length) reader.fail('text after the value');
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    throw new SyntaxError(`json: ${what} at ${this.at}`);
  }

  // take returns what the sticky pattern matches here, or null, and steps over it.
  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0];
  }

  takeChar(c) {
    if (this.text[this.at] !== c) return false;
    this.at++;
    return true;
  }

  value() {
    switch (this.text[this.at]) {
      case '{': return this.object();
      case '[': return this.array();
      case '"': return this.string();
    }
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = this.take(NUMBER);
    if (number === null) this.fail('no value');
    return new JsonNumber(number);
  }

  object() {
    const members = new Map();
    this.at++;
    this.take(SPACE);
    if (this.takeChar('}')) return members;
    for (;;) {
      if (this.text[this.at] !== '"') this.fail('no member name');
      const name = this.string();
      if (members.has(name)) this.fail('duplicate member name');
      this.take(SPACE);
      if (!this.takeChar(':')) this.fail('no colon');
      this.take(SPACE);
      members.set(name, this.value());
      this.take(SPACE);
      if (this.takeChar('}')) return members;
      if (!this.takeChar(',')) this.fail('no comma');
      this.take(SPACE);
    }
  }

  array() {
    const elements = [];
    this.at++;
    this.take(SPACE);
    if (this.takeChar(']')) return elements;
    for (;;) {
      elements.push(this.value());
      this.take(SPACE);
      if (this.takeChar(']')) return elements;
      if (!this.takeChar(',')) this.fail('no comma');
      this.take(SPACE);
    }
  }

  string() {
    this.at++;
    const parts = [];
    for (;;) {
      parts.push(this.take(PLAIN));
      if (this.takeChar('"')) break;
      if (!this.takeChar('\\')) this.fail('unterminated string or control character');
      const c = this.text[this.at++];
      if (c === 'u') {
        const hex = this.take(HEX4);
        if (hex === null) this.fail('bad \\u escape');
        parts.push(String.fromCharCode(parseInt(hex, 16)));
      } else if (c !== undefined && Object.hasOwn(ESCAPES, c)) {
        parts.push(ESCAPES[c]);
      } else {
        this.fail('bad escape');
      }
    }
    const value = parts.join('');
    if (!value.isWellFormed()) this.fail('lone surrogate');
    return value;
  }
}

// stringify writes plain objects, Maps, arrays, strings, booleans, null,
// numbers, bigints and JsonNumbers on one line; members that are undefined are left out.
export function stringify(value) {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    const members = entries.filter(([, v]) => v !== undefined).map(([k, v]) => `${JSON.stringify(k)}:${stringify(v)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}
