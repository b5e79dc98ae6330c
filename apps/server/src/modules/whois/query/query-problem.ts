/** Number of the problem that nothing was found. */
export const NOT_FOUND = 101;

/** A message instead of an answer, or before one: number, short text, lines of explanation. */
export class QueryProblem extends Error {
  readonly code: number;
  readonly explanation: readonly string[];
  readonly kind: 'ERROR' | 'WARNING';

  constructor(code: number, message: string, explanation: readonly string[], kind: 'ERROR' | 'WARNING' = 'ERROR') {
    super(message);
    this.code = code;
    this.explanation = explanation;
    this.kind = kind;
  }
}

/** `%ERROR:nnn: short text`, a line `%`, then the explanation, without an empty line after it. */
export function printProblem({ kind, code, message, explanation }: QueryProblem): string {
  return `%${kind}:${code}: ${message}\n%\n${explanation.map(line => `% ${line}\n`).join('')}`;
}

/** Quotes a client's word: printable, and no longer than a line. */
const shown = (word: string): string => {
  // oxlint-disable-next-line no-control-regex -- what is left out
  const printable = word.replace(/[\u0000-\u001f\u007f]/g, '?');
  return printable.length > 80 ? `${printable.slice(0, 77)}...` : printable;
};

/** The problems of queries, each made of what is wrong with it. */
export const problems = {
  internal: () => new QueryProblem(100, 'internal software error', ['The query could not be answered. It is logged; please try again.']),
  /** @param elsewhere where to ask instead, a line each */
  notFound: (sources: string | readonly string[], elsewhere: readonly string[] = []) =>
    new QueryProblem(NOT_FOUND, 'no entries found', [
      typeof sources === 'string' || sources.length === 1
        ? `No entries found in source ${String(sources)}.`
        : `No entries found in sources ${sources.join(', ')}.`,
      ...elsewhere,
    ]),
  unknownSource: (name: string, sources: readonly string[]) =>
    new QueryProblem(102, 'unknown source', [
      `"${shown(name)}" is not a known source; ${sources.length === 1 ? 'there is' : 'there are'} ${sources.join(', ')}.`,
    ]),
  ownOnly: (what: string, source: string) =>
    new QueryProblem(112, 'unsupported query', [`${what} is for objects of ${source}: of other sources only what they say now is kept.`]),
  unknownClass: (name: string) =>
    new QueryProblem(103, 'unknown object type', [`"${shown(name)}" is not a known object type; -q types lists them.`]),
  unknownAttribute: (name: string) => new QueryProblem(104, 'unknown attribute', [`"${shown(name)}" is not a known attribute.`]),
  notInverse: (name: string) =>
    new QueryProblem(105, 'attribute is not searchable', [
      `"${shown(name)}" cannot be searched with -i; -v CLASS shows which attributes can.`,
    ]),
  noKey: () => new QueryProblem(106, 'no search key specified', ['Write what to look for behind the flags; "help" shows how.']),
  lineTooLong: (bytes: number) => new QueryProblem(107, 'input line too long', [`A query has at most ${bytes} bytes.`]),
  excludeEachOther: (one: string, other: string) =>
    new QueryProblem(109, 'invalid combination of flags passed', [`The flags "${one}" and "${other}" cannot be used together.`]),
  repeatedFlag: (flag: string) => new QueryProblem(110, 'multiple use of flag', [`The flag "${flag}" cannot be used multiple times.`]),
  invalidOption: (flag: string, why: string) =>
    new QueryProblem(111, 'invalid option supplied', [`${shown(flag)} ${why}; "help" lists the flags.`]),
  mirrorNotKept: () =>
    new QueryProblem(111, 'invalid option supplied', [
      '-g with -k, which keeps sending changes, is not offered. Ask with -g from the next serial to LAST now and then,',
      'or mirror with NRTM version 4 under /nrtm4/.',
    ]),
  hugeRange: (shortest: string) =>
    new QueryProblem(112, 'unsupported query', [`-m and -M take ranges of at most ${shortest}; whole databases come as files.`]),
  unsupportedKey: (key: string) =>
    new QueryProblem(114, 'unsupported query', [`"${shown(key)}" is no key of a known kind; "help" lists the kinds.`]),
  wrongKeyForClass: (classes: readonly string[]) =>
    new QueryProblem(115, 'invalid search key', [`The search key entered is not valid for ${classes.join(', ')}.`]),
  nearlyKey: (why: string) => new QueryProblem(115, 'invalid search key', [why]),
  noPersonalVersions: () => new QueryProblem(116, 'no versions for person and role', ['Versions of personal data are not shown.']),
  versionTooHigh: (version: number, last: number) =>
    new QueryProblem(117, 'version cannot be found', [`Version ${version} does not exist; the last one is ${last}.`]),
  tooManyWords: (most: number) => new QueryProblem(118, 'too many arguments supplied', [`A query has at most ${most} words.`]),
  denied: (address: string, forGood: boolean) =>
    new QueryProblem(201, `access denied for ${address}`, [
      'Queries from your address have passed the daily limit of personal data',
      forGood
        ? 'on too many days; it is blocked until the registry lifts that.'
        : 'and are refused until midnight UTC. Queries with -r show no contacts and are not counted.',
    ]),
  noProxy: (address: string) =>
    new QueryProblem(203, 'you are not allowed to act as a proxy', [`${address} may not ask on behalf of other addresses.`]),
  idle: () => new QueryProblem(305, 'connection has been closed', ['Nothing was asked for too long.']),
  tooManyConnections: () =>
    new QueryProblem(306, 'connections exceeded', ['There are too many connections of your address, or in all. Please try again soon.']),
  twoIpFlags: () => new QueryProblem(901, 'duplicate IP flags passed', ['Of -x, -l, -L, -m, -M and -b only one can be used.']),
  uselessIpFlag: () =>
    new QueryProblem(902, 'useless IP flag passed', ['A flag for addresses was used with a key that is none; it is ignored.'], 'WARNING'),
};
