import { printReverseZone, listZonePrefixes, readResource, coverRange } from '@portal/number-resources';
import { delegatedZoneProblem, fewestServers } from '@portal/rpsl';

/** The delegation of one zone as a file has it. Servers inside the zone carry their addresses. */
export type ZoneFileEntry = { zone: string; line: number; servers: string[]; ds: string[] };
export type ZoneFileProblem = { line: number; severity: 'error' | 'warning'; message: string };
export type ZoneFileReading = { entries: ZoneFileEntry[]; problems: ZoneFileProblem[] };

type Line = { line: number; indented: boolean; words: string[] };

/** Lines of a master file (RFC 1035, section 5.1): comments are gone, brackets join lines. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let open: Line | null = null;
  let depth = 0;
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const plain = given.replace(/;.*$/, '');
    open ??= { line: index + 1, indented: /^\s/.test(plain), words: [] };
    // One by one: a line can have more words than a call has arguments.
    for (const word of plain.replaceAll(/[()]/g, ' ').split(/\s+/)) if (word !== '') open.words.push(word);
    depth += (plain.match(/\(/g)?.length ?? 0) - (plain.match(/\)/g)?.length ?? 0);
    if (depth > 0) continue;
    if (open.words.length > 0) lines.push(open);
    open = null;
  }
  if (open && open.words.length > 0) lines.push(open);
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
 * Reads delegations out of a zone file, or of a list `prefix ns1 ns2 …`: `$ORIGIN`, `$TTL`, owners, NS, DS, and A or AAAA of servers inside a zone. Other
 * types belong in the zone itself: they are passed over with a warning.
 * @param origin what relative names belong to until the file says otherwise
 */
export function readZoneFile(text: string, origin: string): ZoneFileReading {
  const entries = new Map<string, ZoneFileEntry>();
  const glue = new Map<string, string[]>();
  const problems: ZoneFileProblem[] = [];
  const warned = new Set<string>();
  let base = absolute(origin, '');
  let owner: string | null = null;
  const entryOf = (zone: string, line: number): ZoneFileEntry => {
    let entry = entries.get(zone);
    if (!entry) entries.set(zone, (entry = { zone, line, servers: [], ds: [] }));
    return entry;
  };
  for (const { line, indented, words } of linesOf(text)) {
    const error = (message: string): void => void problems.push({ line, severity: 'error', message });
    const [first = '', ...rest] = words;
    if (first.startsWith('$')) {
      if (/^\$ORIGIN$/i.test(first) && rest.length === 1) base = absolute(rest[0]!, base);
      else if (!/^\$TTL$/i.test(first)) error(`${first} isn’t read here. Use $ORIGIN and $TTL only`);
      continue;
    }
    if (isPrefix(first)) {
      readListed(first, rest, line, error, entryOf);
      continue;
    }
    const tokens = [...words];
    if (!indented) owner = absolute(tokens.shift()!, base);
    while (tokens[0] !== undefined && (isTtl(tokens[0]) || /^(IN|CH|HS)$/i.test(tokens[0])) && !types.has(tokens[0].toUpperCase()))
      tokens.shift();
    const type = tokens.shift()?.toUpperCase();
    if (owner === null) {
      error('This line has no owner, and no line before it has one. Begin it with the name of the zone');
      continue;
    }
    if (type === undefined || !types.has(type)) {
      error(
        type === undefined
          ? 'This line has no record. Write such as “2 NS ns1.example.net.”'
          : `${type} isn’t a record type that is read here. Use NS and DS`,
      );
      continue;
    }
    if (type === 'NS') {
      if (tokens.length !== 1) error('An NS record names one server, such as “2 NS ns1.example.net.”');
      else {
        const entry = entryOf(owner, line);
        const server = absolute(tokens[0]!, base);
        if (!entry.servers.includes(server)) entry.servers.push(server);
      }
    } else if (type === 'DS') {
      const [tag, algorithm, digestType, ...digits] = tokens;
      const digest = digits.join('').toUpperCase();
      if (![tag, algorithm, digestType].every(each => /^\d{1,5}$/.test(each ?? '')) || !/^[0-9A-F]+$/.test(digest))
        error('A DS record has key tag, algorithm, digest type and digest');
      else {
        const entry = entryOf(owner, line);
        const ds = `${Number(tag)} ${Number(algorithm)} ${Number(digestType)} ${digest}`;
        if (!entry.ds.includes(ds)) entry.ds.push(ds);
      }
    } else if (type === 'A' || type === 'AAAA') glue.set(owner, [...(glue.get(owner) ?? []), tokens[0] ?? '']);
    else if (!warned.has(type)) {
      warned.add(type);
      problems.push({ line, severity: 'warning', message: `${type} records are passed over: they belong in your own zone` });
    }
  }
  for (const entry of entries.values()) {
    entry.servers = entry.servers.flatMap(server => {
      const inside = server === entry.zone || server.endsWith(`.${entry.zone}`);
      const addresses = inside ? (glue.get(server) ?? []) : [];
      return addresses.length > 0 ? addresses.map(address => `${server} ${address}`) : [server];
    });
    const wrong = entryProblem(entry);
    if (wrong !== null) problems.push({ line: entry.line, severity: 'error', message: wrong });
  }
  return { entries: [...entries.values()], problems: problems.toSorted((a, b) => a.line - b.line) };
}

function absolute(name: string, base: string): string {
  const plain = name.toLowerCase();
  if (plain === '@') return base;
  if (plain.endsWith('.')) return plain.slice(0, -1);
  return base === '' || plain.endsWith('.arpa') ? plain : `${plain}.${base}`;
}

const isPrefix = (word: string): boolean => /^\d+\.\d+\.\d+\.\d+\/\d+$|^[0-9a-f:]+\/\d+$/i.test(word);

function readListed(
  prefix: string,
  rest: readonly string[],
  line: number,
  error: (message: string) => void,
  entryOf: (zone: string, line: number) => ZoneFileEntry,
): void {
  try {
    const resource = readResource(prefix);
    if (resource.family === 'asn') return;
    const zones = coverRange(resource).flatMap(listZonePrefixes).map(printReverseZone);
    if (zones.length === 0) return error(`${prefix} is smaller than a /24. Hand it on inside the zone of the /24 (RFC 2317)`);
    const servers = rest.filter(word => word.includes('.')).map(word => absolute(word, ''));
    for (const zone of zones) entryOf(zone, line).servers.push(...servers.filter(each => !entryOf(zone, line).servers.includes(each)));
  } catch (problem) {
    error((problem as Error).message);
  }
}

function entryProblem({ zone, servers, ds }: ZoneFileEntry): string | null {
  const never = delegatedZoneProblem(zone);
  if (never !== null) return zone.endsWith('.arpa') ? never : `${never}. Is $ORIGIN right?`;
  if (new Set(servers.map(each => each.split(' ')[0])).size < fewestServers)
    return `${zone} has ${servers.length === 0 ? 'no NS record' : 'one server'}${ds.length > 0 && servers.length === 0 ? ', only DS records' : ''}. Give it two servers or more`;
  return null;
}
