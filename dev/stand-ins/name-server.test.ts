import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { nameServerStandIn, recordData, type ScriptedAnswer, type ScriptedQuestion, type ScriptedRecord } from './name-server.ts';
import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { describe, expect, test } from 'vitest';
import { openDnsClient } from '../../apps/server/src/adapters/dns/client.ts';
import { recordTypes, wireNameOf } from '../../apps/server/src/adapters/dns/message.ts';
import { dsOf, keyTag, printDs } from '../../apps/server/src/modules/reverse-dns/key-material.ts';
import type { CheckQuestion } from '../../apps/server/src/modules/reverse-dns/checks/check-question.ts';
import { checkZone } from '../../apps/server/src/modules/reverse-dns/checks/zone-check.ts';

const zone = '2.0.192.in-addr.arpa';
const port = 4751;
const now = new Date('2026-11-22T12:00:00Z');
const seconds = now.getTime() / 1000;
const day = 86_400;
const { NS, SOA, PTR, DNSKEY, RRSIG, NSEC, NSEC3, A, CDS } = recordTypes;

/** A signed zone as a name server has it; `over` says what is wrong with it. */
type Fault = {
  soa?: { serial?: number; mname?: string; rname?: string; timers?: [number, number, number, number] };
  ns?: string[];
  signed?: boolean;
  signature?: { begins?: number; expires?: number; broken?: 'key' | 'soa'; algorithm?: number };
  denial?: 'none' | 'nsec3';
  cds?: string;
  cdsSigner?: 'none' | 'other';
  twoSoas?: boolean;
  ptr?: boolean;
  script?: (question: ScriptedQuestion, healthy: ScriptedAnswer) => ScriptedAnswer;
};

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicBytes = (key: KeyObject): Buffer => {
  const { x, y } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
};
const dnskey = { flags: 257, protocol: 3, algorithm: 13, publicKey: publicBytes(pair.publicKey) };
const dnskeyData = ({ flags, algorithm, publicKey }: typeof dnskey): Buffer =>
  Buffer.concat([Buffer.from([flags >> 8, flags & 255, 3, algorithm]), publicKey]);
const ds = printDs(dsOf(zone, dnskey)!);

function signed(
  records: readonly ScriptedRecord[],
  { begins = seconds - 5 * day, expires = seconds + 20 * day, algorithm = 13 }: Fault['signature'] = {},
  key = pair.privateKey,
): ScriptedRecord {
  const [{ name, type }] = records as [ScriptedRecord];
  const head = Buffer.alloc(18);
  head.writeUInt16BE(type, 0);
  head[2] = algorithm;
  head[3] = name.split('.').length;
  head.writeUInt32BE(3600, 4);
  head.writeUInt32BE(expires, 8);
  head.writeUInt32BE(begins, 12);
  head.writeUInt16BE(keyTag(dnskeyData(dnskey)), 16);
  const covered = Buffer.concat([head, wireNameOf(zone)]);
  const fixed = Buffer.from([type >> 8, type & 255, 0, 1, 0, 0, 14, 16]);
  const body = records
    .map(({ data }) => data)
    .toSorted((a, b) => Buffer.compare(a, b))
    .map(data => Buffer.concat([wireNameOf(name), fixed, Buffer.from([data.length >> 8, data.length & 255]), data]));
  const signature = sign('sha256', Buffer.concat([covered, ...body]), { key, dsaEncoding: 'ieee-p1363' });
  return { name, type: RRSIG, data: Buffer.concat([covered, signature]) };
}

