import { api } from '@portal/contract/api';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const account = 'EXAMPLE-AU';
type Person = Awaited<ReturnType<TestPortal['as']>>;

/** Announcements and paths as collectors saw them; nothing else is announced. */
const seen = (
  portal: TestPortal,
  announced: [prefix: string, asn: number, peers: number][],
  paths: [asn: number, neighbour: number, peers: number][] = [],
) =>
  portal.db.change(line, async change => {
    await change.rows(sql`delete from bgp_neighbour`);
    await change.rows(sql`delete from bgp_announcement`);
    await change.rows(sql`delete from bgp_table`);
    const [table] = await change.rows<{
      id: string;
    }>(sql`insert into bgp_table (family, file_name, collected_at, imported_at, peers, announcements, state, has_paths)
      values (4, 'test', now(), now(), 300, ${announced.length}, 'current', true) returning bgp_table_id::text as id`);
    for (const [prefix, asn, peers] of announced)
      await change.rows(sql`insert into bgp_announcement values (${table!.id}::bigint, ${prefix}::cidr, ${asn}, ${peers})`);
    for (const [asn, neighbour, peers] of paths)
      await change.rows(sql`insert into bgp_neighbour (bgp_table_id, asn, neighbour, announcements, peers)
        values (${table!.id}::bigint, ${asn}, ${neighbour}, 1, ${peers})`);
  });

async function draft(person: Person, of: string, kind: RequestKind, form: Partial<RequestForm>) {
  const { requestId, version } = (await person(api.requests.startRequest, { account: of, body: { kind } })).data!;
  const saved = await person(api.requests.saveRequest, {
    account: of,
    requestId,
    body: { version, form: { ...emptyForm, ...form }, documentIds: [] },
  });
  expect(saved.errors).toBeUndefined();
  return saved.data!;
}

describe('before a request', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('the fee of several kinds is that of the larger address part, and equals what the calculator says', async () => {
    const max = await portal.as('max');
    const feeWith = async (query: object) => (await max(api.requests.getRequestFee, { account: 'CORAL-KI', query })).data!.fee!;
    const [all, ipv4, ipv6, none] = [
      await feeWith({ ipv4: 24, ipv6: 32, asns: 1 }),
      await feeWith({ ipv4: 24 }),
      await feeWith({ ipv6: 32 }),
      await feeWith({}),
    ];
    expect(all).toMatchObject({ currency: 'AUD', now: none.now, ipv4: ipv4.after, ipv6: ipv6.after, asns: '0.00' });
    expect(all.after).toBe(Number(ipv4.after) > Number(ipv6.after) ? ipv4.after : ipv6.after);
    expect(none).toMatchObject({ after: none.now, ipv4: null, ipv6: null, asns: null });
    // Beyond the numbers without a fee, each has one.
    const many = await feeWith({ asns: 5 });
    expect(Number(many.asns)).toBeGreaterThan(0);
    expect(Number(many.after) - Number(none.now)).toBeCloseTo(Number(many.asns), 2);
  });

  test.each([
    ['ipv4', 33],
    ['ipv4', 0],
    ['ipv6', 57],
    ['asns', -1],
    ['asns', 101],
    ['ipv4', 23.5],
  ])('a fee with %s %d is refused at its field', async (field, value) => {
    const { status, errors } = await (await portal.as('max'))(api.requests.getRequestFee, {
      account: 'CORAL-KI',
      query: { [field]: value } as object,
    });
    expect([status, errors?.[0]?.field]).toEqual([400, field]);
  });

  test('others learn nothing of the fee, and neither does a contact who may not see requests', async () => {
    const [olive, bill] = [await portal.as('olive'), await portal.as('bill')];
    expect(await olive(api.requests.getRequestFee, { account, query: { ipv4: 24 } })).toMatchObject({ status: 404 });
    expect(await bill(api.requests.getRequestFee, { account, query: { ipv4: 24 } })).toMatchObject({ errors: [{ code: 'NO_PERMISSION' }] });
  });

  test('the share of the last pool and the AS numbers without a fee are answered with the days of the rules', async () => {
    const corin = await portal.as('corin');
    const eligible = async (kind: RequestKind) => (await corin(api.requests.getEligibility, { account: 'LABNET-AU', kind })).data!;
    const { requestPolicy: policy, holdYears } = portal.context.profile;
    expect(await eligible('ipv4')).toMatchObject({
      share: { held: '0', limit: '512' },
      networks: [],
      terms: { acknowledgeDays: policy.acknowledgeDays, draftDays: policy.draftDays, holdDays: policy.holdDays, holdYears },
    });
    expect((await eligible('asn')).share).toEqual({ held: expect.stringMatching(/^\d+$/), limit: expect.stringMatching(/^\d+$/) });
    expect((await eligible('ipv6')).share).toBeNull();
  });

  test('before a block is chosen, a transfer has the fees by size that its draft then has', async () => {
    const corin = await portal.as('corin');
    const eligible = async (kind: RequestKind) => (await corin(api.requests.getEligibility, { account, kind })).data!;
    const { transfer } = await eligible('transfer');
    expect((await eligible('ipv4')).transfer).toBeNull();
    const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
    const form: RequestForm = { ...emptyForm, resources: ['198.18.8.0/22'], recipient: 'OTHER-SG' };
    const { plan, fee } = (await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } })).data!;
    expect(transfer!.sizes.map(({ length }) => length)).toEqual([24, 23, 22, 21, 20, 19]);
    expect(transfer!.sizes.find(({ length }) => length === 22)).toEqual({ length: 22, fee: plan!.fee!.amount, annual: fee!.after });
    expect(transfer).toMatchObject({ annualNow: fee!.now, currency: fee!.currency, unless: plan!.fee!.unless });
  });

  test('a request for an AS number begins with the networks that routing data shows beside the account, without its own and set-aside numbers', async () => {
    await seen(
      portal,
      [
        ['198.18.0.0/19', 64500, 300],
        ['198.18.64.0/24', 3320, 40],
      ],
      [
        [64500, 1299, 290],
        [64500, 64500, 10],
        [64500, 65000, 200],
        [64501, 174, 100],
      ],
    );
    const corin = await portal.as('corin');
    const { networks } = (await corin(api.requests.getEligibility, { account, kind: 'asn' })).data!;
    expect(networks).toEqual([
      { asn: 1299, peers: 290, seen: 'neighbour' },
      { asn: 3320, peers: 40, seen: 'origin' },
    ]);
    const begun = (await corin(api.requests.startRequest, { account, body: { kind: 'asn' } })).data!;
    expect(begun.form.neighbours.map(({ asn }) => asn)).toEqual(['AS1299', 'AS3320']);
    expect((await corin(api.requests.getEligibility, { account: 'LABNET-AU', kind: 'asn' })).data!.networks).toEqual([]);
  });
});

