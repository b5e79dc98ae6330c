/** Messages of the DNS (RFC 1035), with EDNS (RFC 6891). Names are lower case ASCII without a final dot; the root is the empty string. */

import { printAddress } from '@portal/number-resources';

export const recordTypes = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, TXT: 16, AAAA: 28, DNAME: 39, OPT: 41, DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50, NSEC3PARAM: 51,
  CDS: 59, CDNSKEY: 60, AXFR: 252, ANY: 255, TYPE65280: 65280,
} as const; // biome-ignore format: a list
export type RecordType = keyof typeof recordTypes;
const typeNames = new Map<number, RecordType>(Object.entries(recordTypes).map(([name, code]) => [code, name as RecordType]));
export const typeName = (code: number): string => typeNames.get(code) ?? `TYPE${code}`;

const responseCodes = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
];
export const codeName = (code: number): string => responseCodes[code] ?? (code === 16 ? 'BADVERS' : `RCODE${code}`);

/** A record: `data` as it travelled, with compressed names written out, so that signatures can be verified over it. */
export type DnsRecord = { name: string; type: number; class: number; ttl: number; data: Buffer };
export type DnsMessage = {
  id: number;
  /** It is an answer. */
  answer: boolean;
  authoritative: boolean;
  truncated: boolean;
  recursionAvailable: boolean;
  authentic: boolean;
  code: number;
  question: { name: string; spelled: string; type: number } | null;
  answers: DnsRecord[];
  authority: DnsRecord[];
  additional: DnsRecord[];
  /** Null where the server does not speak EDNS. */
  edns: { version: number; payload: number; dnssecOk: boolean } | null;
  bytes: number;
};

/** The most records that one answer may have: those of a zone’s own sets, with signatures, are a tenth of it. Reading so many takes 3 ms. */
const MAX_RECORDS = 1000;

/** A message that does not keep to the format, or is larger than any answer to what is asked. */
export class BadMessage extends Error {}

/** A name in wire format, without compression. @throws RangeError for labels and names that are too long */
export function wireNameOf(name: string): Buffer {
  const plain = name.replace(/\.$/, '');
  if (plain === '') return Buffer.from([0]);
  // A length in front of each label takes the place of the dot before it; the root ends the name.
  const wire = Buffer.alloc(plain.length + 2);
  wire.write(plain, 1, 'latin1');
  let begins = 0;
  for (let at = 1; at <= plain.length + 1; at++) {
    if (at <= plain.length && wire[at] !== DOT) continue;
    const size = at - begins - 1;
    if (size === 0 || size > 63) throw new RangeError(`${name} has a label of ${size} characters`);
    wire[begins] = size;
    begins = at;
  }
  wire[begins] = 0;
  if (wire.length > 255) throw new RangeError(`${name} is longer than 255 bytes`);
  return wire;
}
const DOT = 0x2e;

/** A question for a server. `dnssec`: asks for signatures. `recursive`: asks it to look further. `version`, `option`: of EDNS, to see what it does with those it doesn’t know. */
export type Question = {
  name: string;
  type: RecordType;
  recursive?: boolean;
  edns?: boolean;
  dnssec?: boolean;
  payload?: number;
  version?: number;
  option?: number;
};

export function encodeQuestion(
  id: number,
  { name, type, recursive = false, edns = true, dnssec = false, payload = 1232, version = 0, option }: Question,
): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(recursive ? 0x0100 : 0, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(edns ? 1 : 0, 10);
  const tail = Buffer.from([0, recordTypes[type], 0, 1]);
  if (!edns) return Buffer.concat([head, wireNameOf(name), tail]);
  return Buffer.concat([
    head,
    wireNameOf(name),
    tail,
    Buffer.from([0, 0, recordTypes.OPT, payload >> 8, payload & 255, 0, version, dnssec ? 0x80 : 0, 0]),
    Buffer.from(option === undefined ? [0, 0] : [0, 4, option >> 8, option & 255, 0, 0]),
  ]);
}

/** Names of a message by the places where they begin, each label a beginning: what many records point at is read once. */
type KnownNames = Map<number, { name: string; length: number }>;