function scriptOf({
  soa = {},
  ns = ['ns1.example.net', 'ns2.example.net'],
  signed: isSigned = true,
  signature = {},
  denial,
  cds,
  cdsSigner,
  twoSoas,
  ptr = true,
  script,
}: Fault) {
  const {
    serial = 2026112201,
    mname = 'ns1.example.net',
    rname = 'hostmaster.example.net',
    timers = [14_400, 3_600, 1_209_600, 3_600],
  } = soa;
  const soaRecord = { name: zone, type: SOA, data: recordData.soa(mname, rname, [serial, ...timers]) };
  const withSignature = (records: ScriptedRecord[], broken = false): ScriptedRecord[] =>
    isSigned ? [...records, signed(records, signature, broken ? other.privateKey : pair.privateKey)] : records;
  const healthy = ({ name, type }: ScriptedQuestion): ScriptedAnswer => {
    if (name !== zone && !name.endsWith(`.${zone}`)) return { code: 5, authoritative: false };
    if (name === zone) {
      if (type === SOA)
        return {
          answers: withSignature(
            twoSoas ? [soaRecord, { ...soaRecord, data: recordData.soa(mname, rname, [serial + 1, ...timers]) }] : [soaRecord],
            signature.broken === 'soa',
          ),
        };
      if (type === NS) return { answers: withSignature(ns.map(host => ({ name: zone, type: NS, data: recordData.name(host) }))) };
      if (type === DNSKEY && isSigned)
        return { answers: withSignature([{ name: zone, type: DNSKEY, data: dnskeyData(dnskey) }], signature.broken === 'key') };
      if (type === CDS && cds !== undefined) {
        const records = [{ name: zone, type: CDS, data: Buffer.from(cds, 'hex') }];
        return { answers: cdsSigner === 'none' ? records : withSignature(records, cdsSigner === 'other') };
      }
      if (type === recordTypes.AXFR) return { code: 5, authoritative: false };
      return { authority: [soaRecord] };
    }
    if (type === PTR && ptr && /^\d+\./.test(name))
      return { answers: withSignature([{ name, type: PTR, data: recordData.name('host.example.net') }]) };
    const proof =
      denial === 'none' || !isSigned
        ? []
        : denial === 'nsec3'
          ? [{ name: `abc.${zone}`, type: NSEC3, data: Buffer.from([1, 0, 0, 10, 0, 0]) }]
          : withSignature([{ name: zone, type: NSEC, data: Buffer.concat([recordData.name(zone), Buffer.from([0, 1, 0])]) }]);
    return { code: 3, authority: [soaRecord, ...proof] };
  };
  return (question: ScriptedQuestion): ScriptedAnswer => (script ? script(question, healthy(question)) : healthy(question));
}

type Setting = {
  first?: Fault;
  second?: Fault;
  question?: Partial<CheckQuestion>;
  aliases?: Record<string, string>;
  addresses?: Record<string, string[]>;
  lab?: boolean;
};

let nextBlock = 1;
/** Runs two servers and the check. */
async function reportOf({ first = {}, second = first, question = {}, aliases = {}, addresses, lab = true }: Setting): Promise<CheckReport> {
  const block = nextBlock++;
  const [a, b] = [`127.47.${block}.1`, `127.47.${block}.2`];
  await using _one = await nameServerStandIn({ address: a, port, script: scriptOf(first) });
  await using _two = await nameServerStandIn({ address: b, port, script: scriptOf(second) });
  const known: Record<string, string[]> = addresses ?? { 'ns1.example.net': [a], 'ns2.example.net': [b] };
  // Awaited here, so that the servers live as long as the check.
  return await checkZone(
    {
      zone,
      servers: ['ns1.example.net', 'ns2.example.net'],
      ds: [ds],
      parent: { found: true, servers: [] },
      isHeld: true,
      ...question,
      ...(question.servers && { servers: question.servers.map(each => each.replace('FIRST', a)) }),
    },
    {
      client: openDnsClient(),
      resolver: {
        addressesOf: host => Promise.resolve({ addresses: known[host] ?? [], alias: aliases[host] ?? null, failure: null }),
        nameOf: name =>
          Promise.resolve({
            name: name.startsWith('1.') ? 'ns1.example.net' : name.startsWith('2.') ? 'ns2.example.net' : null,
            failure: null,
          }),
        chainTo: () => Promise.resolve([]),
        delegationOf: () => Promise.resolve(null),
      },
      port,
      timeoutMs: 400,
      lab,
      now,
      originsOf: address => Promise.resolve([address === a ? 64_500 : 64_501]),
    },
  );
}

/** Returns the checks that failed, and how bad they are. */
async function failures(setting: Setting): Promise<Map<string, { severity: string; detail: string }>> {
  const { findings } = await reportOf(setting);
  return new Map(findings.filter(({ state }) => state === 'failed').map(({ check, severity, detail }) => [check, { severity, detail }]));
}

const silent = (): ScriptedAnswer => null;
const refused: Fault = { script: () => ({ code: 5, authoritative: false }) };
const soaTimers = (...timers: [number, number, number, number]): Setting => ({ first: { soa: { timers } } });

test('a healthy signed zone has no finding', async () => {
  expect([...(await failures({}))]).toEqual([]);
});

