import { describe, expect, test } from 'vitest';
import { type Bend, nameServerLab } from '../../../../test/name-servers.ts';
import { lameHosts } from './lame-servers.ts';
import { checkZone } from './zone-check.ts';

const zone = '2.18.198.in-addr.arpa';
const now = new Date('2026-11-24T12:00:00Z');
const servers = { 'ns1.example.net': ['45.10.1.10'], 'ns2.example.org': ['45.20.1.10', '2a05:f480::10'] };
const names = { '1': 'gate.example.net', '10': 'mail.example.net' };
type Lab = Parameters<typeof nameServerLab>[0];

/** The findings of a check in a lab: failed ones with their text, and skipped ones. */
async function checked(given: Partial<Lab> = {}, asked: { servers?: string[]; ds?: string[] } = {}) {
  const lab = nameServerLab({ zone, servers, names, now, ...given });
  const question = {
    zone: given.zone ?? zone,
    servers: Object.keys(given.servers ?? servers),
    ds: lab.ds,
    parent: null,
    isHeld: true,
    ...asked,
  };
  const { client, resolver } = lab;
  const report = await checkZone(question, { client, resolver, port: 53, timeoutMs: 1_000, lab: false, now, originsOf: async () => [] });
  const of = (state: string) => report.findings.filter(each => each.state === state);
  return {
    report,
    failed: [...new Set(of('failed').map(({ check }) => check))].filter(check => check !== 'addressName' && check !== 'signedHasDs'),
    passed: of('passed').map(({ check }) => check),
    skipped: of('skipped').map(({ check }) => check),
    words: (check: string) =>
      of('failed')
        .filter(each => each.check === check)
        .map(({ detail }) => detail),
  };
}
/** Alters the answers of one server, or to one type of query. */
const at =
  (server: string, how: Bend): Bend =>
  (answer, asked) =>
    asked.server === server ? how(answer, asked) : undefined;

