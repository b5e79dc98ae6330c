import { coverRange, listZonePrefixes, parseAddress, printReverseZone, readResource } from '@portal/number-resources';
import {
  delegatedZoneProblem,
  fewestServers,
  hostNameProblem,
  isInsideZone,
  maxServers,
  reverseZoneOf,
  serverAddressProblem,
  serverBesideCaution,
  serverPlaceProblem,
} from '@portal/rpsl';

/** The delegation of one zone as a file has it. Servers inside the zone carry their addresses; `isGood`: none of its lines has an error. */
export type ZoneFileEntry = { zone: string; line: number; servers: string[]; ds: string[]; isGood: boolean };
export type ZoneFileProblem = { line: number; severity: 'error' | 'warning'; message: string };
export type ZoneFileReading = { entries: ZoneFileEntry[]; problems: ZoneFileProblem[] };

type Line = { line: number; indented: boolean; words: string[]; isOpen?: boolean };
/** A server as a line names it, `given` as it is written there. */
type Naming = { entry: ZoneFileEntry; server: string; line: number; given: string };
type Glue = { server: string; address: string; line: number };

/** Lines of a master file (RFC 1035, section 5.1): comments are gone, brackets join lines. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  let depth = 0;
  for (const [index, given] of text.split(/\r\n|[\r\n]/).entries()) {
    const plain = given.replace(/;.*$/, '');
    open ??= { line: index + 1, indented: /^\s/.test(plain), words: [] };
    // One by one, because a line can have more words than a call can have arguments.
    for (const word of plain.replaceAll(/[()]/g, ' ').split(/\s+/)) if (word !== '') open.words.push(word);
    depth += (plain.match(/\(/g)?.length ?? 0) - (plain.match(/\)/g)?.length ?? 0);
    if (depth > 0) continue;
    if (open.words.length > 0) lines.push(open);
    open = null;
  }
  if (open) lines.push({ ...open, isOpen: true });
  return lines;
}

const isTtl = (word: string): boolean => /^\d+(?:[smhdw]\d+)*[smhdw]?$/i.test(word);
const types = new Set([
  'NS',
  'DS',
  'A',
  'AAAA',
  'SOA',
  'PTR',
  'CNAME',
  'DNAME',
  'TXT',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'DNSKEY',
  'MX',
  'CDS',
  'CDNSKEY',
]);

/**
 * Reads delegations out of a zone file, or of a list `prefix ns1 ns2 …`: `$ORIGIN`, `$TTL`, owners, NS, DS, and A or AAAA of servers inside a zone.
 * Other types belong in the zone itself and are ignored with a warning. @param origin of relative names until the file sets another
 */
export function readZoneFile(text: string, origin: string): ZoneFileReading {
  const reading = openReading();
  let base = absolute(origin, '');
  let owner: string | null = null;
  for (const { line, indented, words, isOpen } of linesOf(text)) {
    const error = (message: string): void => reading.refuse(line, message);
    if (isOpen) {
      error('The bracket of this line is never closed');
      continue;
    }
    const [first = '', ...rest] = words;
    if (first.startsWith('$')) {
      if (/^\$ORIGIN$/i.test(first)) {
        if (rest.length === 1) base = absolute(rest[0]!, base);
        else error('$ORIGIN has one name, such as $ORIGIN 2.0.192.in-addr.arpa.');
      } else if (!/^\$TTL$/i.test(first)) error(`${first} isn’t read here. Use $ORIGIN and $TTL only`);
      continue;
    }
    if (isPrefix(first)) {
      readListed(reading, first, rest, line);
      continue;
    }
    const tokens = [...words];
    if (!indented) owner = absolute(tokens.shift()!, base);
    readRecord(reading, { line, owner, base }, tokens);
  }
  checkServers(reading);
  checkEntries(reading);
  const { entries, problems } = reading;
  return { entries: [...entries.values()], problems: problems.toSorted((one, other) => one.line - other.line) };
}

/** The reading of a file so far. */
type Reading = ReturnType<typeof openReading>;

function openReading() {
  const entries = new Map<string, ZoneFileEntry>();
  const namings: Naming[] = [];
  const problems: ZoneFileProblem[] = [];
  return {
    entries,
    namings,
    glue: [] as Glue[],
    problems,
    /** Types that a warning says are passed over. */
    warned: new Set<string>(),
    entryOf: (zone: string, line: number): ZoneFileEntry => {
      let entry = entries.get(zone);
      if (!entry) entries.set(zone, (entry = { zone, line, servers: [], ds: [], isGood: true }));
      return entry;
    },
    refuse: (line: number, message: string, entry?: ZoneFileEntry): void => {
      problems.push({ line, severity: 'error', message });
      if (entry) entry.isGood = false;
    },
    warn: (line: number, message: string): void => {
      problems.push({ line, severity: 'warning', message });
    },
    addServer: (naming: Naming): void => {
      // One too many is enough to report it.
      if (naming.entry.servers.length > maxServers || naming.entry.servers.includes(naming.server)) return;
      naming.entry.servers.push(naming.server);
      namings.push(naming);
    },
  };
}

/** A line with a record: its owner, and the origin of relative names. */
type RecordLine = { line: number; owner: string | null; base: string };

