import { longName } from './attributes.ts';
import { quote, type RpslProblem } from './problem.ts';

/** One attribute of an object. `raw` is used for printing, `value` for processing; `attribute()` and `withValue()` keep them consistent. */
export interface RpslAttribute {
  /** Lower case and long: `mnt-by` for `Mnt-By` and `*mb`. */
  readonly name: string;
  /** The name as it was written. */
  readonly written: string;
  /** Without comments, continuation lines joined by one blank, trimmed. */
  readonly value: string;
  /** Everything after the colon as written: continuation and comment lines and line ends included. */
  readonly raw: string;
  /** The comments of all its lines joined by one blank; null when there is none. */
  readonly comment: string | null;
  /** From 1 in the text it was read from; 0 for attributes made by program. */
  readonly line: number;
}

/** One RPSL object (RFC 2622 section 2). */
export interface RpslObject {
  /** Name of the first attribute. */
  readonly class: string;
  readonly attributes: readonly RpslAttribute[];
  /** Blank and comment lines above the first attribute, with their line ends. */
  readonly before?: string;
  /** Blank lines below the last attribute. */
  readonly after?: string;
}

export interface RpslReading {
  /** Null when the text has no attribute at all. With an error among the problems, it holds what could be read and must not be stored. */
  readonly object: RpslObject | null;
  readonly problems: RpslProblem[];
}

/** A stretch of a message between empty lines: an object with its pseudo lines (`password:`, `delete:` …), or text that is none. */
export interface RpslParagraph {
  readonly text: string;
  /** Line of its first character in the message, from 1. */
  readonly line: number;
}

/** The name of an attribute and the colon behind it, at the place searched from; longer names are none, and not searched for. */
export const attributeStart = /(\*?[A-Za-z0-9][A-Za-z0-9_-]{0,77}):/y;
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd\ud800-\udfff]|\r(?!\n|$)/u;

/**
 * Reads one object without losing a character: `printObject` of the answer is the text. Attribute names in any case, short names with a star,
 * continuation lines (blank, tab, plus), `#` comments, `%` lines of pasted answers, LF and CRLF. Never throws; time is linear in the text.
 */
export function parseObject(text: string): RpslReading {
  const reading = parseObjectInTurns(text);
  for (;;) {
    const turn = reading.next();
    if (turn.done) return turn.value;
  }
}

/** Lines read in one turn: below half a millisecond. */
const turnLines = 1_000;

/** The same, stopping after every thousand lines, where the caller may let others have their turn. */
export function* parseObjectInTurns(text: string): Generator<void, RpslReading, void> {
  const problems: RpslProblem[] = [];
  const attributes: RpslAttribute[] = [];
  const report = (code: string, line: number, message: string) =>
    problems.push({ severity: 'error', code, attribute: attributes.length > 0 ? attributes.length - 1 : null, line, message });

  let before = '';
  let at = 0;
  let line = 0;
  let open: { written: string; start: number; line: number } | null = null;
  let ended = -1;
  let endedLine = 0;
  let refusedLines = 0;
  const close = (end: number) => {
    if (open === null) return;
    attributes.push(readAttribute(open.written, text.slice(open.start, end), open.line));
    open = null;
  };

  while (at < text.length) {
    if (line++ % turnLines === turnLines - 1) yield;
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const first = text.charCodeAt(at);
    const isBlank = isBlankLine(text, at, next);
    if (!isBlank && ended >= 0) {
      report('empty-line', endedLine, 'An empty line ends an object. For an empty line inside a value, enter + alone on a line');
      ended = -1;
    }
    if (isBlank) {
      if (open !== null || attributes.length > 0) {
        if (ended < 0) {
          ended = at;
          endedLine = line;
        }
      } else before += text.slice(at, next);
    } else if (first === 35 || first === 37) {
      if (open === null) before += text.slice(at, next);
    } else if (first === 32 || first === 9 || first === 43) {
      if (open === null) {
        before += text.slice(at, next);
        report(
          'continuation-first',
          line,
          'The first line of an object starts with the name of an attribute and a colon, not with a blank or a plus',
        );
      }
    } else {
      attributeStart.lastIndex = at;
      const match = attributeStart.exec(text);
      if (match?.[1] !== undefined) {
        close(at);
        open = { written: match[1], start: at + match[0].length, line };
      } else {
        if (open === null) before += text.slice(at, next);
        // One page of noise has a problem on each of its lines: the first ones say it all.
        if (refusedLines++ < 20)
          report(
            'not-an-attribute',
            line,
            `“${quote(text.slice(at, next).trim())}” is not an attribute; a line starts with a name and a colon, or with a blank when it continues the value above`,
          );
      }
    }
    at = next;
  }
  const end = ended < 0 ? text.length : ended;
  close(end);
  const bad = forbidden.exec(text);
  if (bad) problems.push(forbiddenCharacter(text, bad, attributes));
  const head = attributes[0];
  if (head === undefined) return { object: null, problems };
  const after = text.slice(end);
  return { object: { class: head.name, attributes, ...(before === '' ? {} : { before }), ...(after === '' ? {} : { after }) }, problems };
}

