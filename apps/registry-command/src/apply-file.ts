import { ApplyFile } from '@portal/contract/apply-file';
import { type Document, isCollection, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import * as z from 'zod/mini';
import { CommandFailure } from './failure.ts';

/** Something wrong in the file: where, from 1, and what. */
export type Finding = { line: number; column: number; message: string };

/** A file that was read: what it declares, and where each part of it is. */
export type Declared = { file: string; content: ApplyFile; at: (path: readonly (string | number)[]) => { line: number; column: number } };

/** Reads the text of a file. @throws CommandFailure naming line and column of everything that is wrong */
export function readApplyFile(file: string, text: string): Declared {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0)
    throw wrongFile(
      file,
      document.errors.map(({ pos, message }) => ({ ...placeOf(pos[0]), message })),
    );
  const at = (path: readonly (string | number)[]): { line: number; column: number } => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as Node | undefined;
      if ((isScalar(node) || isCollection(node)) && node.range) return placeOf(node.range[0]);
    }
    return placeOf(0);
  };
  const values = valuesOf(document, placeOf);
  if ('wrong' in values) throw wrongFile(file, [values.wrong]);
  const read = z.safeParse(ApplyFile, values.value);
  if (!read.success)
    throw wrongFile(
      file,
      read.error.issues.map(issue => findingOf(issue, at, path => document.hasIn(path))),
    );
  const repeated = repetitionsIn(read.data).map(({ path, message }) => ({ ...at(path), message }));
  if (repeated.length > 0) throw wrongFile(file, repeated);
  return { file, content: read.data, at };
}

/** The values of a document, or what is wrong with its aliases: one that means nothing, or so many within each other that the file would grow without end. */
function valuesOf(
  document: Document,
  placeOf: (offset: number) => { line: number; column: number },
): { value: unknown } | { wrong: Finding } {
  try {
    return { value: document.toJS() };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const aliases: { name: string; offset: number; isKnown: boolean }[] = [];
    visit(document, {
      Alias: (_key, node) => {
        aliases.push({ name: node.source, offset: node.range?.[0] ?? 0, isKnown: node.resolve(document) !== undefined });
      },
    });
    const lost = aliases.find(({ isKnown }) => !isKnown);
    const { name, offset } = lost ?? aliases[0]!;
    return {
      wrong: {
        ...placeOf(offset),
        message: lost
          ? `*${name} means nothing: no part before it is called &${name}`
          : `aliases such as *${name} stand for too much of the file. Write out what they stand for`,
      },
    };
  }
}

/** The failure of a file with something wrong in it, a line each, as compilers write them. */
export const wrongFile = (file: string, findings: readonly Finding[]): CommandFailure =>
  new CommandFailure(
    `${file} can’t be applied. Nothing was changed.`,
    findings
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
  );

function findingOf(issue: z.core.$ZodIssue, at: Declared['at'], has: (path: readonly (string | number)[]) => boolean): Finding {
  const path = issue.path as (string | number)[];
  const place = path.filter(part => typeof part === 'string').join('.') || 'the file';
  if (issue.code === 'unrecognized_keys')
    return { ...at([...path, issue.keys[0]!]), message: `${issue.keys.join(', ')}: there is no such field in ${place}` };
  if (path.length > 0 && !has(path)) return { ...at(path.slice(0, -1)), message: `${path.at(-1)} is missing` };
  return { ...at(path), message: `${path.at(-1) ?? 'the file'}: ${wordsOf(issue)}` };
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'fields',
};

/** Says what would be right. */
function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `enter ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `enter ${issue.values.map(String).join(' or ')}`;
    case 'too_big':
      return `enter at most ${issue.maximum}`;
    case 'too_small':
      return issue.message === 'Invalid input' ? `enter at least ${issue.minimum}` : issue.message;
    default:
      return issue.message;
  }
}

/** Returns the second one of everything that is declared twice. */
function repetitionsIn({ routes, roas, aspas, reverseZones, contacts }: ApplyFile): { path: (string | number)[]; message: string }[] {
  const found: { path: (string | number)[]; message: string }[] = [];
  const look = <Entry>(section: string, entries: readonly Entry[] | undefined, nameOf: (entry: Entry) => string): void => {
    const seen = new Set<string>();
    for (const [i, entry] of (entries ?? []).entries()) {
      const name = nameOf(entry);
      if (seen.has(name.toLowerCase())) found.push({ path: [section, i], message: `${name} is declared twice` });
      seen.add(name.toLowerCase());
    }
  };
  look('routes', routes, ({ prefix, origin }) => `${prefix} ${origin}`);
  look('roas', roas, ({ prefix, origin, maxLength }) => `${prefix}${maxLength === undefined ? '' : `-${maxLength}`} ${origin}`);
  look('aspas', aspas, ({ customer }) => customer);
  look('reverseZones', reverseZones, ({ zone }) => zone);
  look('contacts', contacts, contact => contact.handle ?? `${contact.class} ${contact.name}`);
  return found;
}
