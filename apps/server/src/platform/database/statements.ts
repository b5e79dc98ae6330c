/** One statement of an SQL file and the line it starts on, counted from 1. */
export interface Statement {
  text: string;
  line: number;
}

/** Text in which a semicolon doesn't end a statement: strings, quoted names, dollar quotes, comments. The scan handles nested comments. */
const OPAQUE = /(?:\b[eE]'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$([A-Za-z_]\w*)?\$|--[^\n]*|\/\*|;|\bbegin\s+atomic\b)/gs;

function endOfComment(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('/*', at)) {
      depth++;
      at++;
    } else if (text.startsWith('*/', at)) {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/**
 * Splits an SQL file into its statements, so that each can be run separately and a failure reported with its line.
 * Function bodies must be quoted; `begin atomic` is refused, because finding its end takes a parser.
 */
export function statementsOf(file: string): Statement[] {
  const statements: Statement[] = [];
  let start = 0;
  const cut = (end: number): void => {
    let from = start;
    for (;;) {
      const skip = /^(?:\s+|--[^\n]*)/.exec(file.slice(from, end));
      if (skip) from += skip[0].length;
      else if (file.startsWith('/*', from) && from < end) from = endOfComment(file, from);
      else break;
    }
    const text = file.slice(from, end).trimEnd();
    if (text !== '') statements.push({ text, line: lineAt(file, from) });
  };
  OPAQUE.lastIndex = 0;
  for (let match = OPAQUE.exec(file); match; match = OPAQUE.exec(file)) {
    const [found] = match;
    if (found === ';') {
      cut(match.index);
      start = match.index + 1;
    } else if (found === '/*') {
      OPAQUE.lastIndex = endOfComment(file, match.index);
    } else if (found.startsWith('$')) {
      const close = file.indexOf(found, match.index + found.length);
      OPAQUE.lastIndex = close < 0 ? file.length : close + found.length;
    } else if (/^begin/i.test(found)) {
      throw new Error(`line ${lineAt(file, match.index)}: quote the body of a function; "begin atomic" is not understood here`);
    }
  }
  cut(file.length);
  return statements;
}
