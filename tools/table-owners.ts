import { parseSync } from 'vite';
import { lineUp } from './import-rules.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { type Step } from './steps.ts';
import { tableExceptions } from './table-exceptions.ts';

/** A statement of the server's code, or a fragment of one, with the tables it names as the database spells them. */
export type Statement = { file: string; line: number; tables: readonly string[] };
/** The owner of each table: a module, or `platform`. */
export type Owners = ReadonlyMap<string, string>;

/** Owner of the platform's own tables, which every module may name. */
const platform = 'platform';
const platformTables = [
  'activity',
  'activity_receipt',
  'activity_seal',
  'history_cut',
  'idempotent_answer',
  'log_end',
  'log_root',
  'migration',
  'periodic_work',
  'row_change',
  'row_digest',
  'task',
  'work_unit',
];

/** Methods of the query builder whose first argument names a table. */
const builders = new Set([
  'selectFrom',
  'insertInto',
  'replaceInto',
  'mergeInto',
  'updateTable',
  'deleteFrom',
  'from',
  'using',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'innerJoinLateral',
  'leftJoinLateral',
]);

type Node = { type: string; start: number; end: number };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const childrenOf = (node: Node): Node[] => (Object.values(node) as unknown[]).flat().filter(isNode);
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Words that end a list of tables. */
const ends = new Set('where group order having limit offset set union except intersect select returning values window fetch'.split(' '));
/** Words before which, or after which, `from` and `update` name no table. */
const notBefore = new Set(['distinct', 'for', 'do', 'key']);

/** Returns the table names in a piece of SQL; aliases, columns, functions and quoted text are left out. */
export function tablesOfSql(text: string): string[] {
  const tokens = text.replace(/--.*$|\/\*[\s\S]*?\*\/|'(?:''|[^'])*'/gm, ' ? ').match(/[a-z_][\w.]*|\S/gi) ?? [];
  const found: string[] = [];
  /** For each open bracket: whether a list of tables is under way, and whether the next word is one. */
  const levels = [{ inList: false, wanted: false }];
  for (const [place, token] of tokens.entries()) {
    const level = levels.at(-1)!;
    const word = token.toLowerCase();
    if (word === '(') levels.push({ inList: level.wanted, wanted: level.wanted });
    else if (word === ')') {
      if (levels.length > 1) levels.pop();
      levels.at(-1)!.wanted = false;
    } else if (word === ',') level.wanted = level.inList;
    // `join … using (column)`
    else if (word === 'using' && tokens[place + 1] === '(') level.wanted = false;
    else if (['from', 'join', 'into', 'update', 'using'].includes(word)) {
      level.wanted = !notBefore.has(tokens[place - 1]?.toLowerCase() ?? '');
      level.inList = level.wanted && word !== 'into' && word !== 'update';
    } else if (ends.has(word)) {
      level.inList = false;
      level.wanted = false;
    } else if (level.wanted && word !== 'only' && word !== 'lateral') {
      if (/^[a-z_]\w*$/i.test(token) && tokens[place + 1] !== '(') found.push(word);
      level.wanted = false;
    }
  }
  return found;
}

type Call = Node & { callee: Node & { name?: string; property?: { name?: string }; object?: Node }; arguments: Node[] };
type Template = Node & { tag: Node & { name?: string }; quasi: { quasis: { value: { raw: string } }[] } };

const isCall = (node: Node): node is Call => node.type === 'CallExpression';
const isSql = (node: Node): node is Template => node.type === 'TaggedTemplateExpression' && (node as Template).tag.name === 'sql';

/** Returns the tables in the argument of a builder: a name with or without an alias, or a list of them; a sub-query is a node of its own. */
function tablesOfArgument(argument: Node | undefined): string[] {
  if (!argument) return [];
  if (argument.type === 'ArrayExpression') return childrenOf(argument).flatMap(tablesOfArgument);
  const { value } = argument as Node & { value?: unknown };
  return argument.type === 'Literal' && typeof value === 'string' ? [snakeCase(value.split(' ')[0]!)] : [];
}

/** Returns the tables that a node itself names, without its inner nodes. */
function ownTables(node: Node): string[] {
  if (isSql(node)) return tablesOfSql(node.quasi.quasis.map(({ value }) => value.raw).join(' ? '));
  // `change.selectFrom(…)`, or `selectFrom(…)` where a callback is handed it.
  const called = isCall(node) ? (node.callee.property?.name ?? node.callee.name ?? '') : '';
  return isCall(node) && builders.has(called) ? tablesOfArgument(node.arguments[0]) : [];
}

const allTables = (node: Node): string[] => [...ownTables(node), ...childrenOf(node).flatMap(allTables)];

/** Returns whether a node is a whole query: a template, or the last call of a chain that begins with a builder. */
function isQuery(node: Node): boolean {
  if (isSql(node)) return true;
  for (let call: Node | undefined = node; call && isCall(call); call = call.callee.object) if (ownTables(call).length > 0) return true;
  return isCall(node) && isCall(node.callee) && isQuery(node.callee);
}

