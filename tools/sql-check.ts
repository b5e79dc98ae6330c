import path from 'node:path';
import { checkers } from './compiler.ts';
import { projectFiles } from './project-files.ts';
import { root } from './root.ts';
import type { Described } from './sql/describe.ts';
import { describedStatements } from './sql/described-cache.ts';
import { sqlExceptions } from './sql/exceptions.ts';
import { isGeneric, typePlaceOf } from './sql/places.ts';
import { anyText, rowType } from './sql/row-types.ts';
import { Scopes } from './sql/scopes.ts';
import { type Edit, edited, writeFiles } from './sql/shadow.ts';
import { findStatements, type Statement, unusedTemplates } from './sql/statements.ts';
import { lineOf, type Node, type Source, sourceOf } from './sql/syntax.ts';
import { runProgram, type Step } from './steps.ts';

type Finding = { source: Source; node: Node; message: string };
const placeOf = ({ source, node }: Finding): string => `${source.path}:${lineOf(source.text, node.start)}`;

/** Every statement with what the database says of its readings. */
export async function describedIn(
  sources: readonly Source[],
  describe = describedStatements,
): Promise<{
  statements: readonly Statement[];
  described: ReadonlyMap<string, Described>;
  findings: Finding[];
  scopes: Scopes;
}> {
  const scopes = new Scopes(sources);
  const { statements, unread } = findStatements(sources, scopes);
  const described = await describe([...new Set(statements.flatMap(({ readings }) => readings.map(({ text }) => text)))]);
  const isTaken = (text: string): boolean => 'columns' in described.get(text)!;
  const users = new Map<Node, Set<Statement>>();
  for (const statement of statements)
    for (const { text, templates } of statement.readings)
      if (isTaken(text)) for (const template of templates) users.set(template, (users.get(template) ?? new Set()).add(statement));
  const read = new Set(statements.flatMap(({ readings }) => readings.flatMap(({ templates }) => [...templates])));
  const refused = statements.flatMap(statement => {
    // A part that is no statement alone is taken where it is a part of another.
    if ([...(users.get(statement.node) ?? [])].some(user => user !== statement)) return [];
    const reading = statement.readings.find(({ text }) => !isTaken(text));
    if (!reading) return [];
    const { refusal } = described.get(reading.text) as { refusal: string };
    return [
      {
        source: statement.source,
        node: statement.node,
        message: `PostgreSQL doesn't prepare this statement: ${refusal}\n    ${reading.text.replaceAll(/\s+/g, ' ')}`,
      },
    ];
  });
  const mistaken = statements.flatMap(({ source, node, readings }) => {
    const mistakes = readings.flatMap(({ text }) => {
      const found = described.get(text)!;
      return 'columns' in found ? (found.mistakes ?? []) : [];
    });
    return [...new Set(mistakes)].map(message => ({ source, node, message }));
  });
  return { statements, described, scopes, findings: [...unread, ...refused, ...mistaken, ...unusedTemplates(sources, scopes, read)] };
}

/** Returns the sources with the type of each statement's rows put beside the row type that is written, for the compiler to compare. */
export function checkedSources(
  sources: readonly Source[],
  statements: readonly Statement[],
  described: ReadonlyMap<string, Described>,
  scopes: Scopes,
): Map<string, string> {
  const places = new Map<string, { source: Source; edit: Omit<Edit, 'text'>; written: string | null; types: Set<string> }>();
  for (const { source, node, readings } of statements) {
    const { start, end, written } = typePlaceOf(scopes, node);
    const type = written ? source.text.slice(start, end) : null;
    if (type !== null && isGeneric(scopes, node, type)) continue;
    const key = `${source.path} ${start}`;
    const place = places.get(key) ?? { source, edit: { start, end }, written: type, types: new Set<string>() };
    places.set(key, place);
    for (const { text } of readings) {
      const found = described.get(text)!;
      if ('columns' in found && (found.columns.length > 0 || written)) place.types.add(rowType(found.columns));
    }
  }
  const edits = new Map<Source, Edit[]>();
  for (const { source, edit, written, types } of places.values()) {
    if (types.size === 0) continue;
    const found = [...types].join(' | ');
    const text = written === null ? `<${found.replaceAll(anyText, 'string')}>` : `CheckedRow<${written}, ${found}>`;
    edits.set(source, [...(edits.get(source) ?? []), { ...edit, text }]);
  }
  return new Map(
    sources.map(source => {
      const own = edits.get(source);
      // The files without statements are checked where they are.
      return [source.path, own ? edited(source.text, own) : `// @ts-nocheck${source.text.startsWith('#!') ? '' : ' '}\n${source.text}`];
    }),
  );
}

