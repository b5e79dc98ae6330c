import { type AddressFamily, findSpecialBlock, parseAddress, parseReverseZone } from '@portal/number-resources';

/**
 * Rules for records that a parent zone may carry, so that every name server loads it and validators understand it. All doors to domain objects and to published zones read these
 * rules: forms, texts, programs, zone files, imports, the publisher.
 */

/** Labels of a host (RFC 952, RFC 1123 section 2.1): letters, digits, and hyphens within. */
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** A delegation needs two servers, so that one may fail (RFC 2182); more than twelve don’t fit into every answer. */
export const fewestServers = 2;
export const maxServers = 12;

/** Returns what is wrong with the name of a name server; null if nothing is. A final dot is none of it. */
export function hostNameProblem(host: string): string | null {
  const name = host.replace(/\.$/, '');
  if (/^[\d.]+$|:/.test(name)) return `${host} is an address. Enter the name of the server, such as ns1.example.net`;
  if (/[^\x21-\x7e]/.test(name)) return `${host} has letters beyond ASCII. Enter the name in its ASCII form, which begins with xn--`;
  if (name.includes('_')) return `${host} has an underscore, which names of servers can’t have (RFC 1123)`;
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2 || !labels.every(label => hostLabel.test(label)) || /^\d+$/.test(labels.at(-1)!))
    return `${host} isn’t a host name. Enter one such as ns1.example.net`;
  return null;
}

/** Returns whether the name of a server lies inside a zone: only then the parent publishes its address, as glue. */
export const isInsideZone = (host: string, zone: string): boolean => host === zone || host.endsWith(`.${zone}`);

/** Returns the smallest reverse zone that could hold a name, such as 2.0.192.in-addr.arpa for ns1.2.0.192.in-addr.arpa; null for names elsewhere. */
export const reverseZoneOf = (host: string): string | null =>
  /(?:^|\.)((?:\d{1,3}\.){0,4}in-addr\.arpa|(?:[\da-f]\.){0,32}ip6\.arpa)$/.exec(host)?.[1] ?? null;

/**
 * Returns why no resolver would find a server of a zone by its name; null if one might. A server inside the zone needs its address in the delegation,
 * and one in a zone around it can have none anywhere: most often its name just lacks a final dot in a zone file, and became relative to that zone.
 * @param given its name as written in a file in which names are relative; without it the name is complete
 */
export function serverPlaceProblem(
  zone: string,
  server: string,
  { hasAddress, given }: { hasAddress: boolean; given?: string },
): string | null {
  const around = reverseZoneOf(server);
  const isInside = isInsideZone(server, zone);
  if (isInside ? hasAddress : around === null || !isInsideZone(zone, around)) return null;
  const lacks = `${server} lies inside ${isInside ? 'the zone' : around} and has no address`;
  if (given !== undefined && /[a-z-]\.[a-z][a-z-]*$/i.test(given) && !given.endsWith('arpa'))
    return `${lacks}. Is its final dot missing? Write “${given}.”`;
  if (isInside) return `${lacks}. Add a line such as “${server}. A 192.0.2.1”`;
  const dot = given === undefined ? '' : '.';
  const short = server.slice(0, -around!.length - 1);
  return hostNameProblem(short) === null
    ? `${lacks}. If its name is ${short}, enter just that${dot === '' ? '' : ', with a final dot'}`
    : `${lacks}. Name a server elsewhere, such as ns1.example.net${dot}, or one inside ${zone} with its address`;
}

/** Returns a caution about a server in another reverse zone, whose address the parent doesn’t publish; null for servers elsewhere. */
export function serverBesideCaution(zone: string, server: string): string | null {
  const beside = reverseZoneOf(server);
  return beside === null || isInsideZone(server, zone) || isInsideZone(zone, beside)
    ? null
    : `${server} lies inside ${beside}, so its address isn’t published with ${zone}. Resolvers find it only where ${beside} is delegated and has it`;
}