/** Returns every statement of a file that names a table, builders and `sql` templates alike; a sub-query inside one belongs to it. */
export function statementsOf({ path, text }: ProjectFile): Statement[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const walk = (node: Node): Statement[] => {
    if (!isQuery(node)) return childrenOf(node).flatMap(walk);
    const tables = [...new Set(allTables(node))].sort();
    return tables.length > 0 ? [{ file: path, line: text.slice(0, node.start).split('\n').length, tables }] : [];
  };
  return walk(program as unknown as Node);
}

/** Returns the module of a file, or `platform`; undefined for what is above both: the command line, the demo registry, the composition. */
const placeOf = (file: string): string | undefined =>
  /^apps\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1] ?? (file.startsWith('apps/server/src/platform/') ? platform : undefined);

/** Returns the tables of other modules that a statement names, and of them those whose module is further down the line-up. */
export function foreignTables(
  { file, tables }: Statement,
  owners: Owners,
  order: readonly string[],
): { across: string[]; against: string[] } {
  const own = placeOf(file);
  if (own === undefined) return { across: [], against: [] };
  const across = tables.filter(table => ![own, platform, undefined].includes(owners.get(table)));
  return { across, against: across.filter(table => order.indexOf(owners.get(table)!) > order.indexOf(own)) };
}

/** The tables that each module declares in its `module.ts`, and those of the platform. */
export function ownersIn(files: readonly ProjectFile[]): { owners: Owners; twice: string[] } {
  const owners = new Map(platformTables.map(table => [table, platform]));
  const twice: string[] = [];
  for (const { path, text } of files) {
    const [, list = ''] = /^ {2}tables: \[([^\]]*)\]/m.exec(text) ?? [];
    for (const [, name] of list.matchAll(/'(\w+)'/g)) {
      const table = snakeCase(name!);
      if (owners.has(table)) twice.push(`${path}: ${table} belongs to ${owners.get(table)} already`);
      owners.set(table, placeOf(path)!);
    }
  }
  return { owners, twice };
}

/** Tables of the schema `public` that a migration makes though its name says another module: `0007_contacts.sql`, `0042_contacts_helpers.sql`. */
export function misplacedTables({ path, text }: ProjectFile, owners: Owners): string[] {
  const named = path
    .split('/')
    .at(-1)!
    .replace(/^\d+_|\.sql$/g, '');
  return [...text.matchAll(/^create (?:unlogged )?table (\w+)\b(?!\.)/gm)].flatMap(([, table]) => {
    const owner = (owners.get(table!) ?? 'no module').replaceAll('-', '_');
    return named === owner || named.startsWith(`${owner}_`) ? [] : [`${path}: makes ${table} of ${owner}; name the file after its owner`];
  });
}

/** Every table that the generated types know. */
const tablesIn = (types: string): string[] => [...types.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => snakeCase(name!));

/** Returns violations of table ownership in the project, and how many statements name a table of another module. */
export async function tableOwners(): Promise<{ findings: string[]; across: Map<string, number> }> {
  const files = (await projectFiles(/^apps\/server\/src\/.*\.ts$/)).filter(({ path }) => !path.endsWith('.test.ts'));
  const { owners, twice } = ownersIn(files.filter(({ path }) => /\/modules\/[^/]+\/module\.ts$/.test(path)));
  const migrations = await projectFiles(/^apps\/server\/db\/migrations\/.*\.sql$/);
  const types = files.find(({ path }) => path.endsWith('/database/tables.ts'))!.text;
  const order = [platform, ...lineUp];
  const unused = new Set(tableExceptions);
  const across = new Map<string, number>();
  const findings = [
    ...twice,
    ...migrations.flatMap(file => misplacedTables(file, owners)),
    ...tablesIn(types)
      .filter(table => !owners.has(table))
      .map(table => `the table ${table} has no owner: name it in \`tables\` of a modules/<name>/module.ts`),
  ];
  for (const statement of files.flatMap(statementsOf)) {
    const foreign = foreignTables(statement, owners, order);
    const own = placeOf(statement.file)!;
    if (foreign.across.length > 0) across.set(own, (across.get(own) ?? 0) + 1);
    for (const table of foreign.against) {
      const exception = `${statement.file} ${table}`;
      if (unused.delete(exception) || tableExceptions.includes(exception)) continue;
      const owner = owners.get(table)!;
      findings.push(
        `${statement.file}:${statement.line}: names ${table} of ${owner}, which stands further down the line-up than ${own}: take what you need from a function of a module above, or have it handed in`,
      );
    }
  }
  for (const exception of unused) findings.push(`tools/table-exceptions.ts: "${exception}" is needed no longer: take it out`);
  return { findings, across };
}

/** Refuses a statement that names a table of a module further down the line-up, and says how many name one further up. */
export const tablesStep: Step = {
  name: 'tables',
  run: async () => {
    const { findings, across } = await tableOwners();
    const most = [...across].toSorted((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
    const sum = [...across.values()].reduce((total, count) => total + count, 0);
    return {
      passed: findings.length === 0,
      output: findings.join('\n'),
      notes: [`      ${sum} statements name a table of another module (${most.join(', ')})`],
    };
  },
};
