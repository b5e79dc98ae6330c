import { gunzipSync } from 'node:zlib';
import { parseObject } from '@portal/rpsl';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { type AnswerKind, brokenRules } from '../../../test/rdap-rules.ts';
import { whoisServer } from '../../../test/whois-server.ts';
import type { Change } from '../../platform/database/index.ts';
import { openCallerAddress } from '../../platform/http/caller-address.ts';
import { publicTurns } from '../../platform/http/public-turns.ts';
import { readProfile } from '../../profile.ts';
import { lockWhois } from '../whois/index.ts';
import { storeObjects } from '../whois/store/store.ts';
import { findObjects } from '../whois/store/stored-objects.ts';
import { identityOf } from '../whois/store/syntax.ts';
import { rdapRoutes } from './routes.ts';

const profile = readProfile('');
const texts = `
organisation:   ORG-TEST1-EX
org-name:       Test Networks Pty Ltd
org-type:       LIR
country:        AU
address:        1 Test Street
address:        Brisbane
language:       en
e-mail:         office@test-networks.example
mnt-ref:        MAINT-TEST-RDAP
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

mntner:         EXAMPLE-HM
descr:          Hostmasters
admin-c:        TP1-EX
upd-to:         hostmaster@registry.example
auth:           PORTAL
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

irt:            IRT-TEST-RDAP
address:        1 Test Street
e-mail:         irt@test-networks.example
abuse-mailbox:  abuse@test-networks.example
admin-c:        TP1-EX
tech-c:         TR1-EX
auth:           PORTAL
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE

mntner:         MAINT-TEST-RDAP
descr:          Test maintainer
country:        AU
admin-c:        TP1-EX
upd-to:         office@test-networks.example
auth:           MD5-PW $1$Secret00$aaaaaaaaaaaaaaaaaaaaaa
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE

person:         Quilla Person
address:        1 Test Street
country:        au
phone:          +61 7 5555 0100
fax-no:         +61 7 5555 0101
e-mail:         tess@test-networks.example
nic-hdl:        TP1-EX
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE

role:           Test Role
address:        1 Test Street
country:        AU
phone:          +61 7 5555 0102
e-mail:         noc@test-networks.example
admin-c:        TP1-EX
tech-c:         TP1-EX
nic-hdl:        TR1-EX
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE

inetnum:        198.19.128.0 - 198.19.255.255
netname:        TEST-BLOCK
descr:          A block of the registry
country:        AU
admin-c:        TR1-EX
tech-c:         TR1-EX
mnt-irt:        IRT-TEST-RDAP
status:         ALLOCATED PORTABLE
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

inetnum:        198.19.128.0 - 198.19.143.255
netname:        TESTNET-AU
descr:          Test Networks
descr:          Brisbane
country:        AU
country:        NZ
language:       EN
language:       mi
org:            ORG-TEST1-EX
admin-c:        TP1-EX
tech-c:         TR1-EX
mnt-irt:        IRT-TEST-RDAP
status:         ALLOCATED PORTABLE
geofeed:        https://test-networks.example/geofeed.csv
remarks:        Written for a test
mnt-by:         EXAMPLE-HM
mnt-lower:      MAINT-TEST-RDAP
source:         EXAMPLE

inetnum:        198.19.129.0 - 198.19.130.255
netname:        TESTNET-ODD
descr:          No prefix
country:        AU
admin-c:        TP1-EX
tech-c:         TP1-EX
mnt-irt:        IRT-TEST-RDAP
status:         ASSIGNED NON-PORTABLE
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE

inet6num:       3fff:900::/32
netname:        TESTNET6-AU
descr:          Test Networks
country:        AU
org:            ORG-TEST1-EX
admin-c:        TP1-EX
tech-c:         TR1-EX
mnt-irt:        IRT-TEST-RDAP
status:         ALLOCATED PORTABLE
remarks:        Geofeed https://test-networks.example/geofeed6.csv
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

aut-num:        AS64510
as-name:        TEST-AS
descr:          Test Networks
country:        AU
org:            ORG-TEST1-EX
admin-c:        TP1-EX
tech-c:         TR1-EX
mnt-irt:        IRT-TEST-RDAP
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

domain:         129.19.198.in-addr.arpa
descr:          Reverse zone
admin-c:        TP1-EX
tech-c:         TR1-EX
zone-c:         TR1-EX
nserver:        ns1.test-networks.example
nserver:        ns.129.19.198.in-addr.arpa 198.19.129.53 3fff:900::53
ds-rdata:       12345 13 2 49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC1234
mnt-by:         MAINT-TEST-RDAP
source:         EXAMPLE
`;