/** Reads a name; `end` is the place after it. Pointers go backwards only, so that none makes a loop. */
function readName(wire: Buffer, start: number, known: KnownNames = new Map()): { name: string; end: number } {
  const labels: { at: number; label: string }[] = [];
  let at = start;
  let end = -1;
  let least = start;
  let name = '';
  let length = 0;
  for (;;) {
    const seen = end < 0 ? undefined : known.get(at);
    if (seen) {
      ({ name, length } = seen);
      break;
    }
    const size = wire[at];
    if (size === undefined) throw new BadMessage('a name runs beyond the message');
    if (size === 0) {
      if (end < 0) end = at + 1;
      break;
    }
    if ((size & 0xc0) === 0xc0) {
      const low = wire[at + 1];
      if (low === undefined) throw new BadMessage('a name runs beyond the message');
      if (end < 0) end = at + 2;
      const target = ((size & 0x3f) << 8) | low;
      if (target >= least) throw new BadMessage('a compressed name points at itself');
      least = target;
      at = target;
      continue;
    }
    if (size & 0xc0) throw new BadMessage('a name has a label of an unknown kind');
    if (at + 1 + size > wire.length) throw new BadMessage('a name runs beyond the message');
    // A name of 255 bytes has 127 labels at most.
    if (labels.length === 127) throw new BadMessage('a name is longer than 255 bytes');
    labels.push({ at, label: wire.toString('latin1', at + 1, at + 1 + size) });
    at += size + 1;
  }
  for (const each of labels.toReversed()) {
    name = name === '' ? each.label : `${each.label}.${name}`;
    length += each.label.length + 1;
    if (length > 255) throw new BadMessage('a name is longer than 255 bytes');
    known.set(each.at, { name, length });
  }
  return { name, end };
}

/** Reads a message. @throws BadMessage saying what is wrong */
export function decodeMessage(wire: Buffer): DnsMessage {
  if (wire.length < 12) throw new BadMessage(`the answer has ${wire.length} bytes, a message has at least 12`);
  const flags = wire.readUInt16BE(2);
  const counts = [4, 6, 8, 10].map(at => wire.readUInt16BE(at));
  const records = counts[1]! + counts[2]! + counts[3]!;
  if (counts[0]! > 1) throw new BadMessage(`the answer repeats ${counts[0]} questions, and one was asked`);
  if (records > MAX_RECORDS) throw new BadMessage(`the answer has ${records} records, more than ${MAX_RECORDS}`);
  const known: KnownNames = new Map();
  let at = 12;
  let question: DnsMessage['question'] = null;
  for (let i = 0; i < counts[0]!; i++) {
    const { name, end } = readName(wire, at, known);
    if (end + 4 > wire.length) throw new BadMessage('the question is cut off');
    question = { name: name.toLowerCase(), spelled: name, type: wire.readUInt16BE(end) };
    at = end + 4;
  }
  const section = (count: number): DnsRecord[] => {
    const records: DnsRecord[] = [];
    for (let i = 0; i < count; i++) {
      const { name, end } = readName(wire, at, known);
      if (end + 10 > wire.length) throw new BadMessage('a record is cut off');
      const type = wire.readUInt16BE(end);
      const size = wire.readUInt16BE(end + 8);
      const start = end + 10;
      if (start + size > wire.length) throw new BadMessage('a record is cut off');
      records.push({
        name: name.toLowerCase(),
        type,
        class: wire.readUInt16BE(end + 2),
        ttl: wire.readUInt32BE(end + 4),
        data: writtenOut(wire, { type, start, size, known }),
      });
      at = start + size;
    }
    return records;
  };
  const answers = section(counts[1]!);
  const authority = section(counts[2]!);
  const all = section(counts[3]!);
  const opt = all.find(({ type }) => type === recordTypes.OPT);
  return {
    id: wire.readUInt16BE(0),
    answer: (flags & 0x8000) !== 0,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursionAvailable: (flags & 0x0080) !== 0,
    authentic: (flags & 0x0020) !== 0,
    code: (flags & 15) | (opt ? (opt.ttl >>> 24) << 4 : 0),
    question,
    answers,
    authority,
    additional: all.filter(({ type }) => type !== recordTypes.OPT),
    edns: opt ? { version: (opt.ttl >> 16) & 255, payload: opt.class, dnssecOk: (opt.ttl & 0x8000) !== 0 } : null,
    bytes: wire.length,
  };
}

/** The fewest bytes that data of a type can have, which every reader of it relies on (RFC 4034, 5155, 7344). */
const LEAST_BYTES = new Map<number, number>([
  [recordTypes.DS, 5],
  [recordTypes.CDS, 5],
  [recordTypes.DNSKEY, 5],
  [recordTypes.CDNSKEY, 5],
  [recordTypes.RRSIG, 19],
  [recordTypes.NSEC3, 6],
]);

