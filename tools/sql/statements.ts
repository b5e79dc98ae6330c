import { type Piece, Reading, Unreadable } from './fragments.ts';
import type { Scopes } from './scopes.ts';
import { calledName, isSqlTemplate, lineOf, nameOf, type Node, nodeOf, nodesOf, type Source, walk } from './syntax.ts';

/** Where a row type stands: written, or to be put in after the tag where the compiler would conclude it. */
export type TypePlace = { start: number; end: number; written: boolean };
/** A statement of the sources: each of its readings as text with `$1`, `$2` …, and the row type beside it. */
export type Statement = { source: Source; node: Node; line: number; texts: readonly string[]; place: TypePlace; generic: boolean };
export type Found = {
  statements: readonly Statement[];
  /** Templates that are part of each text. */
  templatesOf: ReadonlyMap<string, ReadonlySet<Node>>;
  unreadable: readonly { source: Source; line: number; reason: string }[];
};

const begins = /^(select|with|insert|update|delete|merge|values)\b/i;
const MAX_READINGS = 48;

function textOf(pieces: readonly Piece[]): string {
  let values = 0;
  return pieces.map(piece => (typeof piece === 'string' ? piece : `$${++values}`)).join('').trim();
}

const withoutComments = (text: string): string => text.replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/, '');

/** Returns each reading of an expression: the first alternatives, and then each other alternative for itself. */
function readingsOf(scopes: Scopes, node: Node): { text: string; templates: ReadonlySet<Node> }[] {
  const found = new Map<string, ReadonlySet<Node>>();
  const waiting: ReadonlyMap<string, number>[] = [new Map()];
  const seen = new Set<string>();
  let left = MAX_READINGS;
  let failure: unknown;
  for (let taken = waiting.shift(); taken && left > 0; taken = waiting.shift()) {
    const reading = new Reading(scopes, taken);
    left--;
    try {
      const value = reading.valueOf(node);
      if (value.kind === 'sql') found.set(textOf(value.pieces), new Set(reading.templates));
      else if (value.kind === 'prepared') found.set(value.text.trim(), new Set());
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
  if (found.size === 0 && failure) throw failure;
  return [...found].map(([text, templates]) => ({ text, templates }));
}

/** The row type of a statement: that of `rows<Row>(…)` or `stream<Row>(…)` around it, else its own. */
function placeOf(scopes: Scopes, node: Node): TypePlace {
  let at = node;
  let parent = scopes.parentOf(at);
  while (parent && (['ConditionalExpression', 'ParenthesizedExpression', 'TSNonNullExpression'].includes(parent.type)) && nodeOf(parent, 'test') !== at) {
    at = parent;
    parent = scopes.parentOf(at);
  }
  const own = nodeOf(node, 'typeArguments');
  const consumer = parent?.type === 'CallExpression' && ['rows', 'stream'].includes(calledName(parent)) && nodesOf(parent, 'arguments')[0] === at ? parent : undefined;
  const type = nodesOf((consumer && nodeOf(consumer, 'typeArguments')) ?? own ?? node, 'params')[0];
  if (type) return { start: type.start, end: type.end, written: true };
  const tag = nodeOf(node, 'tag') ?? nodeOf(node, 'callee')!;
  return { start: tag.end, end: tag.end, written: false };
}

/** Whether a row type names a type parameter of a function around it. */
function isGeneric(scopes: Scopes, node: Node, type: string): boolean {
  for (let at = scopes.functionAround(node); at; at = scopes.functionAround(at)) {
    const parameters = nodeOf(at, 'typeParameters');
    for (const parameter of parameters ? nodesOf(parameters, 'params') : []) if (new RegExp(`\\b${nameOf(nodeOf(parameter, 'name'))}\\b`).test(type)) return true;
  }
  return false;
}

/** Finds the statements of a set of files, in all their readings. */
export function findStatements(sources: readonly Source[], scopes: Scopes): Found {
  const statements: Statement[] = [];
  const templatesOf = new Map<string, ReadonlySet<Node>>();
  const unreadable: { source: Source; line: number; reason: string }[] = [];
  for (const source of sources) {
    for (const node of walk(source.program)) {
      const isPrepared = node.type === 'CallExpression' && calledName(node) === 'preparedQuery' && nodeOf(node, 'callee')?.type === 'Identifier';
      if (!isSqlTemplate(node) && !isPrepared) continue;
      const line = lineOf(source.text, node.start);
      try {
        const readings = readingsOf(scopes, node).filter(({ text }) => begins.test(withoutComments(text)));
        if (readings.length === 0) continue;
        for (const { text, templates } of readings) templatesOf.set(text, new Set([...(templatesOf.get(text) ?? []), ...templates]));
        const place = placeOf(scopes, node);
        const generic = place.written && isGeneric(scopes, node, source.text.slice(place.start, place.end));
        statements.push({ source, node, line, texts: readings.map(({ text }) => text), place, generic });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable.push({ source, line, reason: error.message });
      }
    }
  }
  return { statements, templatesOf, unreadable };
}