function readRecord(reading: Reading, { line, owner, base }: RecordLine, tokens: string[]): void {
  const error = (message: string, entry?: ZoneFileEntry): void => reading.refuse(line, message, entry);
  while (tokens[0] !== undefined && (isTtl(tokens[0]) || /^(IN|CH|HS)$/i.test(tokens[0])) && !types.has(tokens[0].toUpperCase()))
    tokens.shift();
  const type = tokens.shift()?.toUpperCase();
  if (owner === null) return error('This line has no owner, and no line before it has one. Begin it with the name of the zone');
  if (type === undefined) return error('This line has no record. Write such as “2 NS ns1.example.net.”');
  if (!types.has(type)) return error(`${type} isn’t a record type that is read here. Use NS and DS`);
  if (type === 'NS') {
    const entry = reading.entryOf(owner, line);
    if (tokens.length !== 1) error('An NS record names one server, such as “2 NS ns1.example.net.”', entry);
    else reading.addServer({ entry, server: absolute(tokens[0]!, base), line, given: tokens[0]! });
  } else if (type === 'DS') {
    const entry = reading.entryOf(owner, line);
    const [tag, algorithm, digestType, ...digits] = tokens;
    const digest = digits.join('').toUpperCase();
    if (![tag, algorithm, digestType].every(each => /^\d{1,5}$/.test(each ?? '')) || !/^[0-9A-F]+$/.test(digest))
      error('A DS record has key tag, algorithm, digest type and digest', entry);
    else {
      const ds = `${Number(tag)} ${Number(algorithm)} ${Number(digestType)} ${digest}`;
      if (!entry.ds.includes(ds)) entry.ds.push(ds);
    }
  } else if (type === 'A' || type === 'AAAA') {
    const wrong = tokens.length === 1 ? glueProblem(type, tokens[0]!) : `An ${type} record has one address`;
    if (wrong === null) reading.glue.push({ server: owner, address: tokens[0]!, line });
    else error(wrong);
  } else if (!reading.warned.has(type)) {
    reading.warned.add(type);
    reading.warn(line, `${type} records are passed over: they belong in your own zone`);
  }
}

/** Finds servers that no resolver would find, and addresses that no zone of the file needs. */
function checkServers({ entries, namings, glue, refuse, warn }: Reading): void {
  const addressed = new Set(glue.map(({ server }) => server));
  const zones = new Set(entries.keys());
  for (const { entry, server, line, given } of namings) {
    const wrong = hostNameProblem(server) ?? serverPlaceProblem(entry.zone, server, { given, hasAddress: addressed.has(server) });
    const caution = wrong === null && !isDelegatedHere(server, zones) ? serverBesideCaution(entry.zone, server) : null;
    if (wrong !== null) refuse(line, wrong, entry);
    else if (caution !== null) warn(line, caution);
  }
  const named = new Set(namings.flatMap(({ entry, server }) => (isInsideZone(server, entry.zone) ? [server] : [])));
  for (const { server, line } of glue)
    if (!named.has(server)) warn(line, `The address of ${server} is passed over: no zone of this file has a server of this name inside it`);
}

/** Gives servers inside their zones their addresses, and finds what is wrong with each zone as a whole. */
function checkEntries({ entries, glue, refuse }: Reading): void {
  const glueOf = Map.groupBy(glue, ({ server }) => server);
  for (const entry of entries.values()) {
    entry.servers = entry.servers.flatMap(server => {
      const addresses = isInsideZone(server, entry.zone) ? (glueOf.get(server) ?? []) : [];
      return addresses.length > 0 ? [...new Set(addresses.map(({ address }) => `${server} ${address}`))] : [server];
    });
    const wrong = entryProblem(entry);
    if (wrong !== null) refuse(entry.line, wrong, entry);
  }
}

/** Returns the problem of a server's address for its record type, or null. */
function glueProblem(type: 'A' | 'AAAA', text: string): string | null {
  const misfit = `${text} isn’t an ${type === 'A' ? 'IPv4' : 'IPv6'} address`;
  try {
    if ((parseAddress(text).family === 'ipv4') !== (type === 'A')) return misfit;
  } catch {
    return misfit;
  }
  return serverAddressProblem(text);
}

/** Whether a server lies in a reverse zone that the file delegates. */
function isDelegatedHere(server: string, zones: ReadonlySet<string>): boolean {
  for (let around = reverseZoneOf(server) ?? ''; around.includes('.'); around = around.slice(around.indexOf('.') + 1))
    if (zones.has(around)) return true;
  return false;
}

function absolute(name: string, base: string): string {
  const plain = name.toLowerCase();
  if (plain === '@') return base;
  if (plain.endsWith('.')) return plain.slice(0, -1);
  return base === '' || plain.endsWith('.arpa') ? plain : `${plain}.${base}`;
}

const isPrefix = (word: string): boolean => /^\d+\.\d+\.\d+\.\d+\/\d+$|^[0-9a-f:]+\/\d+$/i.test(word);

function readListed({ entryOf, addServer, refuse }: Reading, prefix: string, rest: readonly string[], line: number): void {
  try {
    const resource = readResource(prefix);
    if (resource.family === 'asn') return;
    const zones = coverRange(resource).flatMap(listZonePrefixes).map(printReverseZone);
    if (zones.length === 0) return refuse(line, `${prefix} is smaller than a /24. Hand it on inside the zone of the /24 (RFC 2317)`);
    for (const zone of zones) for (const given of rest) addServer({ entry: entryOf(zone, line), server: absolute(given, ''), line, given });
  } catch (problem) {
    refuse(line, (problem as Error).message);
  }
}

function entryProblem({ zone, servers, ds }: ZoneFileEntry): string | null {
  const never = delegatedZoneProblem(zone);
  if (never !== null) return zone.endsWith('.arpa') ? never : `${never}. Is $ORIGIN right?`;
  const { size } = new Set(servers.map(each => each.split(' ')[0]));
  if (size > maxServers) return `${zone} has more than ${maxServers} servers. Enter at most ${maxServers}`;
  if (size < fewestServers)
    return `${zone} has ${servers.length === 0 ? 'no NS record' : 'one server'}${ds.length > 0 && servers.length === 0 ? ', only DS records' : ''}. Give it two servers or more`;
  return null;
}