/** RDATA with its names written out, in lower case as signatures cover them (RFC 4034, section 6.2). */
function writtenOut(wire: Buffer, { type, start, size, known }: { type: number; start: number; size: number; known: KnownNames }): Buffer {
  const end = start + size;
  const whole = (found: number): void => {
    if (found !== end) throw new BadMessage(`the data of a record of type ${typeName(type)} has another length than it says`);
  };
  const { NS, CNAME, PTR, DNAME, SOA } = recordTypes;
  if (type === NS || type === CNAME || type === PTR || type === DNAME) {
    const { name, end: after } = readName(wire, start, known);
    whole(after);
    return wireNameOf(name.toLowerCase());
  }
  if (type === SOA) {
    const first = readName(wire, start, known);
    const second = readName(wire, first.end, known);
    whole(second.end + 20);
    return Buffer.concat([wireNameOf(first.name.toLowerCase()), wireNameOf(second.name.toLowerCase()), wire.subarray(second.end, end)]);
  }
  if (type === recordTypes.A && size !== 4) throw new BadMessage('an A record has no IPv4 address');
  if (type === recordTypes.AAAA && size !== 16) throw new BadMessage('an AAAA record has no IPv6 address');
  const data = Buffer.from(wire.subarray(start, end));
  if (size < (LEAST_BYTES.get(type) ?? 0)) throw new BadMessage(`the data of a record of type ${typeName(type)} is cut off`);
  // Signer and next name, which every reader of the record relies on.
  if (type === recordTypes.RRSIG) readName(data, 18);
  if (type === recordTypes.NSEC) readName(data, 0);
  return data;
}

/** The name in the data of an NS, CNAME or PTR record. */
export const nameIn = ({ data }: DnsRecord): string => readName(data, 0).name;

export type Soa = { mname: string; rname: string; serial: number; refresh: number; retry: number; expire: number; minimum: number };
export function soaOf({ data }: DnsRecord): Soa {
  const mname = readName(data, 0);
  const rname = readName(data, mname.end);
  const [serial, refresh, retry, expire, minimum] = [0, 4, 8, 12, 16].map(offset => data.readUInt32BE(rname.end + offset)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { mname: mname.name, rname: rname.name, serial, refresh, retry, expire, minimum };
}

export type Rrsig = {
  covered: number;
  algorithm: number;
  labels: number;
  ttl: number;
  /** Seconds since 1970. */
  expires: number;
  begins: number;
  tag: number;
  signer: string;
  signature: Buffer;
  /** The signed bytes in front of the signature. */
  head: Buffer;
};
/** Reads a signature (RFC 4034, section 3.1). @throws BadMessage */
export function rrsigOf({ data }: DnsRecord): Rrsig {
  if (data.length < 19) throw new BadMessage('a signature is cut off');
  const { name, end } = readName(data, 18);
  return {
    covered: data.readUInt16BE(0),
    algorithm: data[2]!,
    labels: data[3]!,
    ttl: data.readUInt32BE(4),
    expires: data.readUInt32BE(8),
    begins: data.readUInt32BE(12),
    tag: data.readUInt16BE(16),
    signer: name.toLowerCase(),
    signature: data.subarray(end),
    head: Buffer.concat([data.subarray(0, 18), wireNameOf(name.toLowerCase())]),
  };
}

/** An address record as text, in the form of RFC 5952. */
export function addressIn({ data, type }: DnsRecord): string {
  if (type === recordTypes.A) return [...data].join('.');
  const value = (data.readBigUInt64BE(0) << 64n) | data.readBigUInt64BE(8);
  return printAddress({ family: 'ipv6', value });
}

/** A record as zone files write it, for people who read raw answers. */
export function printRecord(record: DnsRecord): string {
  const { name, type, ttl, data } = record;
  return `${name}. ${ttl} IN ${typeName(type)} ${printData(record, type, data)}`;
}

function printData(record: DnsRecord, type: number, data: Buffer): string {
  const t = recordTypes;
  try {
    if (type === t.NS || type === t.CNAME || type === t.PTR || type === t.DNAME) return `${nameIn(record)}.`;
    if (type === t.A || type === t.AAAA) return addressIn(record);
    if (type === t.SOA) {
      const { mname, rname, serial, refresh, retry, expire, minimum } = soaOf(record);
      return `${mname}. ${rname}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
    }
    if (type === t.DS || type === t.CDS)
      return `${data.readUInt16BE(0)} ${data[2]} ${data[3]} ${data.subarray(4).toString('hex').toUpperCase()}`;
    if (type === t.DNSKEY || type === t.CDNSKEY)
      return `${data.readUInt16BE(0)} ${data[2]} ${data[3]} ${data.subarray(4).toString('base64')}`;
    if (type === t.RRSIG) {
      const { covered, algorithm, labels, ttl, expires, begins, tag, signer, signature } = rrsigOf(record);
      return `${typeName(covered)} ${algorithm} ${labels} ${ttl} ${stamp(expires)} ${stamp(begins)} ${tag} ${signer}. ${signature.toString('base64').slice(0, 24)}…`;
    }
  } catch {
    // Printed as it is.
  }
  return `\\# ${data.length} ${data.toString('hex').slice(0, 128)}${data.length > 64 ? '…' : ''}`;
}

const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '');