const faults: [name: string, check: DnsCheck, severity: string, setting: Setting][] = [
  ['one server', 'twoServers', 'error', { question: { servers: ['ns1.example.net'] } }],
  [
    'two names of one machine',
    'distinctAddresses',
    'warning',
    { addresses: { 'ns1.example.net': ['127.47.2.1'], 'ns2.example.net': ['127.47.2.1'] } },
  ],
  ['a lame server (REFUSED)', 'authoritative', 'error', { second: refused }],
  ['a lame server (SERVFAIL)', 'authoritative', 'error', { second: { script: () => ({ code: 2, authoritative: false }) } }],
  ['answers without authority', 'authoritative', 'error', { second: { script: (_, said) => said && { ...said, authoritative: false } } }],
  ['no server that answers', 'answers', 'error', { first: refused }],
  ['a zone that is not delegated', 'delegated', 'error', { question: { parent: { found: false, servers: [] } } }],
  ['a name off the boundary', 'boundary', 'error', { question: { zone: '1.2.0.192.in-addr.arpa' } }],
  ['a server that is an alias', 'nsNotAlias', 'error', { aliases: { 'ns2.example.net': 'real.example.net' } }],
  ['a server without an address', 'resolves', 'error', { addresses: { 'ns1.example.net': ['127.47.11.1'] } }],
  ['no SOA', 'soaExists', 'error', { second: { script: ({ type }, said) => (type === SOA ? { answers: [] } : said) } }],
  [
    'a referral that is too large',
    'referralSize',
    'warning',
    { question: { servers: Array.from({ length: 12 }, (_, i) => `a-rather-long-name-of-a-server-${i}.example.net`) } },
  ],
  ['another NS set in the zone', 'nsEqualsParent', 'warning', { first: { ns: ['ns1.example.net', 'ns9.example.net'] } }],
  ['no server in common', 'nsInCommon', 'error', { first: { ns: ['ns8.example.net', 'ns9.example.net'] } }],
  ['no answer over UDP', 'udp', 'error', { second: { script: ({ transport }, said) => (transport === 'udp' ? null : said) } }],
  ['no answer over TCP', 'tcp', 'error', { second: { script: ({ transport }, said) => (transport === 'tcp' ? null : said) } }],
  ['a dead server', 'authoritative', 'error', { second: { script: silent } }],
  [
    'an open resolver',
    'noRecursion',
    'warning',
    { second: { script: ({ name }, said) => (name === 'a.root-servers.net' ? { recursion: true, authoritative: false } : said) } },
  ],
  ['no EDNS', 'edns', 'warning', { second: { script: (_, said) => said && { ...said, edns: false } } }],
  [
    'failure for AAAA',
    'aaaa',
    'warning',
    { second: { script: ({ type, name }, said) => (type === 28 && name === zone ? { code: 2 } : said) } },
  ],
  [
    'an upward referral',
    'noUpwardReferral',
    'error',
    {
      second: {
        script: () => ({ authoritative: false, authority: [{ name: '', type: NS, data: recordData.name('a.root-servers.net') }] }),
      },
    },
  ],
  ['a changed case', 'caseKept', 'warning', { second: { script: (_, said) => said && { ...said, lowerCase: true } } }],
  [
    'an open transfer',
    'transferClosed',
    'notice',
    {
      second: {
        script: ({ type }, said) =>
          type === 252 ? { answers: [{ name: zone, type: SOA, data: recordData.soa('a.example', 'b.example', [1, 1, 1, 1, 1]) }] } : said,
      },
    },
  ],
  ['garbage', 'wellFormed', 'error', { second: { script: () => ({ raw: Buffer.from('this is no message') }) } }],
  [
    'a pointer that loops',
    'wellFormed',
    'error',
    { second: { script: ({ type }, said) => (type === SOA ? { raw: Buffer.from('000080000001000000000000c00c00060001', 'hex') } : said) } },
  ],
  ['a serial of its own', 'serialEqual', 'warning', { second: { soa: { serial: 2026112200 } } }],
  ['another primary', 'mnameEqual', 'warning', { second: { soa: { mname: 'ns2.example.net' } } }],
  ['another contact', 'rnameEqual', 'warning', { second: { soa: { rname: 'root.example.net' } } }],
  ['other timers', 'timersEqual', 'warning', { second: { soa: { timers: [28_800, 3_600, 1_209_600, 3_600] } } }],
  ['other servers on one server', 'nsEqual', 'warning', { second: { ns: ['ns1.example.net'] } }],
  ['glue that is not in the zone', 'glueEqual', 'error', { question: { servers: [`ns1.${zone} FIRST`, 'ns2.example.net'] } }],
  [
    'missing glue',
    'glueEqual',
    'error',
    {
      question: { servers: [`ns1.${zone}`, 'ns2.example.net'] },
      addresses: { [`ns1.${zone}`]: ['127.47.33.1'], 'ns2.example.net': ['127.47.33.2'] },
    },
  ],
  [
    'a private address',
    'publicAddress',
    'error',
    { lab: false, addresses: { 'ns1.example.net': ['10.0.0.53'], 'ns2.example.net': ['192.168.0.53'] } },
  ],
  ['a primary without a dot', 'mname', 'warning', { first: { soa: { mname: 'localhost' } } }],
  ['no contact', 'rname', 'warning', { first: { soa: { rname: '' } } }],
  ['a short refresh', 'refresh', 'warning', soaTimers(3_600, 1_800, 1_209_600, 3_600)],
  ['a retry beyond refresh', 'retry', 'warning', soaTimers(14_400, 20_000, 1_209_600, 3_600)],
  ['an early expiry', 'expire', 'warning', soaTimers(14_400, 3_600, 86_400, 3_600)],
  ['long negative answers', 'minimum', 'warning', soaTimers(14_400, 3_600, 1_209_600, 604_800)],
  ['two SOA records', 'singleSoa', 'error', { first: { twoSoas: true } }],
  ['an unknown digest', 'dsDigest', 'error', { question: { ds: [ds, `${ds.split(' ')[0]} 13 9 00AA`] } }],
  ['a SHA-1 digest', 'dsSha1', 'warning', { question: { ds: [ds, printDs(dsOf(zone, dnskey, 1)!)] } }],
  ['a DS of another key', 'dsMatches', 'error', { question: { ds: [`1 13 2 ${'00'.repeat(32)}`] } }],
  ['a DS of an unsigned zone', 'dsSigned', 'error', { first: { signed: false } }],
  ['a key set signed by another key', 'keySignature', 'error', { first: { signature: { broken: 'key' } } }],
  ['a SOA signed by another key', 'soaSignature', 'error', { first: { signature: { broken: 'soa' } } }],
  ['expired signatures', 'signatureTime', 'error', { first: { signature: { begins: seconds - 30 * day, expires: seconds - day } } }],
  ['signatures of tomorrow', 'signatureTime', 'error', { first: { signature: { begins: seconds + day } } }],
  ['signatures that end tomorrow', 'signatureLife', 'warning', { first: { signature: { expires: seconds + day } } }],
  ['signatures of a year', 'signatureLife', 'warning', { first: { signature: { expires: seconds + 365 * day } } }],
  ['an algorithm that does not sign', 'algorithmComplete', 'error', { question: { ds: [ds, `2 15 2 ${'00'.repeat(32)}`] } }],
  ['no proof of missing names', 'denial', 'error', { first: { denial: 'none' } }],
  ['iterations of NSEC3', 'nsec3Iterations', 'warning', { first: { denial: 'nsec3' } }],
  ['a signed zone without DS', 'signedHasDs', 'notice', { question: { ds: [] } }],
  ['a CDS of no key', 'cds', 'notice', { first: { cds: `00010d02${'00'.repeat(32)}` } }],
  ['a CDS on one server', 'cds', 'notice', { second: { cds: `00010d02${'00'.repeat(32)}` } }],
  ['unregistered space', 'held', 'notice', { question: { isHeld: false } }],
  ['no names at all', 'ptr', 'notice', { first: { ptr: false } }],
  [
    '60 KB of nonsense',
    'wellFormed',
    'error',
    { second: { script: ({ type }) => (type === A ? null : { raw: Buffer.alloc(60_000, 7) }) } },
  ],
];

