import { createHash } from 'node:crypto';
import { algorithmProblem, digestProblem } from '@portal/rpsl';
import { wireNameOf } from '../../adapters/dns/message.ts';

/** Digest types of DS records that parents should publish (RFC 8624, section 3.3): SHA-256 and SHA-384. */
const digests: Readonly<Record<number, { name: string; hash: string }>> = {
  1: { name: 'SHA-1', hash: 'sha1' },
  2: { name: 'SHA-256', hash: 'sha256' },
  4: { name: 'SHA-384', hash: 'sha384' },
};

export type Dnskey = { flags: number; protocol: number; algorithm: number; publicKey: Buffer };

/** RDATA of a DNSKEY record as it travels (RFC 4034, section 2.1). */
const dnskeyRdata = ({ flags, protocol, algorithm, publicKey }: Dnskey): Buffer =>
  Buffer.concat([Buffer.from([flags >> 8, flags & 255, protocol, algorithm]), publicKey]);

/** Key tag of a DNSKEY (RFC 4034, appendix B; algorithm 1 is not covered: it is forbidden). */
export function keyTag(rdata: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < rdata.length; i++) sum += i & 1 ? rdata[i]! : rdata[i]! << 8;
  sum += (sum >> 16) & 0xffff;
  return sum & 0xffff;
}

/**
 * The DS of a key in a zone: digest over the owner's name in wire format, lower case, and the RDATA (RFC 4034, section 5.1.4).
 * @param type 2 for SHA-256, 4 for SHA-384, 1 for SHA-1
 */
export function dsOf(zone: string, key: Dnskey, type = 2): { tag: number; algorithm: number; type: number; digest: string } | null {
  const digest = digests[type];
  if (!digest) return null;
  const rdata = dnskeyRdata(key);
  const hash = createHash(digest.hash).update(wireNameOf(zone.toLowerCase())).update(rdata).digest('hex').toUpperCase();
  return { tag: keyTag(rdata), algorithm: key.algorithm, type, digest: hash };
}

export const printDs = ({ tag, algorithm, type, digest }: { tag: number; algorithm: number; type: number; digest: string }): string =>
  `${tag} ${algorithm} ${type} ${digest}`;

type KeyProblem = { line: number; message: string };
/** DS records by zone, as in domain objects, and the problems of the text. */
type KeyReading = { ds: Map<string, string[]>; problems: KeyProblem[]; warnings: KeyProblem[] };

/**
 * Reads pasted DS or DNSKEY records, in the format of zone files (owner, TTL and class may be missing; brackets and comments as in files of `dnssec-keygen`
 * and `dnssec-dsfromkey`). Each zone gets its own DS of a DNSKEY without owner. A DS without owner belongs to exactly one zone.
 */
export function readKeys(text: string, zones: readonly string[]): KeyReading {
  const reading: KeyReading = { ds: new Map(zones.map(zone => [zone, []])), problems: [], warnings: [] };
  for (const { line, words } of recordsOf(text)) {
    const problem = (message: string): number => reading.problems.push({ line, message });
    const at = words.findIndex(word => /^(ds|dnskey|cds|cdnskey)$/i.test(word));
    const head = at < 0 ? [] : words.slice(0, at).filter(word => !/^(in|\d+[smhdw]?)$/i.test(word));
    const owner = head[0]?.toLowerCase().replace(/\.$/, '') ?? null;
    const rdata = words.slice(at + 1);
    const type =
      at < 0
        ? rdata.length >= 4 && /^\d+$/.test(rdata[2] ?? '') && /^[0-9a-f]+$/i.test(rdata.slice(3).join(''))
          ? 'ds'
          : 'dnskey'
        : words[at]!.toLowerCase().replace(/^c/, '');
    if (owner !== null && !zones.includes(owner)) {
      problem(`${owner} is none of the zones of this request. Remove the line, or the name`);
      continue;
    }
    const targets = owner === null ? zones : [owner];
    if (type === 'ds') addDs(reading, line, rdata, targets, owner !== null);
    else addKey(reading, line, rdata, targets);
  }
  return reading;
}