const checkedRow = `/** Text of which the database doesn't list the words. */
declare interface ${anyText} { readonly words: 'not listed by the database' }
type Accepted<Value> = Value extends string ? Value | ${anyText} : Value extends readonly string[] ? Value | readonly ${anyText}[] : Value;
/** A row type, which the rows of its statement must fit. */
declare type CheckedRow<Row, Found extends { [Name in keyof Row]: Accepted<Row[Name]> }> = Row;
`;

const folder = '.data/sql';

/** Has the compiler compare row types, and returns what it finds, with the places in the sources. */
async function compare(files: ReadonlyMap<string, string>): Promise<string> {
  const config = {
    extends: '../../tsconfig.base.json',
    include: ['apps/server/src', 'checked-row.d.ts'],
    // What the sources import from beside the server is where it always is.
    compilerOptions: { incremental: true, tsBuildInfoFile: 'types.json', rootDirs: ['.', '../..'] },
  };
  await writeFiles(
    path.join(root, folder),
    new Map([...files, ['checked-row.d.ts', checkedRow], ['tsconfig.json', JSON.stringify(config)]]),
  );
  const { passed, output } = await runProgram('tsc', ['-p', folder, ...checkers]);
  return passed ? '' : output.replaceAll(`${folder}/`, '').trim();
}

/** Every source of the server that is no test. */
const serverSources = async (): Promise<Source[]> =>
  (await projectFiles(/^apps\/server\/src\/.*\.ts$/)).filter(({ path: file }) => !file.endsWith('.test.ts')).map(sourceOf);

/** Sorts out the findings that are known, and names those that are known for nothing. */
function withoutExceptions(findings: readonly Finding[]): string[] {
  const unused = new Set(sqlExceptions);
  const left = findings.filter(({ source, node }) => {
    const words = source.text.slice(node.start, node.end).replace(/^sql(<[^`]*>)?`\s*/, '');
    const known = sqlExceptions.filter(({ file, begins }) => file === source.path && words.startsWith(begins));
    for (const exception of known) unused.delete(exception);
    return known.length === 0;
  });
  return [
    ...left.map(finding => `${placeOf(finding)}: ${finding.message}`),
    ...[...unused].map(({ file, begins }) => `tools/sql/exceptions.ts: ${file} "${begins}" is needed no longer: take it out`),
  ];
}

/** Prepares every statement of the sources on the migrated database, and compares its columns with the row type beside it. */
export const sqlStep: Step = {
  name: 'sql',
  run: async () => {
    const sources = await serverSources();
    const { statements, described, scopes, findings } = await describedIn(sources);
    const wrong = await compare(checkedSources(sources, statements, described, scopes));
    const output = [...withoutExceptions(findings), wrong].filter(Boolean).join('\n');
    const columns = [...described.values()].flatMap(found => ('columns' in found ? found.columns : []));
    const open = columns.filter(({ nullness }) => nullness === 'unknown').length;
    return {
      passed: output === '',
      output,
      notes: [
        `      ${statements.length} statements in ${described.size} texts; of ${open} of their ${columns.length} columns it isn't known whether they can be null`,
      ],
    };
  },
};