describe('a check that couldn’t ask hasn’t passed', () => {
  test('with servers without an address no server check is made', async () => {
    const { failed, passed, skipped } = await checked({ servers: { 'ns1.example.net': [], 'ns2.example.org': [] } });
    expect(failed.toSorted()).toEqual(['answers', 'resolves']);
    expect(passed.toSorted()).toEqual(['boundary', 'glueEqual', 'held', 'nsNotAlias', 'referralSize', 'twoServers']);
    for (const check of ['udp', 'tcp', 'authoritative', 'edns', 'noRecursion', 'wellFormed', 'publicAddress', 'caseKept'])
      expect(skipped).toContain(check);
  });

  const timeout =
    (...types: readonly string[]): Bend =>
    (_, { question }) =>
      types.includes(question.type) ? 'timeout' : undefined;
  test.each<[string[], string[]]>([
    [['NS'], ['nsEqual', 'nsAtApex', 'nsEqualsParent', 'nsInCommon', 'childResolves']],
    [['NS', 'PTR'], ['dataSignature']],
    [['PTR'], ['ptr', 'namesAbove', 'negativeSoa', 'denial', 'nsec3Iterations']],
    [['DNSKEY'], ['dsSigned', 'dsMatches', 'keySignature', 'soaSignature', 'signatureTime', 'algorithmComplete', 'cds']],
    [['CDS'], ['cds']],
    [['CDNSKEY'], ['cds']],
    [['AAAA'], ['aaaa', 'apexExists']],
    [['TYPE65280'], ['aaaa']],
    [['A'], ['noRecursion']],
    [['AXFR'], ['transferClosed']],
    [['SOA'], ['answers', 'serialEqual', 'caseKept', 'edns', 'quick', 'singleSoa', 'mname', 'soaSignature']],
  ])('without an answer for %s on any server the checks that rest on it have not passed', async (types, checks) => {
    const { passed } = await checked({ signed: true, bend: timeout(...types) });
    expect(passed.filter(check => checks.includes(check))).toEqual([]);
    const good = await checked({ signed: true });
    expect(good.passed).toEqual(expect.arrayContaining(checks.filter(check => check !== 'namesAbove')));
  });

  test('a wildcard that answers for the missing name leaves its proof unjudged', async () => {
    const wildcard: Bend = (answer, { question }) =>
      question.name.startsWith('not-there')
        ? { ...answer, code: 0, answers: [{ name: question.name, type: 12, class: 1, ttl: 60, data: Buffer.of(1, 97, 0) }], authority: [] }
        : undefined;
    const { failed, skipped } = await checked({ signed: true, bend: wildcard });
    expect([failed, skipped.filter(check => ['denial', 'nsec3Iterations'].includes(check))]).toEqual([[], ['denial', 'nsec3Iterations']]);
  });

  test('a name that was given with its address, or couldn’t be looked up, isn’t judged', async () => {
    const inside = { [`ns1.${zone}`]: ['45.10.1.10'], [`ns2.${zone}`]: ['45.20.1.10'] };
    const given = await checked({ servers: inside }, { servers: Object.entries(inside).map(([host, [address]]) => `${host} ${address}`) });
    expect(given.skipped).toEqual(expect.arrayContaining(['nsNotAlias', 'resolves']));
    const down = await checked({ lookUpsFail: true });
    expect(down.words('resolves')[0]).toBe('ns1.example.net couldn’t be looked up (SERVFAIL)');
    expect(down.skipped).toContain('nsNotAlias');
    const nameless = await checked(
      { servers: inside, lookUpsFail: true },
      { servers: Object.entries(inside).map(([host, [address]]) => `${host} ${address}`) },
    );
    expect([nameless.words('addressName'), nameless.skipped.filter(check => check === 'addressName')]).toEqual([
      [],
      ['addressName', 'addressName'],
    ]);
  });

  test('with a silent server the checks of its answers are not made', async () => {
    const { failed, passed } = await checked({ bend: () => 'timeout' });
    expect(failed).toEqual(expect.arrayContaining(['answers', 'udp', 'tcp', 'authoritative']));
    for (const check of ['edns', 'noRecursion', 'aaaa', 'caseKept', 'soaExists', 'apexAlias', 'quick', 'singleSoa'])
      expect(passed).not.toContain(check);
  });

  test('good servers pass everything, signed or not', async () => {
    expect((await checked()).failed).toEqual([]);
    const signed = await checked({ signed: true });
    expect(signed.failed).toEqual([]);
    expect(signed.passed).toEqual(expect.arrayContaining(['dataSignature', 'denial', 'soaSignature', 'signatureTime', 'dsMatches']));
  });
});