/** The paragraphs of a message in their order. Blank lines between them are left out; lines of comments stay with the paragraph they touch. */
export function splitParagraphs(text: string): RpslParagraph[] {
  const paragraphs: RpslParagraph[] = [];
  let start = -1;
  let startLine = 0;
  let line = 0;
  let at = 0;
  while (at < text.length) {
    line++;
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    if (!isBlankLine(text, at, next)) {
      if (start < 0) {
        start = at;
        startLine = line;
      }
    } else if (start >= 0) {
      paragraphs.push({ text: text.slice(start, at), line: startLine });
      start = -1;
    }
    at = next;
  }
  if (start >= 0) paragraphs.push({ text: text.slice(start), line: startLine });
  return paragraphs;
}

/** The object's text as it was written. Attributes made by program end their line if they did not bring a line end. */
export function printObject(object: RpslObject): string {
  let text = object.before ?? '';
  const { attributes } = object;
  for (const [index, attribute] of attributes.entries()) {
    text += `${attribute.written}:${attribute.raw}`;
    const isLast = index === attributes.length - 1 && (object.after ?? '') === '';
    if (!isLast && !attribute.raw.endsWith('\n')) text += '\n';
  }
  return text + (object.after ?? '');
}

/** Fresh text of an object: long names, values from column 17, comments kept behind them, a line end after every line. */
export function formatObject(object: RpslObject): string {
  return object.attributes.map(formatAttribute).join('');
}

/** An object from names and values, as a form or a program makes one; `class` is the first name. */
export function objectOf(lines: readonly (readonly [name: string, value: string])[]): RpslObject {
  const attributes = lines.map(([name, value]) => attributeOf(name, value));
  return { class: attributes[0]?.name ?? '', attributes };
}

/** One attribute in fresh form. Line breaks of the value become continuation lines, so no value can smuggle in another attribute. */
export function attributeOf(name: string, value: string): RpslAttribute {
  const long = longName(name);
  const indent = ' '.repeat(valueColumn);
  const raw = value
    .split(/\r\n|\r|\n/)
    .map((part, index) => (index === 0 ? padding(long) + part.trim() : part.trim() === '' ? '+' : indent + part.trim()))
    .join('\n')
    .trimEnd();
  return readAttribute(long, `${raw}\n`, 0);
}

/** The attribute with another value; its comment stays. */
export function withValue(attribute: RpslAttribute, value: string): RpslAttribute {
  return { ...attributeOf(attribute.name, attribute.comment === null ? value : `${value} # ${attribute.comment}`), line: attribute.line };
}

/** The parts of a value that may be a list with commas: trimmed, without empty ones. */
export const listValues = (value: string): string[] => (value.includes(',') ? [...eachListValue(value)] : value === '' ? [] : [value]);