describe('before a transfer is sent', () => {
  const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG' };
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
    await portal.db.change(line, async change => {
      await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
      await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values
        (${account}, '198.18.0.0/19', 19, 64500, '', now()), (${account}, '198.18.8.0/24', 24, 65536, '', now())`);
    });
    await seen(portal, [
      ['198.18.0.0/19', 64500, 328],
      ['198.18.8.0/24', 65536, 41],
      ['198.18.9.0/24', 64500, 12],
      ['198.18.64.0/24', 64500, 300],
    ]);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('its fee, the own fee afterwards and the end of the hold are there before a reason, and say nothing about the recipient', async () => {
    const corin = await portal.as('corin');
    const made = await draft(corin, account, 'transfer', offer);
    const { fee } = made.plan!;
    expect(fee).toMatchObject({ payer: 'OTHER-SG', unless: expect.stringContaining('first addresses') });
    expect(Number(fee!.amount)).toBeGreaterThan(0);
    expect(Number(made.fee!.after)).toBeLessThan(Number(made.fee!.now));
    expect(made.checks.find(({ checkId }) => checkId === 'hold')).toMatchObject({ state: 'met' });
    // The same for an account that there isn't, one that pays nothing, and none at all.
    const others = [];
    for (const recipient of ['NO-SUCH-XX', 'NATREG-XX', '']) {
      const { requestId, version } = (await corin(api.requests.getRequest, { account, requestId: made.requestId })).data!;
      const form = { ...emptyForm, ...offer, recipient };
      const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
      others.push(saved.data!.plan!.fee);
    }
    expect(others).toEqual(['NO-SUCH-XX', 'NATREG-XX', null].map(payer => ({ ...fee, payer })));
    await corin(api.requests.withdrawRequest, { account, requestId: made.requestId });
  });

  test('each announcement shows what validators make of it before and after, by ROAs that change with the ledger', async () => {
    const corin = await portal.as('corin');
    const { plan, requestId } = await draft(corin, account, 'transfer', offer);
    const rows = plan!.announcements.rows.map(({ prefix, before, after, moves }) => `${prefix} ${before} ${after}${moves ? ' moves' : ''}`);
    expect(rows).toEqual([
      // Its ROA goes to the parts that are kept, and the part that moves was longer than it allowed.
      '198.18.0.0/19 valid not-found moves',
      '198.18.8.0/24 valid valid moves',
      '198.18.9.0/24 invalid not-found moves',
    ]);
    expect(plan!.announcements.total).toBe(3);
    await corin(api.requests.withdrawRequest, { account, requestId });
  });

  test('an announcement that gets worse is listed however many don’t', async () => {
    const corin = await portal.as('corin');
    const others = Array.from({ length: 60 }, (_, n) => ['198.18.0.0/19', 100 + n, 5] as [string, number, number]);
    await seen(portal, [...others, ['198.18.0.0/19', 64500, 328]]);
    const { plan, requestId } = await draft(corin, account, 'transfer', offer);
    expect(plan!.announcements.total).toBe(61);
    expect(plan!.announcements.rows[0]).toMatchObject({ asn: 64500, before: 'valid', after: 'not-found' });
    await corin(api.requests.withdrawRequest, { account, requestId });
  });

  test('without a table of BGP nothing is claimed about announcements', async () => {
    await using bare = await testPortal();
    await bare.db.change(line, change => change.rows(sql`delete from bgp_table`));
    const { plan } = await draft(await bare.as('corin'), account, 'transfer', offer);
    expect(plan!.announcements).toEqual({ collectedAt: null, rows: [], total: 0 });
  });

  test('a typical time is shown from three completed cases on', async () => {
    const corin = await portal.as('corin');
    const daysOf = async () => {
      const { plan, requestId } = await draft(corin, account, 'transfer', offer);
      await corin(api.requests.withdrawRequest, { account, requestId });
      return plan!.typicalDays;
    };
    const completed = (days: number) =>
      portal.db.change(line, change =>
        change.rows(sql`insert into resource_request (account_name, kind, state, form, requested_by, started_at, submitted_at, since, resolved_at)
          select 'DELTA-VN', 'transfer', 'completed', '{}', login_id, ${instantBefore(new Date(), (days + 1) * DAY_MS)},
            ${instantBefore(new Date(), (days + 1) * DAY_MS)}, now(), ${instantBefore(new Date(), DAY_MS)} from login where username = 'stella'`),
      );
    await completed(4);
    await completed(9);
    expect(await daysOf()).toBeNull();
    await completed(30);
    expect(await daysOf()).toBe(9);
  });
});

test('each party reads a plan in its own words, and registry staff read names', async () => {
  await using portal = await testPortal();
  const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
  await portal.db.change(line, async change => {
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
    await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values
      (${account}, '198.18.0.0/19', 24, 64500, '', now()), (${account}, '198.18.8.0/24', 24, 65536, '', now())`);
  });
  const made = await draft(corin, account, 'transfer', {
    resources: ['198.18.8.0/22'],
    recipient: 'OTHER-SG',
    reason: 'Sold',
    withRegistrations: true,
  });
  await corin(api.requests.submitRequest, { account, requestId: made.requestId, body: { version: made.version, truthful: true } });
  const { requestId } = made;
  const wordsOf = (plan: typeof made.plan) => plan!.effects.map(({ today, on }) => `${today}. ${on}`).join('\n');
  const sender = wordsOf((await corin(api.requests.getRequest, { account, requestId })).data!.plan);
  const recipient = wordsOf((await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!.plan);
  const staff = wordsOf((await stella(api.requestDesk.getStaffRequest, { requestId })).data!.plan);
  expect(sender).toMatch(/Delegated to OTHER-SG\. You keep /);
  expect(sender).toContain('Registered by OTHER-SG');
  expect(sender).toContain('OTHER-SG’s contacts take its place. The contact itself stays yours');
  expect(sender).toContain('Signed by OTHER-SG’s certificate');
  expect(sender).toContain('for the parts that you keep');
  expect(recipient).toMatch(/Delegated to you\. EXAMPLE-AU keeps /);
  expect(recipient).toContain('Registered by you');
  expect(recipient).toContain('Your contacts take its place. The contact itself stays with EXAMPLE-AU');
  expect(recipient).toContain('Signed by your certificate in the same publication, unless you decline');
  expect(recipient).toContain('for the parts that EXAMPLE-AU keeps. You sign AS64500 198.18.8.0/22-24');
  expect(recipient).not.toMatch(/you keep|stays yours|the recipient|OTHER-SG/i);
  expect(sender).not.toMatch(/the recipient|your certificate/i);
  expect(staff).toContain('Delegated to OTHER-SG. EXAMPLE-AU keeps');
  expect(staff).not.toMatch(/\byou\b|\byour\b/i);
});
