import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { countSet, listRanges, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, completePaid, payFee } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { freeSpace } from '../resources/index.ts';
import { runRequestDeadlines } from './request-deadlines.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';

const withPools = (portal: TestPortal) =>
  portal.db.change({ action: 'demo.pools', summary: 'Filled the pools', traceId: '0'.repeat(32) }, change => addDemoPools(change));

/** Answers that policy allows outright. */
const forms: Partial<Record<RequestKind, Partial<RequestForm>>> = {
  ipv4: {
    path: 'lir',
    length: 24,
    providerSpace: '100.64.0.0/24',
    plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
    network: 'Two cities, one border router each.',
  },
  ipv6: {
    path: 'lir',
    length: 32,
    sites: 400,
    startsOn: daysAfter(utcDay(Date.now()), 30),
    network: 'Two cities, one border router each.',
  },
  asn: { multihomed: 'now', neighbours: [{ asn: 'AS64496', name: 'Transit' }], network: 'Two upstreams and an exchange point.' },
};

async function draft(
  person: Person,
  of: string,
  kind: RequestKind,
  given: Partial<RequestForm> = forms[kind] ?? {},
): Promise<ResourceRequestDetail> {
  const started = (await person(api.requests.startRequest, { account: of, body: { kind } })).data!;
  const saved = await person(api.requests.saveRequest, {
    account: of,
    requestId: started.requestId,
    body: { version: started.version, form: { ...emptyForm, ...given }, documentIds: [] },
  });
  expect(saved).toMatchObject({ status: 200 });
  return saved.data!;
}
const submit = (person: Person, of: string, { requestId, version }: Pick<ResourceRequestDetail, 'requestId' | 'version'>) =>
  person(api.requests.submitRequest, { account: of, requestId, body: { version, truthful: true } });
async function sent(person: Person, of: string, kind: RequestKind, given?: Partial<RequestForm>): Promise<ResourceRequestDetail> {
  const answer = await submit(person, of, await draft(person, of, kind, given));
  expect(answer).toMatchObject({ status: 200 });
  return answer.data!;
}
const heldBy = async (portal: TestPortal, accountName: string): Promise<string[]> =>
  (
    await portal.db.read.rows<{ resource: string }>(
      sql`select resource from delegation where account_name = ${accountName} and status <> 'closed' order by kind, first, first_as`,
    )
  ).map(({ resource }) => resource);

