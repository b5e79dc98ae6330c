import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { DnsClient, DnsResult, Transport } from '../src/adapters/dns/client.ts';
import { type DnsMessage, type DnsRecord, type Question, recordTypes, wireNameOf } from '../src/adapters/dns/message.ts';
import { dsOf, keyTag, printDs } from '../src/modules/reverse-dns/key-material.ts';
import type { Resolver } from '../src/modules/reverse-dns/checks/resolver.ts';

type Answer = DnsMessage | 'timeout' | 'refused' | 'no-route';
type Asked = { question: Question; transport: Transport; address: string; server: string };
/** Replaces the answer of a good server; undefined leaves it. */
export type Bend = (answer: DnsMessage, asked: Asked) => Answer | undefined;
type Resigning = { type: keyof typeof recordTypes; how: 'expired' | 'none' | 'broken' };

const failures = { timeout: 'no answer within 1 seconds', refused: 'ECONNREFUSED', 'no-route': 'ENETUNREACH' } as const;

/** Simulated name servers that answer correctly for one zone, except for what a test changes. Nothing goes over a network. */
export type NameServerLab = { client: DnsClient; resolver: Resolver; ds: string[]; asked: Asked[] };

const number16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The types of an NSEC (RFC 4034, section 4.1.2), all of the first window. */
function bitmap(types: readonly number[]): Buffer {
  const bytes = Buffer.alloc(32);
  for (const type of types) bytes[type >> 3]! |= 0x80 >> (type & 7);
  const length = bytes.findLastIndex(byte => byte !== 0) + 1;
  return Buffer.concat([Buffer.from([0, length]), bytes.subarray(0, length)]);
}

