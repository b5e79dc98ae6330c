import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { statementsOf } from '../apps/server/src/platform/database/statements.ts';
import { lastRelease } from './last-release.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { root } from './root.ts';

/** Harm of a statement to processes of the release before: it keeps them waiting, or takes something that they use. */
type Harm = { kind: 'waits' | 'breaks'; what: string; names: readonly string[] };
type Migration = { name: string; text: string };
/** Tables and columns that migrations since the last release make: nothing of the release before knows it, and it has no rows yet. */
type Fresh = { tables: ReadonlySet<string>; columns: ReadonlyMap<string, ReadonlySet<string>> };

const NAME = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`;
const at = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('NAME', NAME).replaceAll(' ', String.raw`\s+`)}`, 'i');

/** Without comments and the content of texts, on which nothing here depends; bodies in dollar quotes stay where `bodies` says so. */
const bare = (text: string, { bodies = false } = {}): string =>
  text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/(?:\b[eE])?'(?:''|[^'])*'/g, `''`)
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, body => (bodies ? body : '$$'))
    .trim();

/** Splits at commas outside of brackets. */
function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map(part => part.trim()).filter(Boolean);
}

const alterTable = at(String.raw`alter table (?:if exists )?(?:only )?NAME (.*)`.replace('(.*)', '([\\s\\S]*)'));
const addedColumn = at(String.raw`add (?:column )?(?:if not exists )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b)NAME`);
const newTable = at('create (?:unlogged )?table (?:if not exists )?NAME');

/** Returns what the migrations since the last release add. */
function freshIn(migrations: readonly Migration[]): Fresh {
  const tables = new Set<string>();
  const columns = new Map<string, Set<string>>();
  for (const { text } of migrations)
    for (const statement of statementsOf(text)) {
      const words = bare(statement.text);
      const made = newTable.exec(words)?.[1];
      if (made) tables.add(made);
      const [, table, actions = ''] = alterTable.exec(words) ?? [];
      for (const action of table ? partsOf(actions) : []) {
        const column = addedColumn.exec(action)?.[1];
        if (column) columns.set(table!, (columns.get(table!) ?? new Set()).add(column));
      }
    }
  return { tables, columns };
}

const waits = (what: string, ...names: string[]): Harm => ({ kind: 'waits', what, names });
const breaks = (what: string, ...names: string[]): Harm => ({ kind: 'breaks', what, names });

/** Functions whose value is the same for all rows of a statement: a default of them needs no new copy of the table. */
const constants = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'array', 'numeric', 'varchar', 'char', 'timestamptz']);