test.each(faults)('%s is found as %s (%s)', async (_, check, severity, setting) => {
  const found = await failures(setting);
  expect(found.get(check), `found ${[...found.keys()].join(', ') || 'nothing'}`).toMatchObject({
    severity,
    detail: expect.stringMatching(/.{4}/),
  });
});

describe('a wish for other DS records', () => {
  const tag = keyTag(dnskeyData(dnskey));
  const wanted = printDs(dsOf(zone, dnskey, 4)!);
  const [, , , digest] = wanted.split(' ');
  const cds = `${tag.toString(16).padStart(4, '0')}0d04${digest!.toLowerCase()}`;
  test('is followed where every server signs it with a key of the DS', async () => {
    expect(await reportOf({ first: { cds } })).toMatchObject({
      cds: [wanted],
      cdsSince: new Date((seconds - 5 * day) * 1000).toISOString(),
    });
    expect(await reportOf({ first: { cds: '0000000000' } })).toMatchObject({ cds: ['0 0 0 00'], cdsSince: expect.any(String) as string });
  });
  test.each([
    ['it has no signature', { first: { cds, cdsSigner: 'none' } }],
    ['another key signs it', { first: { cds, cdsSigner: 'other' } }],
    ['one server has none', { first: { cds }, second: {} }],
    ['the signatures are over', { first: { cds, signature: { begins: seconds - 30 * day, expires: seconds - day } } }],
    ['the key set is not signed by the key', { first: { cds, signature: { broken: 'key' } } }],
    ['it would lead to no key', { first: { cds: `00010d02${'00'.repeat(32)}` } }],
    ['the delegation has no DS', { first: { cds }, question: { ds: [] } }],
  ] satisfies [string, Setting][])('is not followed where %s', async (_, setting) => {
    expect((await reportOf(setting)).cdsSince ?? null).toBeNull();
  });
});