/** Adds objects unchanged to the whois database; existing ones stay. */
async function load(change: Change, text: string): Promise<void> {
  await lockWhois(change);
  const writes = text
    .trim()
    .split(/\n\n/)
    .map(paragraph => {
      const object = parseObject(`${paragraph}\n`).object!;
      return { operation: 'create' as const, object, stored: null, ...identityOf(object)! };
    });
  const known = new Set((await findObjects(change, writes)).map(row => `${row.class} ${row.key}`));
  await storeObjects(
    change,
    writes.filter(write => !known.has(`${write.class} ${write.key}`)),
    profile,
  );
}

const line = { action: 'test.load', summary: 'Loaded objects', traceId: 'd'.repeat(32) };
const base = 'http://portal.test/rdap';

describe('RDAP', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
    await portal.db.change(line, change => load(change, texts));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into member by member
  type Body = any;
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await portal.request(`/rdap/${path}`, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as Body };
  };
  /** Queries, and checks the answer against all rules. */
  const expectGood = async (path: string, kind: AnswerKind, status = 200): Promise<Body> => {
    const { status: got, headers, body } = await ask(path);
    expect({ path, status: got }).toEqual({ path, status });
    expect(headers.get('content-type')).toBe('application/rdap+json');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(brokenRules(body, { kind })).toEqual([]);
    return body;
  };
  const emailsOf = (entity: Body): string[] => entity.vcardArray[1].filter((p: string[]) => p[0] === 'email').map((p: string[]) => p[3]);
  const entityOf = (body: Body, role: string): Body => body.entities.find((entity: Body) => entity.roles.includes(role));

  describe('a network', () => {
    test('answers the smallest object around an address, with its holder and contacts', async () => {
      const body = await expectGood('ip/198.19.140.7', 'ip network');
      expect(body).toMatchObject({
        handle: '198.19.128.0 - 198.19.143.255',
        startAddress: '198.19.128.0',
        endAddress: '198.19.143.255',
        ipVersion: 'v4',
        name: 'TESTNET-AU',
        type: 'ALLOCATED PORTABLE',
        country: 'AU',
        lang: 'en',
        parentHandle: '198.19.128.0 - 198.19.255.255',
        status: ['active'],
        cidr0_cidrs: [{ v4prefix: '198.19.128.0', length: 20 }],
        port43: 'whois.registry.example',
      });
      expect(body.remarks).toEqual([
        { title: 'description', description: ['Test Networks', 'Brisbane'] },
        { title: 'remarks', description: ['Written for a test'] },
        { title: 'Countries', description: ['AU, NZ. The member country can have the first only.'] },
        { title: 'Languages', description: ['en, mi. The member lang can have the first only.'] },
      ]);
      expect(entityOf(body, 'registrant')).toMatchObject({
        handle: 'ORG-TEST1-EX',
        links: [{ rel: 'self', href: `${base}/entity/ORG-TEST1-EX` }],
      });
      expect(entityOf(body, 'administrative').handle).toBe('TP1-EX');
      expect(entityOf(body, 'technical').handle).toBe('TR1-EX');
      expect(body.links.filter(({ rel }: Body) => !rel.startsWith('rdap-'))).toEqual([
        { value: `${base}/ip/198.19.140.7`, rel: 'self', href: `${base}/ip/198.19.128.0/20`, type: 'application/rdap+json' },
        { value: `${base}/ip/198.19.140.7`, rel: 'up', href: `${base}/ip/198.19.128.0/17`, type: 'application/rdap+json' },
        {
          value: `${base}/ip/198.19.140.7`,
          rel: 'related',
          href: 'http://portal.test/whois/198.19.128.0/20',
          type: 'text/html',
        },
        {
          value: `${base}/ip/198.19.140.7`,
          rel: 'geofeed',
          href: 'https://test-networks.example/geofeed.csv',
          type: 'application/geofeed+csv',
        },
      ]);
      expect(body.rdapConformance).toContain('geofeed1');
    });

    test('links to networks above and below by the relations of RFC 9910', async () => {
      const relationsOf = ({ links }: Body): string[] =>
        links.flatMap(({ rel, href }: Body) => (rel.startsWith('rdap-') ? [`${rel} ${href.slice(base.length + 1)}`] : []));
      const body = await expectGood('ip/198.19.140.7', 'ip network');
      expect(relationsOf(body)).toEqual([
        'rdap-up ips/rirSearch1/rdap-up/198.19.128.0/20',
        'rdap-down ips/rirSearch1/rdap-down/198.19.128.0/20',
        'rdap-top ips/rirSearch1/rdap-top/198.19.128.0/20',
        'rdap-bottom ips/rirSearch1/rdap-bottom/198.19.128.0/20',
      ]);
      const odd = await expectGood('ip/198.19.130.255', 'ip network');
      // Each is answered, also for a range that isn't a prefix.
      for (const link of [...relationsOf(body), ...relationsOf(odd)]) expect((await ask(link.split(' ')[1]!)).status).toBe(200);
      expect((await ask(relationsOf(body)[0]!.split(' ')[1]!)).body.handle).toBe(body.parentHandle);
      // Nothing is above the registry's block.
      expect(relationsOf((await ask('ip/198.19.128.0/17')).body).map(link => link.split(' ')[0])).toEqual(['rdap-down', 'rdap-bottom']);
      expect(relationsOf(await expectGood('ip/10.1.2.3', 'ip network'))).toEqual([]);
    });

    test.each([
      ['ip/198.19.140.7', ['rirSearch1', 'ips']],
      ['ip/10.1.2.3', []],
      ['autnum/64510', []],
      ['entity/ORG-TEST1-EX', []],
      ['domain/129.19.198.in-addr.arpa', []],
      ['entities?fn=quilla*', []],
      ['domains?name=129.19*', []],
      ['domains/rirSearch1/rdap-down/19.198.in-addr.arpa', ['rirSearch1']],
      ['ips?name=testnet-odd', ['rirSearch1', 'ips', 'ipSearchResults']],
      ['ips/rirSearch1/rdap-down/198.19.128.0/17', ['rirSearch1', 'ips', 'ipSearchResults']],
      ['ips/rirSearch1/rdap-up/198.19.129.0/24', ['rirSearch1', 'ips']],
      ['autnums?handle=AS64510', ['rirSearch1', 'autnums', 'autnumSearchResults']],
    ])('%s names the extensions of searches that it uses: %j', async (path, extensions) => {
      const all = ['rirSearch1', 'ips', 'ipSearchResults', 'autnums', 'autnumSearchResults'];
      const { body } = await ask(path);
      expect(body.rdapConformance.filter((one: string) => all.includes(one))).toEqual(extensions);
    });

    test('always includes the abuse mailbox, and lists other omitted addresses', async () => {
      const body = await expectGood('ip/198.19.128.0/20', 'ip network');
      expect(emailsOf(entityOf(body, 'abuse'))).toEqual(['abuse@test-networks.example']);
      expect(emailsOf(entityOf(body, 'administrative'))).toEqual([]);
      expect(JSON.stringify(body)).not.toContain('tess@');
      expect(body.redacted.map((one: Body) => one.prePath)).toContain("$.entities[?(@.handle=='TP1-EX')].vcardArray[1][?(@[0]=='email')]");
      expect(body.rdapConformance).toContain('redacted');
    });

    test('finds a range that isn’t a prefix, by the link in its own answer', async () => {
      const body = await expectGood('ip/198.19.130.255', 'ip network');
      expect(body).toMatchObject({
        name: 'TESTNET-ODD',
        cidr0_cidrs: [
          { v4prefix: '198.19.129.0', length: 24 },
          { v4prefix: '198.19.130.0', length: 24 },
        ],
      });
      const { href } = body.links.find(({ rel }: Body) => rel === 'self');
      expect((await expectGood(href.slice(base.length + 1), 'ip network')).handle).toBe(body.handle);
      // Without an organisation the maintainer is the registrant.
      expect(entityOf(body, 'registrant').handle).toBe('MAINT-TEST-RDAP');
    });

    test.each([
      ['ip/198.19.128.0/20', '198.19.128.0 - 198.19.143.255'],
      ['ip/198.19.128.0%2F20', '198.19.128.0 - 198.19.143.255'],
      ['ip/198.19.128.7/20', '198.19.128.0 - 198.19.143.255'],
      ['ip/198.19.128.0/20?jscard=1&unknown', '198.19.128.0 - 198.19.143.255'],
      ['ip/3fff:900::1', '3fff:900::/32'],
      ['ip/3FFF:900:0:0::/64', '3fff:900::/32'],
    ])('%s is %s', async (path, handle) => {
      expect((await expectGood(path, 'ip network')).handle).toBe(handle);
    });

    test('takes the geofeed from a remark too', async () => {
      const body = await expectGood('ip/3fff:900::/32', 'ip network');
      expect(body.links.find(({ rel }: Body) => rel === 'geofeed').href).toBe('https://test-networks.example/geofeed6.csv');
    });

    test('returns the registry’s block for unallocated space, as administrative', async () => {
      await portal.db.change(line, async change => {
        await change
          .insertInto('pool')
          .values({
            kind: 'ipv4',
            first: '198.19.240.0',
            last: '198.19.255.255',
            resource: '198.19.240.0/20',
            size: '4096',
            state: 'available',
            registry: '',
          })
          .execute();
      });
      const body = await expectGood('ip/198.19.250.0/24', 'ip network');
      expect(body).toMatchObject({ name: 'TEST-BLOCK', status: ['administrative'] });
    });

    test('returns reserved space as such', async () => {
      expect(await expectGood('ip/10.1.2.3', 'ip network')).toMatchObject({ handle: '10.0.0.0/8', status: ['reserved'] });
    });

    test.each([
      ['never ours', 'ip/193.0.0.1', 'https://rdap.db.ripe.net/ip/193.0.0.1/32'],
      ['never ours, IPv6', 'ip/2001:db00::/24', null],
      ['never ours, by prefix', 'ip/1.1.1.0/24', 'https://rdap.apnic.net/ip/1.1.1.0/24'],
    ])('%s redirects by IANA’s files', async (_what, path, to) => {
      const { status, headers, body } = await ask(path);
      expect(headers.get('location')).toBe(to);
      expect(status).toBe(to === null ? 404 : 302);
      expect(brokenRules(body, { kind: to === null ? 'error' : 'redirect' })).toEqual([]);
    });

    test('redirects to the registry that it was transferred to', async () => {
      await portal.db.change(line, async change => {
        await change
          .insertInto('delegation')
          .values({
            kind: 'ipv4',
            first: '198.19.176.0',
            last: '198.19.179.255',
            resource: '198.19.176.0/22',
            size: '1024',
            type: 'allocated',
            accountName: 'OTHER-SG',
            registry: 'ripencc',
          })
          .execute();
      });
      const { status, headers } = await ask('ip/198.19.177.0/24');
      expect([status, headers.get('location')]).toEqual([302, 'https://rdap.db.ripe.net/ip/198.19.177.0/24']);
      // For a partly deleted range, the block around it.
      expect((await expectGood('ip/198.19.160.0/19', 'ip network')).name).toBe('TEST-BLOCK');
      const zone = await ask('domain/177.19.198.in-addr.arpa');
      expect(zone.headers.get('location')).toBe('https://rdap.db.ripe.net/domain/177.19.198.in-addr.arpa');
    });
  });

  describe('an AS number', () => {
    test('answers the aut-num', async () => {
      const body = await expectGood('autnum/64510', 'autnum');
      expect(body).toMatchObject({
        handle: 'AS64510',
        startAutnum: 64510,
        endAutnum: 64510,
        name: 'TEST-AS',
        country: 'AU',
        status: ['active'],
      });
      expect((await expectGood('autnum/AS64510', 'autnum')).handle).toBe('AS64510');
    });
    test('does not find undelegated numbers, as the flat model requires', async () => {
      const body = await expectGood('autnum/4199999999', 'error', 404);
      expect(body.description).toEqual(['AS4199999999 is not registered here.']);
    });
    test('redirects for others, and knows reserved numbers', async () => {
      expect((await ask('autnum/3333')).headers.get('location')).toBe('https://rdap.db.ripe.net/autnum/3333');
      expect(await expectGood('autnum/64496', 'autnum')).toMatchObject({ status: ['reserved'] });
    });
  });

  describe('a reverse zone', () => {
    test('answers name servers with glue, DS records and the network', async () => {
      const body = await expectGood('domain/129.19.198.in-addr.arpa', 'domain');
      expect(body).toMatchObject({
        handle: '129.19.198.in-addr.arpa',
        ldhName: '129.19.198.in-addr.arpa.',
        nameservers: [
          { ldhName: 'ns1.test-networks.example.' },
          { ldhName: 'ns.129.19.198.in-addr.arpa.', ipAddresses: { v4: ['198.19.129.53'], v6: ['3fff:900::53'] } },
        ],
        secureDNS: { delegationSigned: true, dsData: [{ keyTag: 12345, algorithm: 13, digestType: 2 }] },
        network: { name: 'TESTNET-ODD' },
      });
      expect(entityOf(body, 'technical').roles).toEqual(['technical']);
    });
    test('returns the closest zone around a name without one, in any case and with a final dot', async () => {
      expect((await expectGood('domain/7.129.19.198.IN-ADDR.ARPA.', 'domain')).handle).toBe('129.19.198.in-addr.arpa');
    });
    test.each(['domain/131.19.198.in-addr.arpa', 'domain/in-addr.arpa', 'domain/example.com'])('%s is not found', async path => {
      await expectGood(path, 'error', 404);
    });
    test('redirects to the registry of a forward domain if IANA names one', async () => {
      expect((await ask('domain/example.cz')).headers.get('location')).toBe('https://rdap.nic.cz/domain/example.cz');
    });
  });

  describe('an entity', () => {
    test('a person looked up by handle, in any case, is shown with its e-mail', async () => {
      const body = await expectGood('entity/tp1-ex', 'entity');
      expect(body.handle).toBe('TP1-EX');
      expect(emailsOf(body)).toEqual(['tess@test-networks.example']);
      expect(body.vcardArray[1]).toContainEqual(['tel', { type: 'fax' }, 'text', '+61 7 5555 0101']);
      expect(body.vcardArray[1]).toContainEqual(['adr', { label: '1 Test Street', cc: 'AU' }, 'text', ['', '', '', '', '', '', '']]);
      expect(body.networks).toBeUndefined();
    });
    test('an organisation lists its resources', async () => {
      const body = await expectGood('entity/ORG-TEST1-EX', 'entity');
      expect(body.roles).toEqual(['registrant']);
      expect(body.networks.map(({ handle }: Body) => handle)).toEqual(['198.19.128.0 - 198.19.143.255', '3fff:900::/32']);
      expect(body.autnums.map(({ handle }: Body) => handle)).toEqual(['AS64510']);
    });
    test('a maintainer lists resources without an organisation, and never shows credentials', async () => {
      const body = await expectGood('entity/MAINT-TEST-RDAP', 'entity');
      expect(body.networks.map(({ name }: Body) => name)).toEqual(['TESTNET-ODD']);
      expect(JSON.stringify(body)).not.toMatch(/MD5|Secret00|auth/i);
    });
    test('an irt is an abuse contact', async () => {
      const body = await expectGood('entity/IRT-TEST-RDAP', 'entity');
      expect(body.roles).toEqual(['abuse']);
      expect(emailsOf(body)).toEqual(['abuse@test-networks.example']);
    });
    test('if two objects have the same name, the earlier class is shown, with a note', async () => {
      // From before handles were unique across classes.
      await portal.db.change(line, change =>
        change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at, handle_shared)
          select 'mntner', 'tr1-ex', 'TR1-EX', ${'mntner: TR1-EX\ndescr: Same name\nsource: EXAMPLE\n'}, 1, created_at, changed_at, true
          from whois_object where key = 'tr1-ex'`),
      );
      const body = await expectGood('entity/TR1-EX', 'entity');
      expect(body.vcardArray[1]).toContainEqual(['fn', {}, 'text', 'Test Role']);
      expect(body.remarks).toContainEqual({ title: 'Another object', description: ['There is also a mntner object of this name.'] });
    });
    test('an unknown handle finds nothing', () => expectGood('entity/NOBODY-EX', 'error', 404));
  });

  describe('searched', () => {
    test.each([
      ['entities?fn=quilla*', 'entitySearchResults', ['TP1-EX']],
      ['entities?fn=Quilla%20Per*', 'entitySearchResults', ['TP1-EX']],
      ['entities?fn=*%20person', 'entitySearchResults', ['TP1-EX']],
      ['entities?handle=ORG-TEST1*', 'entitySearchResults', ['ORG-TEST1-EX']],
      ['entities?handle=org-test1-ex', 'entitySearchResults', ['ORG-TEST1-EX']],
      ['entities?fn=nobody-at-all', 'entitySearchResults', []],
      ['domains?name=*.19.198.in-addr.arpa', 'domainSearchResults', ['129.19.198.in-addr.arpa']],
      ['domains?name=129.19.198.in-addr.arpa.', 'domainSearchResults', ['129.19.198.in-addr.arpa']],
      ['domains?name=129.19*', 'domainSearchResults', ['129.19.198.in-addr.arpa']],
      ['domains?name=129.*8.in-addr.arpa', 'domainSearchResults', ['129.19.198.in-addr.arpa']],
      ['domains?name=130.19*', 'domainSearchResults', []],
      ['ips?name=TESTNET-*', 'ipSearchResults', ['198.19.128.0 - 198.19.143.255', '198.19.129.0 - 198.19.130.255']],
      ['ips?name=testnet-odd', 'ipSearchResults', ['198.19.129.0 - 198.19.130.255']],
      ['ips?name=TEST*-O*', 'ipSearchResults', ['198.19.129.0 - 198.19.130.255']],
      ['ips?name=TEST_ET-*', 'ipSearchResults', []],
      ['ips?name=quilla*', 'ipSearchResults', []],
      ['ips?handle=3fff:900:*', 'ipSearchResults', ['3fff:900::/32']],
      ['ips?handle=3fff:9*', 'ipSearchResults', ['3fff:900::/32']],
      ['ips?handle=198.19.129.*', 'ipSearchResults', ['198.19.129.0 - 198.19.130.255']],
      [
        'ips?handle=198.19.12*',
        'ipSearchResults',
        ['198.19.128.0 - 198.19.255.255', '198.19.128.0 - 198.19.143.255', '198.19.129.0 - 198.19.130.255'],
      ],
      ['ips?handle=198.19.129.0%20-%20198.19.13*', 'ipSearchResults', ['198.19.129.0 - 198.19.130.255']],
      ['ips?handle=198.19.3*', 'ipSearchResults', []],
      ['autnums?handle=AS64510', 'autnumSearchResults', ['AS64510']],
      ['autnums?handle=AS6451*', 'autnumSearchResults', ['AS64510', 'AS64511']],
      ['autnums?name=test-a*', 'autnumSearchResults', ['AS64510']],
      ['autnums?name=te*s', 'autnumSearchResults', ['AS64510']],
      ['autnums?name=test-as', 'autnumSearchResults', ['AS64510']],
      ['ips/rirSearch1/rdap-down/198.19.128.0/17', 'ipSearchResults', ['198.19.128.0 - 198.19.143.255']],
      ['ips/rirSearch1/rdap-bottom/198.19.128.0/17', 'ipSearchResults', ['198.19.128.0 - 198.19.143.255', '198.19.129.0 - 198.19.130.255']],
      ['domains/rirSearch1/rdap-down/19.198.in-addr.arpa', 'domainSearchResults', ['129.19.198.in-addr.arpa']],
    ] as const)('%s', async (path, kind, handles) => {
      const body = await expectGood(path, kind);
      expect(body[kind].map(({ handle }: Body) => handle)).toEqual(handles);
    });

    test('upwards it returns one network as in a look-up', async () => {
      expect((await ask('ips/rirSearch1/rdap-up/198.19.129.0/24')).body).toMatchObject({ name: 'TESTNET-ODD' });
      expect((await ask('ips/rirSearch1/rdap-up/198.19.129.0/32')).body).toMatchObject({ name: 'TESTNET-ODD' });
      expect((await ask('ips/rirSearch1/rdap-top/198.19.129.0/32')).body).toMatchObject({ name: 'TEST-BLOCK' });
      expect((await ask('ips/rirSearch1/rdap-top/198.19.129.0/32?status=active')).body).toMatchObject({ name: 'TESTNET-AU' });
    });

    test.each([
      ['nameserver/ns1.example.net', 501],
      ['nameservers?name=ns1.*', 501],
      ['domains?nsLdhName=ns1.example.net', 501],
      ['autnums/rirSearch1/rdap-up/64510', 501],
      ['entities/reverse_search/entity?handle=TP1-EX', 501],
      ['ips/reverse_search/entity?handle=TP1-EX', 501],
      ['entities/foo/bar?handle=TP1-EX', 400],
      ['entities', 400],
      ['entities?fn=a&handle=b', 400],
      // A valid pattern that can't be served is 422 (RFC 9082, section 4.1).
      ['entities?fn=*', 422],
      ['entities?fn=q*', 422],
      ['entities?handle=T*', 422],
      ['entities?fn=*n', 422],
      ['domains?name=*', 422],
      ['domains?name=1*', 422],
      ['domains?name=*.example.net', 422],
      ['ips?name=*NET', 422],
      ['ips?handle=*.1', 422],
      ['ips?handle=zz*', 400],
      ['autnums?name=*', 422],
      ['autnums?handle=*10', 422],
      ['ips?name=a*b*c*d*e*f', 422],
      ['ips?name=', 400],
      [`ips?name=${'x'.repeat(201)}`, 400],
      ['ips/rirSearch1/sideways/198.19.129.0/24', 400],
      ['ip/300.1.1.1', 400],
      ['ip', 400],
      ['autnum/AS99999999999', 400],
      ['domain/a..b', 400],
      ['weather/brisbane', 404],
      ['%ff', 404],
      ['ip/%zz', 404],
      [`entity/${'x'.repeat(200)}`, 400],
    ])('%s is %i, with a regular body', async (path, status) => {
      await expectGood(path, 'error', status);
    });
  });

  test('help lists every extension', async () => {
    const body = await expectGood('help', 'help');
    expect(body.rdapConformance).toEqual(
      expect.arrayContaining(['geofeed1', 'redacted', 'rirSearch1', 'ips', 'ipSearchResults', 'autnums', 'autnumSearchResults']),
    );
  });

  describe('the HTTP answer', () => {
    test('HEAD answers like GET without a body', async () => {
      const { status, headers, body } = await ask('ip/198.19.140.7', { method: 'HEAD' });
      expect([status, body, headers.get('content-type')]).toEqual([200, null, 'application/rdap+json']);
    });
    test('a known answer is not sent again, and changes with the object', async () => {
      const first = await ask('autnum/64510');
      const etag = first.headers.get('etag')!;
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect((await ask('autnum/64510', { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304);
      await portal.db.change(line, async change => {
        await change
          .updateTable('whoisObject')
          .set(eb => ({ text: eb.fn('replace', ['text', eb.val('TEST-AS'), eb.val('CHANGED-AS')]) }))
          .where('key', '=', 'as64510')
          .execute();
      });
      const again = await ask('autnum/64510', { headers: { 'if-none-match': etag } });
      expect([again.status, again.body.name]).toEqual([200, 'CHANGED-AS']);
    });
    test('a large answer is compressed if the client accepts it, as a separate variant for caches', async () => {
      const asked = (encoding: string) => portal.request('/rdap/ip/198.19.140.7', { headers: { 'accept-encoding': encoding } });
      const plain = await asked('identity');
      const packed = await asked('gzip');
      expect([plain, packed].map(({ headers }) => [headers.get('content-encoding'), headers.get('vary')])).toEqual([
        [null, 'accept-encoding'],
        ['gzip', 'accept-encoding'],
      ]);
      expect(packed.headers.get('content-type')).toBe('application/rdap+json');
      expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(await plain.text());
      // A strong validator identifies bytes, which differ (RFC 9110, section 8.8.3.3).
      expect(packed.headers.get('etag')).toBe(`W/${plain.headers.get('etag')!}`);
      const known = await portal.request('/rdap/ip/198.19.140.7', {
        headers: { 'accept-encoding': 'gzip', 'if-none-match': packed.headers.get('etag')! },
      });
      expect(known.status).toBe(304);
      const short = await portal.request('/rdap/help', { headers: { 'accept-encoding': 'gzip' } });
      expect([short.headers.get('vary'), short.headers.get('content-encoding')]).toEqual(['accept-encoding', null]);
    });
    test('writing is refused', async () => {
      const answer = await ask('ip/198.19.140.7', { method: 'POST' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(brokenRules(answer.body, { kind: 'error' })).toEqual([]);
    });
    test('a browser may query from any site', async () => {
      const answer = await ask('ip/198.19.140.7', { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } });
      expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
    });
    test('requests that the server refuses before RDAP sees them are answered as RDAP errors', async () => {
      const answer = await ask('ip/198.19.140.7', { headers: { host: 'elsewhere.example' } });
      expect(answer.status).toBe(421);
      expect(brokenRules(answer.body, { kind: 'error' })).toEqual([]);
    });
  });
});

describe('Persons on RDAP', () => {
  test('are limited per address and day, and networks aren’t', async () => {
    await using portal = await testPortal();
    await portal.db.change(line, change => load(change, texts));
    const http = Fastify();
    const addressOf = openCallerAddress({ hops: 0 });
    http.addHook('onRequest', async request => {
      request.address = addressOf(request.raw);
    });
    let now = new Date('2026-03-01T23:59:00Z');
    const few = { ...profile, personalLookupsPerDay: 2 };
    rdapRoutes(http, { dbForQuestion: () => portal.db, config: portal.config, profile: few, clock: () => now, publicTurn: publicTurns() });
    const ask = (path: string, remoteAddress: string) => http.inject({ url: `/rdap/${path}`, remoteAddress });
    const statuses = async (path: string, ...addresses: string[]) => {
      const all: number[] = [];
      for (const address of addresses) all.push((await ask(path, address)).statusCode);
      return all;
    };
    // One subscriber has a /64; an IPv4 address on a dual-stack socket counts as itself.
    expect(await statuses('entity/TP1-EX', '3fff::1', '3fff::2', '3fff::3', '3fff::4', '3fff:0:0:1::1')).toEqual([200, 200, 200, 429, 200]);
    // The role names a person: both are shown, and counted.
    expect(await statuses('entity/TR1-EX', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1', '::ffff:192.0.2.2')).toEqual([200, 200, 429, 200]);
    const refused = await ask('entity/TP1-EX', '3fff::1');
    expect(refused.headers['retry-after']).toBe('60');
    expect(brokenRules(refused.json(), { kind: 'error' })).toEqual([]);
    expect(await statuses('ip/198.19.140.7', '3fff::1')).toEqual([200]);
    expect(await statuses('entity/IRT-TEST-RDAP', '3fff::1')).toEqual([200]);
    now = new Date('2026-03-02T00:00:01Z');
    expect(await statuses('entity/TP1-EX', '3fff::1')).toEqual([200]);
  });

  test('are one count with port 43 and the pages of whois: what one shows, the others give no more', async () => {
    await using portal = await testPortal();
    await portal.db.change(line, change => load(change, texts));
    const registry = portal.context.profile;
    registry.personalLookupsPerDay = 3;
    await using whois = await whoisServer({ on: portal.db, registry });
    const status = async (url: string, remoteAddress = '127.0.0.1') =>
      (await portal.http.inject({ url, headers: { host: 'portal.test' }, remoteAddress })).statusCode;
    for (let shown = 0; shown < 2; shown++) expect(await whois.query('-r TP1-EX')).toContain('Quilla Person');
    expect(await status('/rdap/entity/TP1-EX')).toBe(200);
    expect(await status('/whois/TP1-EX?as=text')).toBe(200);
    // Four were shown.
    expect(await status('/rdap/entity/TP1-EX')).toBe(429);
    expect(await status('/whois/TP1-EX?as=text')).toBe(429);
    expect(await whois.query('-r TP1-EX')).toContain('%ERROR:201: access denied');
    // Others have their own, and what names no one is answered.
    expect(await status('/rdap/entity/TP1-EX', '192.0.2.77')).toBe(200);
    expect(await status('/rdap/ip/198.19.140.7')).toBe(200);
  });

  test('aren’t counted again for a caller that has the answer already', async () => {
    await using portal = await testPortal();
    await portal.db.change(line, change => load(change, texts));
    const http = Fastify();
    http.addHook('onRequest', async request => {
      request.address = request.ip;
    });
    const few = { ...profile, personalLookupsPerDay: 1 };
    const clock = () => new Date('2026-03-01T12:00:00Z');
    rdapRoutes(http, { dbForQuestion: () => portal.db, config: portal.config, profile: few, clock, publicTurn: publicTurns() });
    const ask = (etag = '') => http.inject({ url: '/rdap/entity/TP1-EX', headers: { 'if-none-match': etag } });
    const { etag } = (await ask()).headers;
    const statuses: number[] = [];
    for (const known of [etag, etag, etag, undefined, etag]) statuses.push((await ask(known as string | undefined)).statusCode);
    expect(statuses).toEqual([304, 304, 304, 200, 429]);
  });

  test.each(['ip/198.19.140.7', 'autnum/64510', 'domain/129.19.198.in-addr.arpa', 'entity/IRT-TEST-RDAP', 'entities?fn=Quilla*'])(
    'count where %s shows them, and are left out of answers about others over the limit',
    async path => {
      await using portal = await testPortal();
      await portal.db.change(line, change => load(change, texts));
      const http = Fastify();
      http.addHook('onRequest', async request => {
        request.address = request.ip;
      });
      const clock = () => new Date('2026-03-01T12:00:00Z');
      const few = { ...profile, personalLookupsPerDay: 0 };
      rdapRoutes(http, { dbForQuestion: () => portal.db, config: portal.config, profile: few, clock, publicTurn: publicTurns() });
      const ask = (asked: string) => http.inject({ url: `/rdap/${asked}` });
      const first = await ask(path);
      expect([first.statusCode, first.body.includes('Quilla Person') || first.body.includes('Test Role')]).toEqual([200, true]);
      const over = await ask(path);
      expect(over.statusCode).toBe(path.startsWith('entities') ? 429 : 200);
      expect(over.body).not.toMatch(/Quilla Person|Test Role|5555/);
      if (over.statusCode === 429) return;
      expect(over.json()).toMatchObject({
        entities: expect.arrayContaining([
          expect.objectContaining({
            handle: expect.stringMatching(/^T[PR]1-EX$/),
            remarks: [expect.objectContaining({ title: 'Contact left out' })],
          }),
        ]),
      });
      expect((await ask('entity/TP1-EX')).statusCode).toBe(429);
      // The abuse mailbox is no personal data.
      if (path.startsWith('ip')) expect(over.body).toContain('abuse@test-networks.example');
    },
  );
});
