import type { SpanFacts } from './spans.ts';

/** Statements whose words are kept. There are some thousands; without a bound those with generated names would be too many. */
const MAX_KEPT = 4_000;
/** Characters of a statement that are told. */
const MAX_CHARACTERS = 1_000;

const kept = new Map<string, SpanFacts>();

/** Returns what a span says of a statement: its kind, its first table, and its text without values. */
export function statementFacts(text: string): SpanFacts {
  const known = kept.get(text);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const operation = /^\s*(\w{1,30})/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update|join)\s+"?([a-z_][a-z0-9_]{0,60})"?/i.exec(text)?.[1]?.toLowerCase();
  const told = withoutValues(text);
  const facts: SpanFacts = {
    name: table ? `${operation} ${table}` : operation,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table && { 'db.collection.name': table }),
      ...(told !== null && { 'db.query.text': told }),
    },
  };
  kept.set(text, facts);
  return facts;
}

/** Names in double quotes, texts, texts between dollar signs, comments, and numbers that are no part of a name or a parameter. */
const parts = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w$."])\d[\d.]*(?!\w)/gi;

/**
 * Returns a statement with a question mark for every value that is written into it; null where that can't be told for sure, as with escapes. Values
 * belong in parameters, which are never told; this is for what a statement says itself.
 */
export function withoutValues(text: string): string | null {
  if (text.includes('\\')) return null;
  const told = text.replace(parts, part => (part.startsWith('"') ? part : /^(--|\/\*)/.test(part) ? ' ' : '?'));
  // Something that was opened wasn't closed.
  if (/'|\$[a-z_]*\$/i.test(told.replaceAll(/"(?:[^"]|"")*"/g, ''))) return null;
  return told.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS);
}