const inOrder = (names: readonly string[]): string[] => {
  const key = (name: string): string => name.split('.').toReversed().join('\0');
  return names.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** @param names their last labels or full names below the zone, with the name that each address has */
export function nameServerLab({
  zone,
  servers,
  names,
  now,
  signed = false,
  resigning,
  addresses = {},
  lookUpsFail = false,
  bend = () => undefined,
}: {
  zone: string;
  servers: Readonly<Record<string, readonly string[]>>;
  names: Readonly<Record<string, string>>;
  now: Date;
  signed?: boolean;
  resigning?: Resigning;
  /** Addresses of further hosts, as a resolver knows them. */
  addresses?: Readonly<Record<string, readonly string[]>>;
  /** Whether no resolver answers. */
  lookUpsFail?: boolean;
  bend?: Bend;
}): NameServerLab {
  const t = recordTypes;
  const record = (name: string, type: number, data: Buffer): DnsRecord => ({ name, type, class: 1, ttl: 3_600, data });
  const hosts = Object.keys(servers);
  const soa = Buffer.concat([
    wireNameOf(hosts[0]!),
    wireNameOf('hostmaster.example.net'),
    ...[2026112401, 14_400, 3_600, 1_209_600, 3_600].map(number32),
  ]);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const keyData = Buffer.concat([number16(257), Buffer.from([3, 15]), key]);
  const dnskey = { flags: 257, protocol: 3, algorithm: 15, publicKey: key };
  const records: DnsRecord[] = [
    record(zone, t.SOA, soa),
    ...hosts.map(host => record(zone, t.NS, wireNameOf(host))),
    ...Object.entries(names).map(([label, name]) => record(`${label}.${zone}`, t.PTR, wireNameOf(name))),
    ...(signed ? [record(zone, t.DNSKEY, keyData)] : []),
  ];
  const owners = inOrder([...new Set(records.map(({ name }) => name))]);
  if (signed)
    for (const [index, owner] of owners.entries()) {
      const own = records.filter(({ name }) => name === owner).map(({ type }) => type);
      const next = wireNameOf(owners[index + 1] ?? zone);
      records.push(record(owner, t.NSEC, Buffer.concat([next, bitmap([...own, t.RRSIG, t.NSEC])])));
    }
  const seconds = Math.floor(now.getTime() / 1000);
  const signatures = signed
    ? [...Map.groupBy(records, ({ name, type }) => `${name} ${type}`).values()].flatMap(set => {
        const how = resigning !== undefined && set[0]!.type === t[resigning.type] ? resigning.how : 'good';
        return how === 'none'
          ? []
          : [record(set[0]!.name, t.RRSIG, signatureOf(set, { zone, key: privateKey, tag: keyTag(keyData), seconds, how }))];
      })
    : [];
  const over = (set: readonly DnsRecord[]): DnsRecord[] =>
    set.length === 0 ? [] : signatures.filter(({ name, data }) => name === set[0]!.name && data.readUInt16BE(0) === set[0]!.type);

  const answerTo = (question: Question, id: number): DnsMessage => {
    const name = question.name.toLowerCase();
    const isInside = name === zone || name.endsWith(`.${zone}`);
    const withEdns = question.edns !== false;
    const found = records.filter(each => each.name === name && each.type === t[question.type]);
    const exists = owners.some(owner => owner === name || owner.endsWith(`.${name}`));
    const soaSet = records.slice(0, 1);
    const nsecs = records.filter(({ type }) => type === t.NSEC);
    const at = owners.findLastIndex(owner => inOrder([owner, name])[0] === owner);
    const denial = signed && question.dnssec ? [...new Set([nsecs[0]!, nsecs[Math.max(at, 0)]!])] : [];
    const isNegative = isInside && found.length === 0;
    const dnssec = (set: readonly DnsRecord[]): DnsRecord[] => (question.dnssec ? over(set) : []);
    return {
      id,
      answer: true,
      authoritative: isInside,
      truncated: false,
      recursionAvailable: false,
      authentic: false,
      code: !isInside ? 5 : question.version ? 16 : exists ? 0 : 3,
      question: { name, spelled: question.name, type: t[question.type] },
      answers: question.version ? [] : [...found, ...dnssec(found)],
      authority: isNegative ? [...soaSet, ...dnssec(soaSet), ...denial.flatMap(each => [each, ...over([each])])] : [],
      additional: [],
      edns: withEdns ? { version: 0, payload: 1232, dnssecOk: question.dnssec === true } : null,
      bytes: 100,
    };
  };
  const asked: Asked[] = [];
  const query: DnsClient['query'] = (address, question, { transport }) => {
    const server = hosts.find(host => servers[host]!.includes(address)) ?? '';
    const one = { question, transport, address, server };
    asked.push(one);
    const good = question.type === 'AXFR' ? { ...answerTo(question, 1), code: 5, answers: [] } : answerTo(question, 1);
    const answer = bend(good, one) ?? good;
    const result: DnsResult =
      typeof answer === 'string'
        ? { milliseconds: 5, failure: { kind: answer, detail: failures[answer] } }
        : { milliseconds: 5, message: answer, wire: Buffer.of(), from: address };
    return Promise.resolve(result);
  };
  const known: Readonly<Record<string, readonly string[]>> = { ...servers, ...addresses };
  const ds = dsOf(zone, dnskey);
  return {
    client: { query, close: () => Promise.resolve() },
    resolver: {
      addressesOf: host =>
        Promise.resolve(
          lookUpsFail
            ? { addresses: [], alias: null, failure: 'SERVFAIL' }
            : { addresses: [...(known[host] ?? [])], alias: null, failure: null },
        ),
      nameOf: () => Promise.resolve({ name: null, failure: lookUpsFail ? 'SERVFAIL' : null }),
      chainTo: () => Promise.resolve([]),
      delegationOf: () => Promise.resolve(null),
    },
    ds: signed && ds ? [printDs(ds)] : [],
    asked,
  };
}

/** A signature over a record set (RFC 4034, section 3.1), good or not. */
function signatureOf(
  set: readonly DnsRecord[],
  { zone, key, tag, seconds, how }: { zone: string; key: KeyObject; tag: number; seconds: number; how: 'good' | 'expired' | 'broken' },
): Buffer {
  const [{ name, type }] = set as [DnsRecord];
  const day = 86_400;
  const ends = how === 'expired' ? seconds - day : seconds + 20 * day;
  const head = Buffer.concat([
    number16(type),
    Buffer.from([15, name.split('.').length]),
    number32(3_600),
    number32(ends),
    number32(seconds - 10 * day),
    number16(tag),
    wireNameOf(zone),
  ]);
  const parts = set
    .map(({ data }) => data)
    .toSorted((a, b) => Buffer.compare(a, b))
    .flatMap(data => [wireNameOf(name), number16(type), number16(1), number32(3_600), number16(data.length), data]);
  const signature = sign(null, Buffer.concat([head, ...parts]), key);
  if (how === 'broken') signature[0]! ^= 1;
  return Buffer.concat([head, signature]);
}