/** The same one by one: of a set's members a value may have tens of thousands. */
export function* eachListValue(value: string): Generator<string> {
  if (!value.includes(',')) {
    if (value !== '') yield value;
    return;
  }
  for (let at = 0; at <= value.length; ) {
    const comma = value.indexOf(',', at);
    const end = comma < 0 ? value.length : comma;
    const part = value.slice(at, end).trim();
    if (part !== '') yield part;
    at = end + 1;
  }
}

/** Values of every attribute of this name, in order. */
export function valuesOf(object: RpslObject, name: string): string[] {
  return object.attributes.filter(attribute => attribute.name === name).map(attribute => attribute.value);
}

/** Value of the first attribute of this name; undefined when there is none. */
export function valueOf(object: RpslObject, name: string): string | undefined {
  return object.attributes.find(attribute => attribute.name === name)?.value;
}

const valueColumn = 16;

function padding(name: string): string {
  return ' '.repeat(Math.max(1, valueColumn - name.length - 1));
}

function formatAttribute(attribute: RpslAttribute): string {
  // One line, as most are.
  const firstEnd = attribute.raw.indexOf('\n');
  if (firstEnd < 0 || firstEnd === attribute.raw.length - 1) {
    const text = attribute.raw.trim();
    return `${attribute.name}:${text === '' ? '' : padding(attribute.name) + text}\n`;
  }
  const lines = attribute.raw.replace(/\r?\n$/, '').split('\n');
  const printed = lines.map((line, index) => {
    if (index === 0) return `${attribute.name}:${line.trim() === '' ? '' : padding(attribute.name) + line.trim()}`;
    if (/^[#%]/.test(line)) return line.trimEnd();
    const text = (line.startsWith('+') ? line.slice(1) : line).trim();
    return text === '' ? '+' : ' '.repeat(valueColumn) + text;
  });
  return `${printed.join('\n')}\n`;
}

function readAttribute(written: string, raw: string, line: number): RpslAttribute {
  const firstEnd = raw.indexOf('\n');
  // One line, as most are.
  if (firstEnd < 0 || firstEnd === raw.length - 1) {
    const hash = raw.indexOf('#');
    const [value, comment] = hash < 0 ? [raw.trim(), null] : [raw.slice(0, hash).trim(), raw.slice(hash + 1).trim()];
    return { name: longName(written), written, value, raw, comment, line };
  }
  const values: string[] = [];
  const comments: string[] = [];
  for (const [index, part] of raw.split('\n').entries()) {
    if (index > 0 && /^[%#]/.test(part)) {
      comments.push(part.slice(1).trim());
      continue;
    }
    const text = index > 0 && part.startsWith('+') ? part.slice(1) : part;
    const hash = text.indexOf('#');
    const value = (hash < 0 ? text : text.slice(0, hash)).trim();
    if (value !== '') values.push(value);
    if (hash >= 0) comments.push(text.slice(hash + 1).trim());
  }
  return {
    name: longName(written),
    written,
    value: values.join(' '),
    raw,
    comment: comments.length === 0 ? null : comments.join(' '),
    line,
  };
}

function isBlankLine(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 9 && code !== 13 && code !== 10) return false;
  }
  return true;
}

function forbiddenCharacter(text: string, match: RegExpExecArray, attributes: readonly RpslAttribute[]): RpslProblem {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) line++;
  let attribute: number | null = null;
  for (const [index, one] of attributes.entries()) if (one.line <= line) attribute = index;
  const character = match[0];
  return character === '\ufffd' || character >= '\ud800'
    ? {
        severity: 'error',
        code: 'not-utf-8',
        attribute,
        line,
        message: `Line ${line} is not UTF-8; save the text in UTF-8 and send it again`,
      }
    : {
        severity: 'error',
        code: 'control-character',
        attribute,
        line,
        message: `Line ${line} holds a control character (code ${character.charCodeAt(0)}); an object can have text, blanks and tabs only`,
      };
}