describe('signatures', () => {
  test.each([
    ['PTR', 'expired', 'signatureTime', /PTR on ns1\.example\.net ended/],
    ['PTR', 'none', 'dataSignature', /ns1\.example\.net answers the PTR of 1\.2\.18\.198\.in-addr\.arpa without a signature/],
    ['PTR', 'broken', 'dataSignature', /No signature of the PTR of 1\.2\.18/],
    ['NS', 'expired', 'signatureTime', /NS on ns1\.example\.net ended/],
    ['NS', 'none', 'dataSignature', /the NS records without a signature/],
    ['NS', 'broken', 'dataSignature', /No signature of the NS records/],
    ['NSEC', 'expired', 'signatureTime', /NSEC on ns1\.example\.net ended/],
    ['NSEC', 'none', 'denial', /with NSEC without a signature/],
    ['NSEC', 'broken', 'denial', /No signature of the NSEC/],
    ['SOA', 'broken', 'soaSignature', /SOA/],
  ] as const)('over %s that are %s are found', async (type, how, check, words) => {
    const result = await checked({ signed: true, resigning: { type, how } });
    expect(result.failed).toContain(check);
    expect(result.words(check)[0]).toMatch(words);
    expect(result.report.findings.find(each => each.check === check)!.severity).toBe('error');
  });

  test('NSEC records that don’t cover the name prove nothing', async () => {
    // In DNSSEC order the name comes after the last one, whose NSEC covers it.
    const { failed, words } = await checked({
      signed: true,
      bend: (answer, { question }) =>
        question.name.startsWith('not-there')
          ? { ...answer, authority: answer.authority.filter(({ name }) => name !== `10.${zone}`) }
          : undefined,
    });
    expect(failed).toEqual(['denial']);
    expect(words('denial')[0]).toMatch(/NSEC records that don’t cover it/);
  });

  test('a server that doesn’t answer for keys isn’t treated as one without keys', async () => {
    const { words } = await checked({ signed: true, bend: (_, { question }) => (question.type === 'DNSKEY' ? 'timeout' : undefined) });
    expect(words('dsSigned')[0]).toMatch(/doesn’t answer for DNSKEY \(timed out/);
    const one = await checked({
      signed: true,
      bend: at('ns2.example.org', (_, { question }) => (question.type === 'DNSKEY' ? 'timeout' : undefined)),
    });
    expect(one.words('dsSigned')[0]).toMatch(/ns2\.example\.org doesn’t answer for DNSKEY/);
  });
});

describe('the text describes the fault', () => {
  const withoutEdns =
    (how: 'timeout' | 'formerr'): Bend =>
    (answer, { question }) =>
      question.edns === false
        ? undefined
        : how === 'timeout'
          ? 'timeout'
          : { ...answer, code: 1, edns: null, answers: [], authority: [], authoritative: false };

  test.each([
    ['timeout', /doesn’t answer questions with EDNS, and answers those without/],
    ['formerr', /answers FORMERR to questions with EDNS/],
  ] as const)('a server without EDNS (%s) has a warning, and isn’t lame', async (how, words) => {
    const result = await checked({ bend: withoutEdns(how) });
    expect(result.failed).toEqual(['edns']);
    expect(result.words('edns')[0]).toMatch(words);
    expect(result.passed).toEqual(expect.arrayContaining(['udp', 'authoritative', 'soaExists', 'answers']));
    expect(result.report.servers.map(({ state }) => state)).toEqual(['authoritative', 'authoritative', 'authoritative']);
    expect(result.skipped).toContain('ednsExtras');
  });

  const inside = `ns1.${zone}`;
  const second = `ns2.${zone}`;
  const lab = { servers: { [inside]: ['45.10.1.10'], [second]: ['45.20.1.10'] } };
  const delegated = { servers: [`${inside} 45.10.1.10`, `${second} 45.20.1.10`] };
  const addresses: Readonly<Record<string, readonly number[]>> = { [inside]: [45, 10, 1, 10], [second]: [45, 20, 1, 10] };
  /** Has the addresses of the servers in the zone; what `how` says comes first. */
  const withGlue =
    (how: Bend = () => undefined): Bend =>
    (answer, asked) => {
      const { name, type } = asked.question;
      const data = type === 'A' ? addresses[name] : undefined;
      const good = addresses[name]
        ? { ...answer, code: 0, answers: data ? [{ name, type: 1, class: 1, ttl: 60, data: Buffer.from(data) }] : [] }
        : undefined;
      return how(good ?? answer, asked) ?? good;
    };

  test.each(['timeout', 'formerr'] as const)('a server inside the zone without EDNS (%s) has the same warning alone', async how => {
    const { failed, passed } = await checked({ ...lab, bend: withGlue(withoutEdns(how)) }, delegated);
    expect(failed).toEqual(['edns']);
    expect(passed).toEqual(expect.arrayContaining(['glueEqual', 'mnameResolves']));
  });

  test('the address in the delegation is compared only with one that a server of the zone answers', async () => {
    const isGlue: (asked: Parameters<Bend>[1]) => boolean = ({ question: { name, type } }) => type === 'A' && addresses[name] !== undefined;
    const result = (how: Bend) => checked({ ...lab, bend: withGlue(how) }, delegated);
    for (const lost of [
      (_: unknown, asked) => (isGlue(asked) ? 'timeout' : undefined),
      (answer, asked) => (isGlue(asked) ? { ...answer, code: 5, answers: [], authoritative: false } : undefined),
      (answer, asked) => (isGlue(asked) ? { ...answer, answers: [], authoritative: false } : undefined),
    ] satisfies Bend[]) {
      const { failed, skipped } = await result(lost);
      expect([failed, skipped.includes('glueEqual')]).toEqual([[], true]);
    }
    const one = await result((_, asked) => (isGlue(asked) && asked.server === inside ? 'timeout' : undefined));
    expect(one.passed).toContain('glueEqual');
    const none = await result((answer, asked) => (isGlue(asked) ? { ...answer, answers: [] } : undefined));
    expect(none.words('glueEqual')).toEqual([
      `${inside} is 45.10.1.10 in the delegation and without address in the zone`,
      `${second} is 45.20.1.10 in the delegation and without address in the zone`,
    ]);
    const other = await checked({ ...lab, bend: withGlue() }, { servers: [`${inside} 45.10.1.11`, delegated.servers[1]!] });
    expect(other.words('glueEqual')).toEqual([`${inside} is 45.10.1.11 in the delegation and 45.10.1.10 in the zone`]);
  });

  test('a server that truncates over UDP and is closed over TCP is judged by UDP', async () => {
    const result = await checked({
      bend: (answer, { transport }) => (transport === 'tcp' ? 'refused' : { ...answer, truncated: true, answers: [], authority: [] }),
    });
    expect(result.failed).toEqual(expect.arrayContaining(['tcp', 'authoritative']));
    expect(result.failed).not.toContain('udp');
    expect(result.failed).not.toContain('soaExists');
    expect(result.words('authoritative')[0]).toMatch(
      /cuts its answers over UDP short, and doesn’t answer over TCP \(refused: ECONNREFUSED\)/,
    );
  });
});

describe('faults that resolvers stumble over', () => {
  const v6 = '8.b.d.0.1.0.0.2.ip6.arpa';
  test.each<[string, string, 'error' | 'warning', Partial<Lab>]>([
    [
      'NXDOMAIN for AAAA of the zone',
      'apexExists',
      'error',
      { bend: (answer, { question }) => (question.type === 'AAAA' ? { ...answer, code: 3 } : undefined) },
    ],
    [
      'REFUSED for AAAA',
      'aaaa',
      'warning',
      { bend: (answer, { question }) => (question.type === 'AAAA' ? { ...answer, code: 5 } : undefined) },
    ],
    [
      'silence for an unknown type',
      'aaaa',
      'warning',
      { bend: (_, { question }) => (question.type === 'TYPE65280' ? 'timeout' : undefined) },
    ],
    [
      'silence for an unknown EDNS option',
      'ednsExtras',
      'warning',
      { bend: (_, { question }) => (question.option === undefined ? undefined : 'timeout') },
    ],
    [
      'FORMERR for EDNS version 1',
      'ednsExtras',
      'warning',
      { bend: (answer, { question }) => (question.version ? { ...answer, code: 1 } : undefined) },
    ],
    [
      'negative answers without SOA',
      'negativeSoa',
      'warning',
      { bend: (answer, { question }) => (question.name.startsWith('not-there') ? { ...answer, authority: [] } : undefined) },
    ],
    [
      'no NS records at the apex of one server',
      'nsAtApex',
      'error',
      { bend: at('ns2.example.org', (answer, { question }) => (question.type === 'NS' ? { ...answer, answers: [] } : undefined)) },
    ],
    [
      'IPv6 addresses only',
      'ipv4Server',
      'warning',
      { servers: { 'ns1.example.net': ['2a05:f480::10'], 'ns2.example.org': ['2a05:f480:1::10'] } },
    ],
    [
      'NXDOMAIN for an empty non-terminal',
      'namesAbove',
      'error',
      {
        zone: v6,
        names: { [`1${'.0'.repeat(23)}`]: 'gate.example.net' },
        bend: (answer, { question }) =>
          answer.code === 0 && question.name.endsWith(v6) && question.name !== v6 && answer.answers.length === 0
            ? { ...answer, code: 3 }
            : undefined,
      },
    ],
  ])('%s is found', async (_, check, severity, given) => {
    const result = await checked(given);
    expect(result.failed).toContain(check);
    expect(result.report.findings.find(each => each.check === check && each.state === 'failed')!.severity).toBe(severity);
  });

  test('a good IPv6 zone has the names above its PTR records', async () => {
    const { failed, passed } = await checked({ zone: v6, names: { [`1${'.0'.repeat(23)}`]: 'gate.example.net' } });
    expect(failed).toEqual([]);
    expect(passed).toContain('namesAbove');
  });

  test('an address without an answer beside a working one is a warning, and doesn’t prevent the delegation', async () => {
    const dead = servers['ns2.example.org'][1];
    const { failed, words, report } = await checked({ bend: (_, { address }) => (address === dead ? 'timeout' : undefined) });
    expect(failed).toEqual(['everyAddress']);
    expect(words('everyAddress')).toEqual([
      `ns2.example.org (${dead}) doesn’t answer (timed out: no answer within 1 seconds); the server answers at another address`,
    ]);
    expect(report.findings.find(({ check }) => check === 'everyAddress')!.severity).toBe('warning');
    expect(lameHosts(report.servers)).toEqual([]);
    // A wrong answer there, or no answer at any address, is different.
    const refuses = await checked({
      bend: (answer, { address }) => (address === dead ? { ...answer, code: 5, authoritative: false, answers: [] } : undefined),
    });
    expect(refuses.failed).toEqual(expect.arrayContaining(['authoritative']));
    const silent = await checked({ bend: at('ns2.example.org', () => 'timeout') });
    expect(silent.failed).toEqual(expect.arrayContaining(['authoritative', 'udp', 'tcp']));
    expect(lameHosts(silent.report.servers)).toEqual(['ns2.example.org']);
  });

  test('addresses that the registry can’t reach are listed, and don’t count', async () => {
    const v6 = servers['ns2.example.org'][1];
    const { failed, report } = await checked({ bend: (_, { address }) => (address === v6 ? 'no-route' : undefined) });
    expect(failed).toEqual([]);
    expect(
      report.findings.filter(({ check, state }) => check === 'everyAddress' && state === 'skipped').map(({ detail }) => detail),
    ).toEqual([`ns2.example.org (${v6}) can’t be reached from the registry (ENETUNREACH), so it wasn’t asked`]);
    expect(report.servers.map(({ state }) => state)).toEqual(['authoritative', 'authoritative', 'unreached']);
    // A server with no other address isn't considered lame, but can't be delegated to unchecked.
    const none = await checked({ bend: at('ns2.example.org', () => 'no-route') });
    expect([none.failed, lameHosts(none.report.servers)]).toEqual([[], []]);
    const all = await checked({ bend: () => 'no-route' });
    expect([all.failed, all.words('answers')]).toEqual([['answers'], ['The registry reaches none of the addresses of the servers']]);
  });

  test('a primary inside the zone needs an address there', async () => {
    const inside = `ns1.${zone}`;
    const given = { servers: { [inside]: ['45.10.1.10'], 'ns2.example.org': ['45.20.1.10'] } };
    const asked = { servers: [`${inside} 45.10.1.10`, 'ns2.example.org'] };
    expect((await checked(given, asked)).words('mnameResolves')).toEqual([`${inside} lies inside the zone and has no address there`]);
    const withAddress: Bend = (answer, { question }) =>
      question.name === inside && question.type === 'A'
        ? { ...answer, code: 0, answers: [{ name: inside, type: 1, class: 1, ttl: 60, data: Buffer.of(45, 10, 1, 10) }] }
        : undefined;
    expect((await checked({ ...given, bend: withAddress }, asked)).passed).toContain('mnameResolves');
    const silent: Bend = (_, { question }) => (question.name === inside ? 'timeout' : undefined);
    expect((await checked({ ...given, bend: silent }, asked)).skipped).toContain('mnameResolves');
  });

  test('a server inside the zone that only the zone names needs an address there', async () => {
    const third = `ns3.${zone}`;
    const given = { servers: { ...servers, [third]: ['45.30.1.10'] } };
    const asked = { servers: Object.keys(servers) };
    const bare = await checked(given, asked);
    expect(bare.words('childResolves')).toEqual([`${third} is in the NS records of the zone and has no address there`]);
    const known =
      (how: 'address' | 'timeout'): Bend =>
      (answer, { question }) =>
        question.name !== third
          ? undefined
          : how === 'timeout'
            ? 'timeout'
            : question.type === 'A'
              ? { ...answer, code: 0, answers: [{ name: third, type: 1, class: 1, ttl: 60, data: Buffer.of(45, 30, 1, 10) }] }
              : undefined;
    expect((await checked({ ...given, bend: known('address') }, asked)).passed).toContain('childResolves');
    expect((await checked({ ...given, bend: known('timeout') }, asked)).skipped).toContain('childResolves');
  });

  test('one server that doesn’t show its NS records is found', async () => {
    const second = servers['ns2.example.org'][0]!;
    const where =
      (how: Bend): Bend =>
      (answer, asked) =>
        asked.question.type === 'NS' && asked.address === second ? how(answer, asked) : undefined;
    const refused = await checked({ bend: where(answer => ({ ...answer, code: 5, answers: [] })) });
    expect(refused.words('nsAtApex')).toEqual([`ns2.example.org (${second}) answers REFUSED for the NS records of the zone`]);
    expect(refused.words('nsEqual')).toEqual(refused.words('nsAtApex'));
    const silent = await checked({ bend: where(() => 'timeout') });
    expect([silent.failed, silent.skipped.includes('nsAtApex')]).toEqual([['nsEqual'], true]);
    expect(silent.words('nsEqual')[0]).toMatch(
      /^ns2\.example\.org \(45\.20\.1\.10\) doesn’t answer \(timed out: .*\) for the NS records of the zone$/,
    );
  });

  test.each([
    [
      'CDS that asks for a removal and for a key',
      [
        [0, 0, 0, 0, 0],
        [1, 1, 15, 2, 171],
      ],
      [],
      'removal of the DS and for keys at the same time',
    ],
    ['CDS and CDNSKEY of different keys', [[1, 1, 15, 2, 171]], [[1, 1, 3, 15, 7]], 'CDS and CDNSKEY ask for different keys'],
  ])('%s is found', async (_, cds, cdnskey, words) => {
    const records = (type: number, all: readonly (readonly number[])[]) =>
      all.map(data => ({ name: zone, type, class: 1, ttl: 60, data: Buffer.from(data) }));
    const result = await checked({
      signed: true,
      bend: (answer, { question }) =>
        question.type === 'CDS'
          ? { ...answer, answers: records(59, cds) }
          : question.type === 'CDNSKEY'
            ? { ...answer, answers: records(60, cdnskey) }
            : undefined,
    });
    expect(result.words('cds')).toEqual([expect.stringContaining(words)]);
  });

  test('servers that the zone names, and its primary, have addresses', async () => {
    // The zone names an unknown host in place of the second server.
    const odd = { 'ns1.example.net': servers['ns1.example.net'], 'lost.example.org': ['45.20.1.10'] };
    const lab = { servers: odd, addresses: { 'lost.example.org': [], 'ns2.example.org': ['45.20.1.10'] } };
    const result = await checked(lab, { servers: ['ns1.example.net', 'ns2.example.org'] });
    expect(result.words('childResolves')).toEqual(['lost.example.org is in the NS records of the zone and has no address']);
    const primary = { 'lost.example.org': ['45.20.1.10'], 'ns1.example.net': servers['ns1.example.net'] };
    const other = await checked(
      { servers: primary, addresses: { 'lost.example.org': [], 'ns2.example.org': ['45.20.1.10'] } },
      { servers: ['ns1.example.net', 'ns2.example.org'] },
    );
    expect(other.words('mnameResolves')).toEqual(['lost.example.org has no address']);
  });
});
