/** One flag of the query language. */
export type QueryFlag = {
  short: readonly string[];
  long: readonly string[];
  /** Its argument, as the help names it; missing if it has none. */
  argument?: string;
  /** `optional`: the argument may be missing. */
  optional?: boolean;
  /** For keys that are addresses; others only get a warning. */
  forAddresses?: boolean;
  help: string;
};

const flag = (short: string, long: string, help: string, more: Partial<QueryFlag> = {}): QueryFlag => ({
  short: short === '' ? [] : short.split(' '),
  long: long === '' ? [] : long.split(' '),
  help,
  ...more,
});

/** Every flag: parsing and help read this table. */
export const queryFlags = {
  exact: flag('x', 'exact', 'only exactly this range', { forAddresses: true }),
  oneLess: flag('l', 'one-less', 'the next larger range that holds it', { forAddresses: true }),
  allLess: flag('L', 'all-less', 'it and all larger ranges that hold it', { forAddresses: true }),
  oneMore: flag('m', 'one-more', 'ranges directly inside it', { forAddresses: true }),
  allMore: flag('M', 'all-more', 'all ranges inside it', { forAddresses: true }),
  reverseDomain: flag('d', 'reverse-domain', 'reverse domains of the addresses too', { forAddresses: true }),
  abuseContact: flag('b', 'abuse-contact', 'only the key and the abuse mailbox'),
  irt: flag('c', 'irt', 'with the irt of the closest range that names one'),
  noIrt: flag('C', 'no-irt', 'without irt objects'),
  inverse: flag('i', 'inverse', 'objects in which one of these attributes has the key as value', { argument: 'ATTRIBUTES' }),
  types: flag('T', 'select-types', 'only objects of these classes', { argument: 'CLASSES' }),
  noReferenced: flag('r', 'no-referenced', 'without contacts'),
  noGrouping: flag('G', 'no-grouping', 'contacts once, at the end'),
  noFiltering: flag('B', 'no-filtering', 'with e-mail, notify and the like'),
  filtering: flag('', 'filtering', 'without e-mail, notify and the like'),
  primaryKeys: flag('K', 'primary-keys', 'only keys, of sets the members too; no persons'),
  brief: flag('F', 'brief', 'short names of attributes, without contacts'),
  sources: flag('s', 'sources', 'databases to look in', { argument: 'SOURCES' }),
  allSources: flag('a', 'all-sources', 'all databases'),
  resource: flag('', 'resource', 'the database that is authoritative for the resource'),
  persistent: flag('k', 'persistent-connection', 'keep the connection open; a lone -k or an empty line ends it'),
  template: flag('t', 'template', 'the template of a class', { argument: 'CLASS' }),
  verbose: flag('v', 'verbose', 'the template of a class with explanations', { argument: 'CLASS' }),
  about: flag('q', '', 'about the server: sources, version or types', { argument: 'WORD' }),
  listSources: flag('', 'list-sources', 'the databases here'),
  version: flag('', 'version', 'the version of the server'),
  listTypes: flag('', 'types', 'the classes of objects'),
  client: flag('V', 'client', 'who asks; trusted proxies add the address they ask for', { argument: 'TAG[,ADDRESS]' }),
  noPersonal: flag('', 'no-personal', 'without person and role objects'),
  showPersonal: flag('', 'show-personal', 'with person and role objects'),
  listVersions: flag('', 'list-versions', 'the versions of an object'),
  showVersion: flag('', 'show-version', 'one version of an object', { argument: 'N' }),
  diffVersions: flag('', 'diff-versions', 'what changed between two versions', { argument: 'A:B' }),
  validSyntax: flag('', 'valid-syntax', 'only objects that follow today’s rules'),
  noValidSyntax: flag('', 'no-valid-syntax', 'only objects that do not'),
  charset: flag('Z', 'charset', 'encoding of the answer: utf-8, latin-1 or us-ascii', { argument: 'NAME' }),
} as const satisfies Record<string, QueryFlag>;

export type FlagName = keyof typeof queryFlags;

const versionFlags = ['listVersions', 'showVersion', 'diffVersions'] as const satisfies readonly FlagName[];
/** Flags that may accompany a query for versions, as in the RIPE Database; and those for the encoding and the source of the answer. */
const withVersions: ReadonlySet<FlagName> = new Set<FlagName>([
  ...versionFlags,
  'types',
  'persistent',
  'client',
  'charset',
  'sources',
  'allSources',
]);
const notWithVersions = (Object.keys(queryFlags) as FlagName[]).filter(name => !withVersions.has(name));

/** Flags that exclude each other, besides those for addresses. */
export const exclusions: readonly (readonly [FlagName, FlagName])[] = [
  ['noPersonal', 'showPersonal'],
  ['noFiltering', 'filtering'],
  ['irt', 'noIrt'],
  ['primaryKeys', 'brief'],
  ['validSyntax', 'noValidSyntax'],
  ['sources', 'allSources'],
  ['sources', 'resource'],
  ['allSources', 'resource'],
  ['listVersions', 'showVersion'],
  ['listVersions', 'diffVersions'],
  ['showVersion', 'diffVersions'],
  ['template', 'verbose'],
  ['inverse', 'abuseContact'],
  ['inverse', 'resource'],
  ['abuseContact', 'noFiltering'],
  ['abuseContact', 'noReferenced'],
  ['abuseContact', 'primaryKeys'],
  ['abuseContact', 'brief'],
  ...versionFlags.flatMap(versions => notWithVersions.map(other => [versions, other] as const)),
];
/** At most one of these. */
export const levelFlags: readonly FlagName[] = ['exact', 'oneLess', 'allLess', 'oneMore', 'allMore', 'abuseContact'];

const byShort = new Map<string, FlagName>();
const byLong = new Map<string, FlagName>();
for (const [name, { short, long }] of Object.entries(queryFlags) as [FlagName, QueryFlag][]) {
  for (const letter of short) byShort.set(letter, name);
  for (const word of long) byLong.set(word, name);
}
export const findShortFlag = (letter: string): FlagName | undefined => byShort.get(letter);
export const findLongFlag = (word: string): FlagName | undefined => byLong.get(word.toLowerCase());
