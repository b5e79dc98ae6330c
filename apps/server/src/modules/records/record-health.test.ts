import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { RecordSubjectName, ResourceRecord } from '@portal/contract/records/records';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { storeBgpTable } from '../bgp-tables/index.ts';
import { publishAll } from '../rpki/repository/publisher.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('what the page of some numbers judges, on %s', kind => {
  let portal: TestPortal;
  let tess: Client;
  let corin: Client;
  let olive: Client;
  const recordOf = async (who: Client, name: string, resource: string, on?: string): Promise<ResourceRecord> =>
    (await who(api.whoisRecords.getRecord, { account: name, query: { resource, ...(on && { on }) } })).data!;
  const own = (resource: string, on?: string) => recordOf(tess, account, resource, on);
  const others = (resource: string) => recordOf(olive, 'OTHER-SG', resource);
  const about = ({ health, marks }: ResourceRecord, subject: RecordSubjectName) => ({
    ...health.find(each => each.about === subject),
    marks: marks.filter(mark => mark.about === subject),
  });
  const see = (announced: readonly (readonly [prefix: string, asn: number, peers: number])[]) =>
    portal.db.change(activity, change =>
      storeBgpTable(change, {
        family: 4,
        fileName: 'test',
        collectedAt: '2026-11-22T08:00:00Z',
        announced: announced.map(([prefix, asn, peers]) => ({ prefix, asn, peers })),
        shrinks: true,
      }),
    );

  beforeAll(async () => {
    portal = await testPortal(kind);
    [tess, corin, olive] = (await Promise.all(['tess', 'corin', 'olive'].map(name => portal.as(name)))) as [Client, Client, Client];
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  describe('routing', () => {
    test('without a table says so, and blames no one', async () => {
      const record = await own('198.18.8.0/24');
      expect(record.routing).toMatchObject({ collectedAt: null, announcements: [] });
      expect(about(record, 'routing')).toMatchObject({ mark: 'info', word: 'No table of announcements yet' });
    });

    test('shows announcements around the numbers and of them, and names the route that repairs a wrong one', async () => {
      await corin(api.rpki.enable, { account });
      const { data } = await corin(api.rpki.listRoas, { account, query: {} });
      const add = [{ prefix: '198.18.0.0/19', asn: 'AS64500' }];
      expect((await corin(api.rpki.changeRoas, { account, body: { version: data!.version, add, remove: [] } })).errors).toBeUndefined();
      await publishAll(portal.context);
      await see([
        ['198.18.0.0/19', 64500, 328],
        ['198.18.8.0/24', 65536, 41],
        ['198.18.66.0/24', 64500, 325],
      ]);
      const record = await own('198.18.8.0/24');
      expect(record.routing).toMatchObject({
        peers: 328,
        announcements: [
          { prefix: '198.18.0.0/19', asn: 64500, validity: 'valid' },
          { prefix: '198.18.8.0/24', asn: 65536, peers: 41, validity: 'invalid-asn' },
        ],
        roas: [{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 19 }],
      });
      const routing = about(record, 'routing');
      expect(routing).toMatchObject({ mark: 'invalid', word: 'Dropped where validated' });
      expect(routing.marks.find(({ code }) => code === 'announcement-invalid')).toMatchObject({
        mark: 'invalid',
        message: 'AS65536 announces 198.18.8.0/24, seen by 41 of 328 peers. The ROA allows AS64500 on 198.18.0.0/19 up to /19',
        fix: { label: 'Allow AS65536', link: '/resources/routes/index?add=yes&prefix=198.18.8.0%2F24&asn=AS65536' },
      });
      expect(routing.actions!.map(({ label }) => label)).toEqual(['Add route', 'Report a hijack']);
      expect(about(await own('198.18.9.0/24'), 'routing')).toMatchObject({ mark: 'valid', word: 'Valid, as part of 198.18.0.0/19' });
      expect(about(await own('198.18.66.0/24'), 'routing')).toMatchObject({ mark: 'warning', word: 'Announced without a ROA' });
      expect(about(await own('203.0.113.0/24'), 'routing')).toMatchObject({ word: 'Not announced' });
    });

    test('warns of a route object that the ROA of its prefix contradicts, before it is announced', async () => {
      const contradictions = async (who: ResourceRecord) =>
        about(who, 'routing').marks.filter(({ code }) => code === 'route-object-invalid');
      expect(await contradictions(await own('203.0.113.0/24'))).toEqual([]);
      const { data } = await corin(api.rpki.listRoas, { account, query: {} });
      const add = [{ prefix: '203.0.113.0/24', asn: 'AS0' }];
      expect((await corin(api.rpki.changeRoas, { account, body: { version: data!.version, add, remove: [] } })).errors).toBeUndefined();
      await publishAll(portal.context);
      const record = await own('203.0.113.0/24');
      expect(await contradictions(record)).toEqual([
        {
          about: 'routing',
          mark: 'warning',
          code: 'route-object-invalid',
          message:
            'The route object of 203.0.113.0/24 names AS64500, but its ROA allows no AS. An announcement would be invalid. Delete the route object, or change the ROA',
          fix: { label: 'Compare them', link: '/resources/routes/index?q=203.0.113.0%2F24' },
        },
      ]);
      expect(about(record, 'routing').mark).toBe('warning');
      expect(await contradictions(await others('203.0.113.0/24'))).toEqual([]);
    });

    test('is public, but others get no way to change it', async () => {
      const record = await others('198.18.8.0/24');
      expect(record.routing!.announcements).toHaveLength(2);
      const routing = about(record, 'routing');
      expect(routing).toMatchObject({ mark: 'invalid', actions: [] });
      expect(routing.marks.filter(({ code }) => code.startsWith('announcement'))).toEqual([]);
    });
  });

  test('reverse DNS names a server that doesn’t answer, and the day on which it is left out', async () => {
    const zone = '2.18.198.in-addr.arpa';
    const notified = instantBefore(portal.context.clock(), 3 * DAY_MS);
    await portal.db.change(activity, async change => {
      await change.rows(sql`insert into rdns_zone (zone, state, dnssec, problem, checked_at)
        values (${zone}, 'lame', 'none', 'ns2.example.net refuses the zone', ${change.now}::timestamptz)`);
      await change.rows(sql`insert into rdns_lame_server (zone, server, since, failed_at, notified_at)
        values (${zone}, 'ns2.example.net', ${instantBefore(portal.context.clock(), 18 * DAY_MS)}::timestamptz, ${change.now}::timestamptz, ${notified}::timestamptz)`);
    });
    const reverse = about(await own('198.18.2.0/24'), 'reverse-dns');
    expect(reverse).toMatchObject({ mark: 'warning', word: '1 of 1 with a server that doesn’t answer' });
    const removed = dayInWords(daysAfter(utcDay(notified), portal.context.profile.lameNotifyDays));
    expect(reverse.marks[0]).toMatchObject({
      code: 'server-lame',
      message: expect.stringContaining(`It’s left out of the registry’s zone on ${removed} unless it answers`),
      fix: { link: `/resources/ReverseDNS?zone=${zone}` },
    });
    expect(about(await own('198.18.29.0/24'), 'reverse-dns')).toMatchObject({
      word: 'Not delegated',
      marks: [{ code: 'zones-not-delegated', fix: { label: 'Delegate it', link: '/resources/ReverseDNS_ip?prefix=198.18.29.0/24' } }],
    });
    // Findings are the holder's.
    const seen = about(await others('198.18.2.0/24'), 'reverse-dns');
    expect([seen.mark, seen.word, seen.marks, seen.actions]).toEqual(['info', 'Delegated', [], []]);
  });

  test('what an account alone knows of routing and zones is for those who may open the pages of it', async () => {
    const [{ permissions: before }] = (await portal.db.read.rows<{ permissions: string[] }>(
      sql`select permissions from contact where account_name = ${account} and full_name like 'Tess%'`,
    )) as [{ permissions: string[] }];
    const giveTess = (permissions: readonly string[]) =>
      portal.db.change(activity, change =>
        change.rows(
          sql`update contact set permissions = ${[...permissions]}::text[] where account_name = ${account} and full_name like 'Tess%'`,
        ),
      );
    await giveTess(['resources-view']);
    await portal.db.change(activity, async change => {
      await change.rows(
        sql`insert into route_alert (account_name, prefix, asn, validity, found_at, seen_at) values (${account}, '198.18.8.0/24', 65536, 'invalid-asn', ${change.now}::timestamptz, ${change.now}::timestamptz) on conflict do nothing`,
      );
    });
    const messages = ({ marks }: ResourceRecord) => marks.map(({ message }) => message).join('\n');
    const codes = ({ marks }: ResourceRecord) => marks.map(({ code }) => code);
    const known = await recordOf(corin, account, '198.18.8.0/24');
    expect(messages(known)).toContain('found on');
    expect(messages(await own('198.18.8.0/24'))).toContain('AS65536 announces 198.18.8.0/24, seen by');
    expect(messages(await own('198.18.8.0/24'))).not.toContain('found on');
    expect(codes(await recordOf(corin, account, '198.18.2.0/24'))).toContain('server-lame');
    expect(codes(await own('198.18.2.0/24'))).not.toContain('server-lame');
    await giveTess(before);
  });

  test('a server that answers again is no longer marked, and an overdue day is today', async () => {
    const lame = async () => (await recordOf(corin, account, '198.18.2.0/24')).marks.filter(({ code }) => code === 'server-lame');
    const set = (column: 'notified_at' | 'answered_at', at: string) =>
      portal.db.change(activity, change => change.rows(sql`update rdns_lame_server set ${sql.ref(column)} = ${at}::timestamptz`));
    await set('notified_at', instantBefore(portal.context.clock(), 300 * DAY_MS));
    expect((await lame())[0]!.message).toContain(`on ${dayInWords(utcDay(portal.context.clock()))} unless`);
    await set('answered_at', instantBefore(portal.context.clock(), DAY_MS));
    expect(await lame()).toEqual([]);
    expect((await corin(api.zoneReports.getZone, { account, zone: '2.18.198.in-addr.arpa' })).data!.lame).toEqual([]);
  });

  test('the fee is that of today and without the numbers, for the holder alone', async () => {
    const { fee, health } = await own('198.18.0.0/19');
    expect(Number(fee!.now)).toBeGreaterThan(Number(fee!.without));
    expect(fee!.share).toBeGreaterThan(0);
    expect(fee!.share).toBeLessThanOrEqual(1);
    const part = (await own('198.18.8.0/24')).fee!;
    expect(Number(part.without)).toBeGreaterThan(Number(fee!.without));
    expect(part.now).toBe(fee!.now);
    expect(health.map(each => each.about)).toEqual(['registration', 'routing', 'reverse-dns', 'abuse', 'objects', 'tickets', 'fee']);
    expect((await others('198.18.0.0/19')).fee).toBeNull();
  });

  test('space of another registry has no fee here, and nothing to do here', async () => {
    await portal.db.change(activity, change =>
      change.rows(sql`insert into delegation (kind, first, last, resource, size, type, source, portable, delegated_on, economy, account_name, registry)
        values ('ipv4', '193.0.0.0', '193.0.7.255', '193.0.0.0/21', 2048, 'allocated', 'delegated', true, '2001-01-01', 'NL', ${account}, 'ripencc')`),
    );
    await see([
      ['193.0.0.0/21', 3333, 320],
      ['198.18.8.0/24', 65536, 41],
    ]);
    const record = await own('193.0.0.0/21');
    expect(record.holdings).toMatchObject([{ own: true, registry: 'ripencc' }]);
    expect([record.fee, record.marks.filter(({ fix }) => fix !== null)]).toEqual([null, []]);
    expect(about(record, 'routing')).toMatchObject({ word: 'Announced without a ROA', actions: [] });
    expect(record.health.map(each => each.about)).not.toContain('reverse-dns');
  });

  test('tickets are those about exactly these numbers, and for those who see them', async () => {
    expect(about(await own('198.18.8.0/24'), 'tickets')).toMatchObject({ mark: 'valid', word: 'None open', facts: [] });
    const body = {
      queue: 'resources' as const,
      subject: 'Who announces this?',
      text: 'Please look.',
      about: '198.18.8.0/24',
      account,
      cc: [],
      documentIds: [],
    };
    const { data, errors } = await tess(api.tickets.openTicket, { body });
    expect(errors).toBeUndefined();
    const tickets = about(await own('198.18.8.0/24'), 'tickets');
    expect(tickets).toMatchObject({ mark: 'info', word: '1 open' });
    expect(tickets.facts![0]).toMatchObject({ text: 'Who announces this?', link: `/contact/resources/ticket/${data!.ticketId}` });
    expect(about(await own('198.18.9.0/24'), 'tickets').word).toBe('None open');
    expect((await others('198.18.8.0/24')).health.some(each => each.about === 'tickets')).toBe(false);
  });

  test('who can change them is named for the account’s own, API keys for corporate contacts alone', async () => {
    const { editors } = await own('198.18.0.0/19');
    expect(editors.map(({ what }) => what)).toEqual(['Whois', 'Reverse DNS', 'Routes and ROAs', 'Assignments']);
    expect(editors.find(({ what }) => what === 'Whois')!.names.join()).toContain('Tess');
    await portal.db.change(activity, change =>
      change.rows(sql`insert into api_key (account_name, label, scopes, login_id, issuer, subject, created_at, expires_at)
        select ${account}, 'ci-routes', '{routes:write}', login_id, 'test', 'test', ${change.now}::timestamptz, ${change.now}::timestamptz + interval '9 days' from login limit 1`),
    );
    const keys = ({ editors: all }: ResourceRecord) => all.filter(({ what }) => what === 'API keys');
    expect(keys(await recordOf(corin, account, '198.18.0.0/19'))).toEqual([{ what: 'API keys', names: ['ci-routes'] }]);
    expect(keys(await own('198.18.0.0/19'))).toEqual([]);
    expect((await others('198.18.0.0/19')).editors).toEqual([]);
    await tess(api.whoisFollows.follow, { account, body: { resource: '198.18.0.0/19' } });
    expect((await own('198.18.0.0/19')).editors.at(-1)).toEqual({ what: 'Followed by', names: ['You'] });
    expect((await recordOf(corin, account, '198.18.0.0/19')).editors.map(({ what }) => what)).not.toContain('Followed by');
  });

  test('a helper whose time is over is no longer named among those who can change them', async () => {
    const helpTill = (until: string) =>
      portal.db.change(activity, change =>
        change.rows(
          sql`update contact set helper_until = ${until}::timestamptz where account_name = ${account} and full_name like 'Tess%'`,
        ),
      );
    const named = async () => (await recordOf(corin, account, '198.18.0.0/19')).editors.flatMap(({ names }) => names).join();
    await helpTill(instantBefore(Date.now(), -DAY_MS));
    expect(await named()).toContain('Tess');
    await helpTill(instantBefore(Date.now(), DAY_MS));
    expect(await named()).not.toContain('Tess');
    await portal.db.change(activity, change => change.rows(sql`update contact set helper_until = null where full_name like 'Tess%'`));
  });

  test('an API key that reads numbers is given no tickets, people or fees of its account', async () => {
    const { data } = await corin(api.apiKeys.createApiKey, { account, body: { label: 'reader', scopes: ['resources:read'], days: 30 } });
    const answer = await portal.request(`/registry-api/v1/${account}/resources/record?resource=198.18.0.0/19`, {
      headers: { authorization: `Bearer ${data!.secret!}` },
    });
    expect(answer.status).toBe(200);
    const { holdings, editors, fee, health } = (await answer.json()) as ResourceRecord;
    expect([holdings[0]!.own, editors, fee]).toEqual([true, [], null]);
    expect(health.map(each => each.about)).not.toEqual(expect.arrayContaining(['tickets']));
    expect(health.map(each => each.about)).not.toEqual(expect.arrayContaining(['fee']));
  });

  test('what is registered inside is counted once, and not in a network that is used as a whole', async () => {
    const { used } = await own('198.18.0.0/19');
    const [sum] = await portal.db.read.rows<{ size: string }>(
      sql`select sum(a.size)::text as size from assignment a join delegation d using (delegation_id) where d.resource = '198.18.0.0/19' and level = 0 and visibility = 'public'`,
    );
    expect(BigInt(used!)).toBeGreaterThanOrEqual(BigInt(sum!.size));
    expect(BigInt(used!)).toBeLessThan(8192n);
    expect((await own('198.18.12.0/23')).used).toBeNull();
    expect((await others('198.18.0.0/19')).used).toBeNull();
  });

  test('registrations in registrations count once', async () => {
    const add = async (resource: string, type: 'assigned' | 'allocated') => {
      const body = { resource, type, netname: 'CUST-DEEP', customer: 'Deep', visibility: 'private' as const };
      const { errors } = await corin(api.whoisCustomers.addAssignment, { account, body });
      expect(errors, resource).toBeUndefined();
    };
    const before = BigInt((await recordOf(corin, account, '198.18.0.0/19')).used!);
    await add('198.18.10.0/24', 'allocated');
    expect(BigInt((await recordOf(corin, account, '198.18.0.0/19')).used!)).toBe(before + 256n);
    await add('198.18.10.0/26', 'assigned');
    await add('198.18.10.128/26', 'assigned');
    expect(BigInt((await recordOf(corin, account, '198.18.0.0/19')).used!)).toBe(before + 256n);
    expect((await recordOf(corin, account, '198.18.10.0/24')).used).toBe(String(64 + 64));
  });

  test('of all IPv4 space it reads a part of the announcements, and says so', async () => {
    await see(Array.from({ length: 2_100 }, (_, n) => [`100.${64 + (n >> 8)}.${n & 255}.0/24`, 64_500, 10] as const));
    const whole = await others('0.0.0.0/0');
    expect(whole.routing!.announcements).toHaveLength(50);
    expect(whole.routing!.more).toBe(true);
    expect(about(whole, 'routing').word).toMatch(/, of the first 2\s000 announcements$/);
    expect(about(await others('100.64.0.0/16'), 'routing').word).not.toContain('first');
  });

  test('the time line shows the delegation, then the network in it, each until the next', async () => {
    const { lanes } = await own('198.18.12.0/23');
    const registration = lanes.find(({ id }) => id === 'registration')!.spans;
    expect(registration.at(-1)).toMatchObject({ text: 'CUST-NORTHWIND', until: null, look: 'registered' });
    for (const [index, span] of registration.entries()) expect(span.until).toBe(registration[index + 1]?.from ?? null);
    expect((await others('198.18.12.0/23')).lanes.map(({ id }) => id)).not.toContain('registration');
  });

  test('of a network that was changed many times the time line shows the last changes', async () => {
    const rename = (netname: string) =>
      portal.db.change(activity, change =>
        change.updateTable('assignment').set({ netname }).where('resource', '=', '198.18.12.0/23').execute(),
      );
    for (let turn = 1; turn <= 51; turn += 1) await rename(`CUST-TURN-${turn}`);
    const registration = (await own('198.18.12.0/23')).lanes.find(({ id }) => id === 'registration')!.spans;
    expect(registration.at(-1)).toMatchObject({ text: 'CUST-TURN-51', until: null });
    await rename('CUST-NORTHWIND');
  });

  test('a past day has the history and nothing that is true of today only', async () => {
    const past = await own('198.18.8.0/24', utcDay(instantBefore(portal.context.clock(), DAY_MS)));
    expect([past.health, past.routing, past.fee, past.editors, past.used]).toEqual([[], null, null, [], null]);
  });
});