function addDs(reading: KeyReading, line: number, rdata: string[], zones: readonly string[], named: boolean): void {
  const [tag = '', algorithm = '', type = '', ...digits] = rdata;
  const digest = digits.join('').toUpperCase();
  const problem = (message: string): number => reading.problems.push({ line, message });
  if (![tag, algorithm, type].every(each => /^\d{1,5}$/.test(each)) || !/^[0-9A-F]+$/.test(digest)) {
    problem('This is no DS or DNSKEY record. Paste a line such as “64431 13 2 3D…” or “257 3 13 mdsswUyr3DPW…”');
    return;
  }
  if (zones.length > 1 && !named) {
    problem('A DS belongs to one zone. Start the line with the name of its zone, or paste the DNSKEY: each zone gets its own DS then');
    return;
  }
  const wrong = algorithmProblem(Number(algorithm)) ?? digestProblem(Number(type), digest);
  if (wrong !== null) {
    problem(wrong);
    return;
  }
  if (Number(type) === 1) reading.warnings.push({ line, message: 'Digest type 1 (SHA-1) is outdated. Add one of type 2 (SHA-256)' });
  for (const zone of zones) put(reading, zone, `${Number(tag)} ${Number(algorithm)} ${Number(type)} ${digest}`);
}

function addKey(reading: KeyReading, line: number, rdata: string[], zones: readonly string[]): void {
  const [flags = '', protocol = '', algorithm = '', ...rest] = rdata;
  const problem = (message: string): number => reading.problems.push({ line, message });
  const base64 = rest.join('');
  if (!/^\d{1,5}$/.test(flags) || protocol !== '3' || !/^\d{1,3}$/.test(algorithm) || !/^[A-Za-z0-9+/]{20,}={0,2}$/.test(base64)) {
    problem('This is no DS or DNSKEY record. Paste a line such as “64431 13 2 3D…” or “257 3 13 mdsswUyr3DPW…”');
    return;
  }
  const wrong = algorithmProblem(Number(algorithm));
  if (wrong !== null) {
    problem(wrong);
    return;
  }
  if (Number(flags) !== 257) {
    problem(
      Number(flags) === 256
        ? 'This is a zone-signing key (flags 256). Paste the key-signing key, with flags 257'
        : `Flags ${flags} aren’t those of a key-signing key. Paste the DNSKEY with flags 257`,
    );
    return;
  }
  const publicKey = Buffer.from(base64, 'base64');
  const lengths: Record<number, number> = { 13: 64, 14: 96, 15: 32, 16: 57 };
  const wanted = lengths[Number(algorithm)];
  if (wanted !== undefined && publicKey.length !== wanted) {
    problem(`The key has ${publicKey.length} bytes. A key of algorithm ${algorithm} has ${wanted}: a part may be missing`);
    return;
  }
  for (const zone of zones) put(reading, zone, printDs(dsOf(zone, { flags: 257, protocol: 3, algorithm: Number(algorithm), publicKey })!));
}

function put({ ds }: KeyReading, zone: string, record: string): void {
  const list = ds.get(zone)!;
  if (!list.includes(record)) list.push(record);
}

/** Records of a pasted text: brackets join lines, semicolons begin comments. */
function recordsOf(text: string): { line: number; words: string[] }[] {
  const records: { line: number; words: string[] }[] = [];
  let open: { line: number; words: string[] } | null = null;
  let depth = 0;
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const plain = given.replace(/;.*$/, '');
    const words = plain.replaceAll(/[()]/g, ' ').split(/\s+/).filter(Boolean);
    open ??= { line: index + 1, words: [] };
    open.words.push(...words);
    depth += (plain.match(/\(/g)?.length ?? 0) - (plain.match(/\)/g)?.length ?? 0);
    if (depth > 0) continue;
    if (open.words.length > 0) records.push(open);
    open = null;
  }
  if (open && open.words.length > 0) records.push(open);
  return records;
}