function harmsOfNewColumn(table: string, column: string, action: string): Harm[] {
  const name = `${table}.${column}`;
  const value = /\bdefault\b([\s\S]*)/i.exec(action)?.[1] ?? null;
  const isMade = /\bgenerated\s+(?:always|by\s+default)\s+as\b|\b(?:big|small)?serial\b/i.test(action);
  const isRewritten =
    isMade || [...(value ?? '').matchAll(/(\w+)\s*\(/g)].some(([, f]) => !['check', ...constants].includes(f!.toLowerCase()));
  return [
    ...(isRewritten ? [waits(`adds ${name} with a value that is made for each row, which writes the whole table anew`, table)] : []),
    ...(/\bcheck\s*\(/i.test(action)
      ? [waits(`adds ${name} with a check, which reads the whole table; add the check alone, not valid`, table)]
      : []),
    ...(/\bunique\b|\bprimary\s+key\b/i.test(action) ? [waits(`adds ${name} with an index`, table)] : []),
    ...(/\bnot\s+null\b/i.test(action) && value === null && !isMade
      ? [breaks(`adds ${name}, which must be filled and has no default`, name)]
      : []),
  ];
}

function harmsOfConstraint(table: string, action: string, known: Fresh): Harm[] {
  const name = at('add constraint NAME').exec(action)?.[1] ?? null;
  const names = name === null ? [table] : [name, table];
  const isOfNew = [...(known.columns.get(table) ?? [])].some(column => new RegExp(`\\b${column}\\b`).test(action));
  const isIndex = /^add\s+(?:constraint\s+\S+\s+)?(?:unique|primary|exclude)\b/i.test(action);
  const called = name ?? `a rule of ${table}`;
  const mayWait = isIndex ? !/\busing\s+index\b/i.test(action) : !/\bnot\s+valid\b/i.test(action);
  const how = isIndex
    ? 'an index made while all writes wait; make it concurrently, and add it using index'
    : 'all rows read; add it not valid, and validate it in a file of its own';
  return [
    ...(mayWait ? [waits(`adds ${called} with ${how}`, table)] : []),
    ...(isOfNew ? [] : [breaks(`adds ${called}, which may refuse what is written today`, ...names)]),
  ];
}

function harmsOfAction(table: string, action: string, known: Fresh): Harm[] {
  if (at('add (?:constraint \\S+ )?(?:check|foreign|unique|primary|exclude)\\b').test(action))
    return harmsOfConstraint(table, action, known);
  const added = addedColumn.exec(action)?.[1];
  if (added) return harmsOfNewColumn(table, added, action);
  const dropped = at('drop (?:column )?(?:if exists )?(?!constraint\\b|column\\b)NAME').exec(action)?.[1];
  if (dropped) return [breaks(`drops ${table}.${dropped}`, `${table}.${dropped}`, table)];
  if (/^rename\b/i.test(action)) {
    const column = at('rename (?:column )?(?!to\\b|constraint\\b)NAME to').exec(action)?.[1];
    return /^rename\s+constraint\b/i.test(action)
      ? []
      : [breaks(`renames ${column ? `${table}.${column}` : table}`, `${table}.${column}`, table)];
  }
  const [, column, change = ''] = at('alter (?:column )?(?!constraint\\b)NAME ([\\s\\S]*)').exec(action) ?? [];
  if (!column || known.columns.get(table)?.has(column)) return [];
  const name = `${table}.${column}`;
  if (/^(?:set\s+data\s+)?type\b/i.test(change))
    return [waits(`changes the type of ${name}, which writes the whole table anew`, table), breaks(`changes the type of ${name}`, name)];
  if (/^set\s+not\s+null\b/i.test(change))
    return [waits(`reads all rows of ${table}; validate a check of it first`, table), breaks(`refuses ${name} that is empty`, name)];
  return /^drop\s+default\b/i.test(change) ? [breaks(`takes the default of ${name}`, name)] : [];
}

const index = at('create (unique )?index (concurrently )?(?:if not exists )?(?:(?!on\\b)NAME )?on (?:only )?NAME');
const kinds = 'table|view|materialized view|function|procedure|type|domain|schema|sequence';
const dropped = at(`drop (?:${kinds.replaceAll(' ', '\\s+')}) (?:if exists )?NAME`);
const renamed = at(`alter (?:view|function|type|domain|schema|sequence)\\b [\\s\\S]*?NAME(?:\\([^)]*\\))? rename\\b`);
const locks = at('(truncate|lock|vacuum full|cluster|reindex) (?:table |only )*NAME');

/** Returns what a statement does to those who work with the tables of the last release. */
function harmsOf(text: string, known: Fresh): Harm[] {
  const words = bare(text);
  const [, table, actions = ''] = alterTable.exec(words) ?? [];
  if (table) return known.tables.has(table) ? [] : partsOf(actions).flatMap(action => harmsOfAction(table, action, known));
  const [, unique, concurrently, , on] = index.exec(words) ?? [];
  if (on && !known.tables.has(on)) {
    const isOfNew = [...(known.columns.get(on) ?? [])].some(column => new RegExp(`\\b${column}\\b`).test(words));
    return [
      ...(concurrently ? [] : [waits(`makes an index of ${on} while all writes wait; make it concurrently, in a file of its own`, on)]),
      ...(unique && !isOfNew ? [breaks(`makes a unique index of ${on}, which may refuse what is written today`, on)] : []),
    ];
  }
  const gone = dropped.exec(words)?.[1] ?? renamed.exec(words)?.[1];
  if (gone && !known.tables.has(gone)) return [breaks(`${/^drop/i.test(words) ? 'drops' : 'renames'} ${gone}`, gone)];
  const [, verb, locked] = locks.exec(words) ?? [];
  if (locked && !known.tables.has(locked)) return [waits(`holds ${locked} (${verb!.toLowerCase()})`, locked)];
  // Also those in a block.
  const inside = bare(text, { bodies: /^do\b/i.test(text) });
  return [
    ...inside.matchAll(
      /\b(?:update\s+(?:only\s+)?(\w+)\s+(?:as\s+\w+\s+|(?!set\b)\w+\s+)?set|delete\s+from\s+(?:only\s+)?(\w+))\b([^;]*)/gi,
    ),
  ].flatMap(([, updated, deleted, rest]) => {
    const of = (updated ?? deleted)!;
    return known.tables.has(of) || /\bwhere\b/i.test(rest!) ? [] : [waits(`writes all rows of ${of}`, of)];
  });
}

const number = (version: string): number => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);

/** Returns what the comments of a migration say: tables that stay small, rules that take more than before, and what a release stopped using. */
function sentencesOf(text: string) {
  const found = (pattern: RegExp) => [...text.matchAll(pattern)];
  return {
    small: new Set(found(/^-- Few rows: ([\w, ]+)\./gm).flatMap(([, names]) => names!.split(/,\s*/))),
    widened: new Set(found(/^-- Widens ([\w, ]+)\./gm).flatMap(([, names]) => names!.split(/,\s*/))),
    contracted: new Map(
      found(/^-- Contracts ([\w., ]+): unused since (\d+\.\d+\.\d+)\./gm).flatMap(([, names, since]) =>
        names!.split(/,\s*/).map(name => [name, since!] as const),
      ),
    ),
  };
}

/**
 * Returns what is wrong with migrations since the last release: what locks a table that has rows for longer than a moment, and what the last release can't
 * live with, unless a sentence of the file says why it may.
 */
export function upgradeFindings(migrations: readonly Migration[], last: string): string[] {
  const fresh = freshIn(migrations);
  return migrations.flatMap(({ name, text }) => {
    const { small, widened, contracted } = sentencesOf(text);
    const statements = statementsOf(text);
    const isAlone = statements.every(each => index.exec(bare(each.text))?.[2]);
    const ofFile = [...contracted]
      .filter(([, since]) => number(since) > number(last))
      .map(([what, since]) => `${name}: ${what} goes one release later: ${since} is not released yet, and ${last} uses it`);
    const ofStatements = statements.flatMap(({ text: statement, line }) => {
      const [, , concurrently, called] = index.exec(bare(statement)) ?? [];
      if (concurrently && !isAlone)
        return [`${name}, line ${line}: an index that is made concurrently needs a file without other statements`];
      if (concurrently && !called) return [`${name}, line ${line}: an index that is made concurrently needs a name`];
      return harmsOf(statement, fresh).flatMap(({ kind, what, names }) => {
        const isSaid = names.some(each => (kind === 'waits' ? small.has(each) : widened.has(each) || contracted.has(each)));
        if (isSaid) return [];
        const isReplaced = new RegExp(`\\bdrop\\s+constraint\\s+(?:if\\s+exists\\s+)?${names[0]}\\b`, 'i').test(text);
        const goes = isReplaced ? `-- Widens ${names[0]}.` : `-- Contracts ${names[0]}: unused since ${last}.`;
        const say = kind === 'waits' ? `-- Few rows: ${names[0]}.` : goes;
        return [`${name}, line ${line}: ${what}. If it may: "${say}" (docs/adding/migration.md)`];
      });
    });
    const added = new Set(
      statements.flatMap(each => [...bare(each.text).matchAll(/\badd\s+constraint\s+(\w+)[\s\S]*?\bnot\s+valid\b/gi)].map(([, of]) => of!)),
    );
    const validated = statements.flatMap(each => [...bare(each.text).matchAll(/\bvalidate\s+constraint\s+(\w+)/gi)].map(([, of]) => of!));
    const early = validated
      .filter(of => added.has(of))
      .map(of => `${name}: validates ${of} while it is added; validate it in a file of its own`);
    return [...ofFile, ...ofStatements, ...early];
  });
}

/** Checks the migrations that no release had yet. */
export async function checkMigrationUpgrades(): Promise<string[]> {
  const frozen = await readFile(path.join(root, 'apps/server/db/frozen-migrations.txt'), 'utf8');
  const nameOf = ({ path: file }: ProjectFile): string => path.posix.basename(file);
  const files = await projectFiles(/^apps\/server\/db\/migrations\/.*\.sql$/);
  const since = files.filter(file => !frozen.includes(`  ${nameOf(file)}\n`));
  const { version } = await lastRelease();
  return upgradeFindings(
    since.map(file => ({ name: nameOf(file), text: file.text })),
    version,
  );
}
