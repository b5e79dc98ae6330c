import { type Piece, Reading, Unreadable } from './fragments.ts';
import { isInBuilder } from './places.ts';
import type { Scopes } from './scopes.ts';
import { calledName, isSqlTemplate, type Node, nodeOf, type Source, speaksSql, walk } from './syntax.ts';

/** One way to read a statement: its text with `$1`, `$2` … for values, and the templates that it is made of. */
export type StatementReading = { text: string; templates: ReadonlySet<Node> };
/** A statement of the sources, which is a template or the call of `preparedQuery`. */
export type Statement = { source: Source; node: Node; readings: readonly StatementReading[] };
export type Unread = { source: Source; node: Node; message: string };

const answersRows = /^(select|with|insert|update|delete|merge|values)\b/i;
/** Statements that PostgreSQL prepares none of, and templates of nothing but such words. */
const others = /^(lock table|analyze|drop|create|alter|truncate|vacuum|set|listen|notify|refresh|discard)\b/i;
const MAX_READINGS = 64;

function textOf(pieces: readonly Piece[]): string {
  let values = 0;
  return pieces
    .map(piece => (typeof piece === 'string' ? piece : `$${++values}`))
    .join('')
    .replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/, '')
    .trimEnd();
}

/** Returns each reading of an expression: the first alternatives, and then each other alternative for itself. @throws Unreadable */
function readingsOf(scopes: Scopes, node: Node): StatementReading[] {
  const found = new Map<string, Set<Node>>();
  const waiting: ReadonlyMap<string, number>[] = [new Map()];
  const seen = new Set<string>();
  let failure: unknown;
  for (let left = MAX_READINGS; left > 0; left--) {
    const taken = waiting.shift();
    if (!taken) break;
    const reading = new Reading(scopes, taken);
    try {
      const value = reading.valueOf(node);
      const text = value.kind === 'sql' ? textOf(value.pieces) : value.kind === 'prepared' ? textOf([value.text]) : undefined;
      if (text !== undefined) found.set(text, new Set([...(found.get(text) ?? []), ...reading.templates]));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      failure = error;
    }
    for (const [key, count] of reading.choices) {
      for (let other = 1; other < count; other++) {
        if (seen.has(`${key} ${other}`)) continue;
        seen.add(`${key} ${other}`);
        waiting.push(new Map([...taken, [key, other]]));
      }
    }
  }
  if (found.size === 0 && failure !== undefined) throw failure;
  return [...found].map(([text, templates]) => ({ text, templates }));
}

const isPrepared = (node: Node): boolean =>
  node.type === 'CallExpression' && nodeOf(node, 'callee')?.type === 'Identifier' && calledName(node) === 'preparedQuery';

/** Finds the statements of a set of files, in all their readings, and what can't be read from the sources alone. */
export function findStatements(sources: readonly Source[], scopes: Scopes): { statements: Statement[]; unread: Unread[] } {
  const statements: Statement[] = [];
  const unread: Unread[] = [];
  for (const source of sources.filter(speaksSql)) {
    for (const node of walk(source.program)) {
      if (!isSqlTemplate(node) && !isPrepared(node)) continue;
      try {
        const readings = readingsOf(scopes, node).filter(({ text }) => answersRows.test(text));
        if (readings.length > 0) statements.push({ source, node, readings });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unread.push({ source, node, message: `this statement can’t be read from the sources: ${error.message}` });
      }
    }
  }
  return { statements, unread };
}

/** Returns the templates that are part of no statement that was read, of no query of the builder, and no command. */
export function unusedTemplates(sources: readonly Source[], scopes: Scopes, used: ReadonlySet<Node>): Unread[] {
  return sources.filter(speaksSql).flatMap(source =>
    walk(source.program).flatMap(node => {
      if (!isSqlTemplate(node) || used.has(node) || isInBuilder(scopes, node)) return [];
      const text = source.text.slice(node.start, node.end);
      if (others.test(text.replace(/^sql(<.*?>)?`\s*/s, ''))) return [];
      return [{ source, node, message: 'no statement was found that this is a part of' }];
    }),
  );
}