/** Returns why no resolver elsewhere can ask a server at an address; null if one can. Addresses of documentation and benchmarking pass: examples and labs use them. */
export function serverAddressProblem(address: string): string | null {
  let family: AddressFamily;
  let value: bigint;
  try {
    ({ family, value } = parseAddress(address));
  } catch (error) {
    return (error as Error).message;
  }
  const block = findSpecialBlock({ family, first: value, last: value });
  if (!block || block.use === 'documentation' || block.use === 'benchmarking' || block.use === 'anycast') return null;
  return `${address} is reserved (${block.name}, ${block.source}), so resolvers elsewhere can’t reach a server there. Enter its public address`;
}

/** Algorithms a DS may not use (RFC 8624, section 3.1): validators ignore them, so the zone would look unsigned or fail. */
export const forbiddenAlgorithms: Readonly<Record<number, string>> = { 1: 'RSAMD5', 3: 'DSA', 6: 'DSA-NSEC3-SHA1', 12: 'ECC-GOST' };

/** Algorithms by number (RFC 8624). */
export const algorithmNames: Readonly<Record<number, string>> = {
  ...forbiddenAlgorithms,
  5: 'RSASHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  8: 'RSASHA256',
  10: 'RSASHA512',
  13: 'ECDSAP256SHA256',
  14: 'ECDSAP384SHA384',
  15: 'ED25519',
  16: 'ED448',
};

/** Digest types of DS records that a parent may publish (RFC 8624, section 3.3), with the digits of each. */
const digestLengths: Readonly<Record<number, number>> = { 1: 40, 2: 64, 4: 96 };

/** Returns why a parent can’t publish keys of an algorithm; null if it can. */
export const algorithmProblem = (algorithm: number): string | null =>
  forbiddenAlgorithms[algorithm] !== undefined
    ? `Algorithm ${algorithm} (${forbiddenAlgorithms[algorithm]}) must not be used (RFC 8624). Sign with 13 (ECDSA P-256) or 15 (Ed25519)`
    : algorithmNames[algorithm] === undefined
      ? `Algorithm ${algorithm} is unknown. Sign with 13 (ECDSA P-256) or 15 (Ed25519)`
      : null;

/** Returns why a parent can’t publish a digest; null if it can. The digits are hexadecimal already. */
export function digestProblem(type: number, digest: string): string | null {
  const length = digestLengths[type];
  if (length === undefined) return `Digest type ${type} isn’t used for DS records. Use 2 (SHA-256) or 4 (SHA-384)`;
  return digest.length === length ? null : `The digest has ${digest.length} digits. Digest type ${type} has ${length}`;
}

/** Returns why a parent can’t publish a DS record in its usual notation, such as `64431 13 2 3D…`; null if it can. */
export function dsProblem(record: string): string | null {
  const [, tag, algorithm, type, digest] = /^(\d{1,5}) (\d{1,3}) (\d{1,3}) ([0-9A-F]+)$/i.exec(record) ?? [];
  if (tag === undefined || Number(tag) > 65_535) return `${record} isn’t a DS record`;
  if (/^0 0 0 0+$/.test(record)) return '0 0 0 00 is how a zone asks for its DS to be deleted (RFC 8078). Remove the line instead';
  return algorithmProblem(Number(algorithm)) ?? digestProblem(Number(type), digest!);
}

/** Returns true for a DS that resolvers still understand, and that rests on SHA-1 alone: as its digest, or in its signatures. */
export const isOutdatedDs = (record: string): boolean => {
  const [, algorithm, type] = record.split(' ').map(Number);
  return type === 1 || algorithm === 5 || algorithm === 7;
};

/** Returns why the registry doesn’t delegate a reverse zone, for any caller; null for one that it could. */
export function delegatedZoneProblem(zone: string): string | null {
  if (/^\d+[-/]\d+\./.test(zone)) return `${zone} is a part of a /24. The holder of the /24 delegates it inside that zone (RFC 2317)`;
  try {
    const prefix = parseReverseZone(zone);
    if (prefix.length === 0) return `${zone} is the root of all reverse zones`;
    return prefix.family === 'ipv4' && prefix.length > 24
      ? `${zone} is a single address. The smallest zone the registry delegates is that of a /24`
      : null;
  } catch (error) {
    return (error as Error).message;
  }
}