describe.each(kindsForRules)('requests on %s', kind => {
  test('a member without IPv6 gets a /24, a /32 and an AS number, and the ledger, the pools and the fee follow', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const max = await portal.as('max');
    const stella = await portal.as('stella');
    const of = 'CORAL-KI';
    const eligible = (await max(api.requests.getEligibility, { account: of, kind: 'ipv4' })).data!;
    expect(eligible.why).toBeNull();
    expect(eligible.room).toBe('512 of 512 addresses are left under the limit');
    const got: string[] = [];
    for (const each of ['ipv4', 'ipv6', 'asn'] as const) {
      const request = await sent(max, of, each);
      expect(request).toMatchObject({ state: 'submitted', nextMove: 'registry', place: 1 });
      const { requestId } = request;
      const review = (await stella(api.requestDesk.reviewRequest, { requestId })).data!;
      expect(review).toMatchObject({ state: 'in-review', proposed: { held: true } });
      const decided = (await approveAlone(portal, requestId, { note: 'Welcome' })).data!;
      expect(decided).toMatchObject({ state: 'completed', resources: [review.proposed!.resource] });
      got.push(...decided.resources);
    }
    expect(got).toEqual(['198.19.169.0/24', '3fff:800::/32', 'AS65539']);
    expect(await heldBy(portal, of)).toEqual(['AS65539', '198.19.169.0/24', '3fff:800::/32']);
    const [row] = await portal.db.read.rows<{ holdUntil: string }>(
      sql`select hold_until::text from delegation where resource = '198.19.169.0/24' and status = 'active'`,
    );
    expect(row!.holdUntil.slice(0, 4)).toBe(String(new Date().getUTCFullYear() + 5));
    const after = (await max(api.requests.getEligibility, { account: of, kind: 'ipv4' })).data!;
    expect(after.room).toBe('256 of 512 addresses are left under the limit');
  });

  test('a question stops the clock, the answer restarts it, and silence leads to reminders and expiry', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const [max, stella] = [await portal.as('max'), await portal.as('stella')];
    const { requestId } = await sent(max, 'DELTA-VN', 'ipv4');
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which router is that?' } });
    const asked = (await max(api.requests.getRequest, { account: 'DELTA-VN', requestId })).data!;
    expect(asked).toMatchObject({ state: 'needs-info', nextMove: 'you', question: 'Which router is that?' });
    expect(
      await max(api.requests.answerRequest, {
        account: 'DELTA-VN',
        requestId,
        body: { version: asked.version, answer: 'An MX204', documentIds: [] },
      }),
    ).toMatchObject({
      data: { state: 'in-review' },
    });
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'And the second one?' } });
    const later = (days: number) => runRequestDeadlines(portal.db, new Date(Date.now() + days * DAY_MS), portal.context.profile);
    await later(8);
    await later(15);
    expect((await portal.mailsTo('max@many.example')).filter(({ subject }) => subject.includes('waiting for your answer'))).toHaveLength(2);
    await later(31);
    expect((await max(api.requests.getRequest, { account: 'DELTA-VN', requestId })).data).toMatchObject({ state: 'expired' });
    expect(countSet(await freeSpace(portal.db.read, 'ipv4'), 'ipv4')).toBe(8192n + 2048n + 512n + 1024n);
  });

  test('numbers held for one request are not given to another, and are released on rejection', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const [max, stella] = [await portal.as('max'), await portal.as('stella')];
    const first = await sent(max, 'CORAL-KI', 'ipv4');
    const second = await sent(max, 'DELTA-VN', 'ipv4');
    const one = (await stella(api.requestDesk.reviewRequest, { requestId: first.requestId })).data!.proposed!.resource;
    const two = (await stella(api.requestDesk.reviewRequest, { requestId: second.requestId })).data!.proposed!.resource;
    expect([one, two]).toEqual(['198.19.169.0/24', '198.19.171.0/24']);
    const before = await approveAlone(portal, second.requestId, { resource: one });
    expect(before).toMatchObject({ status: 400 });
    await stella(api.requestDesk.refuseRequest, { requestId: first.requestId, body: { reason: 'No network yet' } });
    expect(await approveAlone(portal, second.requestId, { resource: one })).toMatchObject({
      data: { resources: [one] },
    });
    expect(await approveAlone(portal, second.requestId)).toMatchObject({
      errors: [{ code: 'ALREADY_RESOLVED' }],
    });
  });

  test('one-click IPv6 is delegated once, even if confirmed repeatedly', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const max = await portal.as('max');
    const given = (await max(api.requests.confirmOneClick, { account: 'BEACON-BD', body: { agreed: true } })).data!;
    expect(given.resources).toEqual(['3fff:800::/32']);
    expect((await max(api.requests.confirmOneClick, { account: 'BEACON-BD', body: { agreed: true } })).data).toMatchObject({
      requestId: given.requestId,
    });
    expect(await max(api.requests.confirmOneClick, { account: 'CORAL-KI', body: { agreed: true } })).toMatchObject({
      errors: [{ code: 'NOT_ELIGIBLE' }],
    });
  });

  test('a draft can be continued, is sent only when complete, and is hidden from other people', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const [tess, olive, bill] = [await portal.as('tess'), await portal.as('olive'), await portal.as('bill')];
    const begun = await draft(tess, account, 'ipv4', { path: 'lir', length: 24 });
    expect((await tess(api.requests.startRequest, { account, body: { kind: 'ipv4' } })).data).toMatchObject({
      requestId: begun.requestId,
      form: { path: 'lir' },
    });
    // Only a transfer can be incoming: for other kinds the field has no effect, and the open request is returned.
    expect((await tess(api.requests.startRequest, { account, body: { kind: 'ipv4', incoming: true } })).data).toMatchObject({
      requestId: begun.requestId,
      form: { incoming: false },
    });
    // Also if it was stored with the field.
    await portal.db.change({ action: 'test', summary: 'Stored an old form', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update resource_request set form = form || '{"incoming": true}' where account_name = ${account} and kind = 'ipv4'`),
    );
    expect((await tess(api.requests.startRequest, { account, body: { kind: 'ipv4' } })).data).toMatchObject({
      requestId: begun.requestId,
      form: { incoming: false },
    });
    const lacking = await submit(tess, account, begun);
    expect(lacking.errors?.map(({ field }) => field)).toEqual(['plan', 'network']);
    expect(
      await tess(api.requests.saveRequest, { account, requestId: begun.requestId, body: { version: 0, form: emptyForm, documentIds: [] } }),
    ).toMatchObject({ errors: [{ code: 'STALE' }] });
    expect(await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId: begun.requestId })).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    });
    expect(await bill(api.requests.getRequest, { account, requestId: begun.requestId })).toMatchObject({
      errors: [{ code: 'NO_PERMISSION' }],
    });
    expect(await tess(api.requests.withdrawRequest, { account, requestId: begun.requestId })).toMatchObject({
      data: { state: 'withdrawn' },
    });
  });
});

describe('transfers', () => {
  const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Not needed any more' };

  test('a part of an allocation moves with its ROAs after the recipient acknowledged and paid', async () => {
    await using portal = await testPortal();
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    await portal.db.change({ action: 'demo.roas', summary: 'Added ROAs', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', 'EXAMPLE-AU', 'abc', now())`);
      await change.rows(
        sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values ('EXAMPLE-AU', '198.18.0.0/20', 22, 64500, '', now())`,
      );
    });
    const made = await draft(corin, account, 'transfer', offer);
    expect(made.plan!.keeps).toEqual(['198.18.0.0/21', '198.18.12.0 - 198.18.31.255']);
    // The part is no longer than the ROA allows, so that the recipient signs one for it.
    expect(made.plan!.effects.find(({ what }) => what === 'roa')).toMatchObject({ act: 'changes', signs: ['AS64500 198.18.8.0/22'] });
    const given = (await submit(corin, account, made)).data!;
    expect(given).toMatchObject({ state: 'offered', nextMove: 'other-party' });
    // Locked: a second transfer of something in the part is refused, naming the part and its request.
    const second = await draft(corin, account, 'transfer', { ...offer, resources: ['198.18.10.0/24'] });
    expect(await submit(corin, account, second)).toMatchObject({
      errors: [{ code: 'RESOURCE_LOCKED', message: `198.18.8.0/22 is locked by ${given.reference}` }],
    });
    const { requestId } = given;
    const seen = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    expect(seen).toMatchObject({ role: 'recipient', nextMove: 'you', form: { reason: '' } });
    const acknowledged = await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: {
        version: seen.version,
        form: {
          ...emptyForm,
          plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }],
          network: 'A data centre in Singapore.',
        },
        documentIds: [],
        truthful: true,
      },
    });
    expect(acknowledged).toMatchObject({ data: { state: 'submitted' } });
    expect(await corin(api.requests.withdrawRequest, { account, requestId })).toMatchObject({ errors: [{ code: 'REQUEST_STATE' }] });
    const approved = await approveByTwo(portal, requestId);
    expect(approved).toMatchObject({ state: 'awaiting-fee', due: { payer: 'OTHER-SG', paidOn: null, invoice: null } });
    expect(Number(approved.due!.amount)).toBeGreaterThan(400);
    await payFee(portal, requestId);
    await completePaid(portal);
    expect((await corin(api.requests.getRequest, { account, requestId })).data).toMatchObject({
      state: 'completed',
      due: { invoice: null },
    });
    expect(await heldBy(portal, 'OTHER-SG')).toContain('198.18.8.0/22');
    const own = await heldBy(portal, account);
    expect(own).toContain('198.18.0.0/21');
    expect(own).toContain('198.18.12.0 - 198.18.31.255');
    const roas = await portal.db.read.rows<{ accountName: string; prefix: string }>(
      sql`select account_name, prefix::text from roa order by roa.prefix`,
    );
    expect(roas.map(({ accountName, prefix }) => `${accountName} ${prefix}`)).toEqual([
      'EXAMPLE-AU 198.18.0.0/21',
      'OTHER-SG 198.18.8.0/22',
      'EXAMPLE-AU 198.18.12.0/22',
    ]);
    // Registrations below the kept part stay; those below the moved part don't.
    const registered = await portal.db.read.rows<{ resource: string }>(
      sql`select resource from assignment where account_name = 'EXAMPLE-AU' and kind = 'ipv4'`,
    );
    const names = registered.map(({ resource }) => resource);
    expect(names).toContain('198.18.0.0/23');
    expect(names).not.toContain('198.18.8.0/24');
  });

  test('space on hold, space of others, small parts and unknown recipients are refused with the reason', async () => {
    await using portal = await testPortal();
    const corin = await portal.as('corin');
    const refused = async (form: Partial<RequestForm>) => {
      const made = await draft(corin, account, 'transfer', { ...offer, ...form });
      const answer = await submit(corin, account, made);
      await corin(api.requests.withdrawRequest, { account, requestId: made.requestId });
      return answer.errors?.[0]?.code;
    };
    expect(await refused({ resources: ['203.0.113.0/24'] })).toBe('ON_HOLD_UNTIL');
    expect(await refused({ resources: ['198.51.100.0/24'] })).toBe('NOT_HOLDER');
    expect(await refused({ resources: ['198.18.8.0/25'] })).toBe('REQUEST_NOT_ALLOWED');
    expect(await refused({ recipient: 'GONE-VU' })).toBe('RECIPIENT_UNKNOWN');
    expect(await refused({ recipient: 'EXAMPLE-AU' })).toBe('RECIPIENT_UNKNOWN');
    expect(await refused({ resources: ['2001:db8::/32'] })).toBe('REQUEST_NOT_ALLOWED');
    expect(await heldBy(portal, account)).toContain('198.18.0.0/19');
  });

  test('a declined or expired offer unlocks the block', async () => {
    await using portal = await testPortal();
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const statusOf = async () =>
      (
        await portal.db.read.rows<{ status: string }>(
          sql`select status from delegation where resource = '198.18.0.0/19' and status <> 'closed'`,
        )
      )[0]!.status;
    const first = await sent(corin, account, 'transfer', offer);
    expect(await statusOf()).toBe('locked');
    await olive(api.requests.declineTransfer, {
      account: 'OTHER-SG',
      requestId: first.requestId,
      body: { version: first.version, reason: 'Too small' },
    });
    expect(await statusOf()).toBe('active');
    await sent(corin, account, 'transfer', offer);
    await runRequestDeadlines(portal.db, new Date(Date.now() + 31 * DAY_MS), portal.context.profile);
    expect(await statusOf()).toBe('active');
  });

  test('returned space is in quarantine, and available again afterwards', async () => {
    await using portal = await testPortal();
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { requestId } = await sent(corin, account, 'return', {
      resources: ['198.18.64.0/24'],
      reason: 'Network closed',
      startsOn: '2026-11-01',
    });
    expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed', resources: ['198.18.64.0/24'] });
    expect(await heldBy(portal, account)).toContain('198.18.65.0 - 198.18.66.255');
    const [pool] = (await stella(api.requestDesk.listPools, {})).data!;
    expect(pool!.blocks).toMatchObject([{ resource: '198.18.64.0/24', state: 'quarantine' }]);
    await runRequestDeadlines(portal.db, new Date(Date.now() + 184 * DAY_MS), portal.context.profile);
    expect(listRanges(await freeSpace(portal.db.read, 'ipv4'), 'ipv4')).toHaveLength(1);
    expect(countSet(resourceSetOf([parseResource('198.18.64.0/24')]), 'ipv4')).toBe(256n);
  });
});

test('the published files name what was delegated, with an MD5 that matches', async () => {
  await using portal = await testPortal();
  await withPools(portal);
  const max = await portal.as('max');
  const { requestId } = await sent(max, 'CORAL-KI', 'ipv4');
  await approveAlone(portal, requestId);
  const fetched = async (name: string) => (await portal.request(`/statistics/${name}`)).text();
  const file = await fetched('delegated-example-extended-latest');
  expect(file).toMatch(/^example\|KI\|ipv4\|198\.19\.169\.0\|256\|\d{8}\|allocated\|/m);
  expect(file).toMatch(/\|available$/m);
  expect(await fetched('delegated-example-extended-latest.md5')).toBe(
    `MD5 (delegated-example-extended-latest) = ${createHash('md5').update(file).digest('hex')}\n`,
  );
  expect(JSON.parse(await fetched('transfers_latest.json'))).toMatchObject({ version: { stats_version: '4.0' }, transfers: [] });
});
