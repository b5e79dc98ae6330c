import { api } from '@portal/contract/api';
import { daysAfter, utcDay } from '@portal/contract/days';
import { delegatingKinds, emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, sendRequest } from '../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { addDemoPools } from '../resources/demo-pools.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const today = utcDay(Date.now());
const network = 'Two cities, one border router each.';
const networks = (...asns: string[]): RequestForm['neighbours'] => asns.map(asn => ({ asn, name: 'Upstream' }));
const plan = (...amounts: number[]): RequestForm['plan'] => [{ purpose: 'Access', amounts }];

describe('with rules that decide alone', () => {
  let portal: TestPortal;
  const of = 'CORAL-KI';
  beforeAll(async () => {
    portal = await testPortal(undefined, { ROBOT_HOSTMASTER: 'yes' });
    await portal.db.change(line, change => addDemoPools(change));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const held = async (): Promise<string[]> =>
    (
      await portal.db.read.rows<{ resource: string }>(
        sql`select resource from delegation where account_name = ${of} and status <> 'closed' order by kind, first, first_as`,
      )
    ).map(({ resource }) => resource);

  /** Sends a request as a program would: draft, answers, submission. Withdraws a refused one, so that the next one can begin. */
  async function ask(kind: RequestKind, form: Partial<RequestForm>, { papers = false } = {}) {
    const max = await portal.as('max');
    const { requestId, version } = (await max(api.requests.startRequest, { account: of, body: { kind } })).data!;
    const documentIds = papers ? [await sentFile(max)] : [];
    const saved = await max(api.requests.saveRequest, {
      account: of,
      requestId,
      body: { version, form: { ...emptyForm, ...form }, documentIds },
    });
    const sent = saved.errors
      ? saved
      : await max(api.requests.submitRequest, { account: of, requestId, body: { version: saved.data!.version, truthful: true } });
    if (sent.errors || sent.data!.state !== 'completed') await max(api.requests.withdrawRequest, { account: of, requestId });
    return { status: sent.status, state: sent.data?.state, words: (sent.errors ?? []).map(({ message }) => message).join(' ') };
  }

  test.each<[RequestKind, Partial<RequestForm>, string]>([
    [
      'ipv6',
      { path: 'ixp', length: 22 },
      'Internet exchange point isn’t possible for this request. Choose lir (Services for customers), end-site',
    ],
    ['ipv6', { path: 'critical', length: 100 }, 'Critical infrastructure isn’t possible'],
    ['ipv6', { path: 'multihoming', length: 12 }, 'isn’t possible'],
    ['ipv4', { path: 'end-site', length: 23, plan: plan(1) }, 'Own network isn’t possible for this request. Choose lir'],
    ['ipv4', { path: 'subsequent', length: 23, plan: plan(1) }, 'isn’t possible'],
    ['asn', { path: 'ixp', multihomed: 'now', neighbours: networks('AS64500') }, 'Leave the grounds empty, or choose temporary'],
    ['asn', { path: 'lir', multihomed: 'now', neighbours: networks('AS64500') }, 'isn’t possible'],
    ['pre-approval', { path: 'lir', blocks: 4, plan: plan(1, 2, 3, 4, 1024) }, 'Leave the grounds empty'],
  ])('%s on grounds of another kind is a bad request: %j', async (kind, form, words) => {
    const before = await held();
    const answer = await ask(kind, { network, startsOn: today, ...form });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.words).toContain(words);
    expect(await held()).toEqual(before);
  });

  test.each<[RequestKind, Partial<RequestForm>, number, string]>([
    ['asn', { multihomed: 'now', neighbours: networks('banana') }, 400, 'not an AS number'],
    ['asn', { multihomed: 'now', neighbours: networks('AS4294967296') }, 400, 'largest AS number'],
    ['asn', { multihomed: 'now', neighbours: networks('AS23456') }, 400, 'AS23456 is set aside: AS_TRANS (RFC 6793)'],
    ['ipv4', { path: 'ixp', length: 26, neighbours: networks('AS1', 'AS1', 'AS1') }, 400, 'AS1 is named twice'],
    ['ipv4', { path: 'lir', length: 24, plan: plan(4_294_967_296) }, 400, 'at most the addresses of a /8'],
    ['ipv4', { path: 'temporary', length: 21, startsOn: '2036-01-01', endsOn: '2036-01-02' }, 422, 'Begins soon'],
    ['ipv6', { path: 'lir', length: 32, sites: 400, startsOn: '2020-01-01' }, 422, 'Announced soon'],
    ['ipv6', { path: 'lir', length: 12, sites: 4_294_967_296 }, 422, 'Size: /12 (/32 to /20)'],
    ['ipv6', { path: 'end-site', length: 100 }, 422, 'Size: /100 (A /48)'],
  ])('%s is not sent with answers that no network has: %j', async (kind, form, status, words) => {
    const before = await held();
    const answer = await ask(kind, { network, startsOn: today, ...form }, { papers: true });
    expect(answer).toMatchObject({ status });
    expect(answer.words).toContain(words);
    expect(await held()).toEqual(before);
  });

  test('free AS numbers are delegated automatically, and further ones wait for a person', async () => {
    const form = { multihomed: 'now', neighbours: networks('AS64500'), network } as const;
    const before = (await held()).length;
    expect(await ask('asn', form)).toMatchObject({ state: 'completed' });
    expect(await ask('asn', form)).toMatchObject({ state: 'completed' });
    const third = await ask('asn', form);
    expect(third).toMatchObject({ status: 400 });
    expect(third.words).toContain('holds 2 AS numbers. Enter why another one is needed');
    expect(await ask('asn', { ...form, reason: 'An island with upstreams of its own' })).toMatchObject({ state: 'submitted' });
    expect(await held()).toHaveLength(before + 2);
  });

  test('the table is checked again on decision, so that older requests don’t bypass it', async () => {
    const max = await portal.as('max');
    const { requestId } = await sendRequest(max, of, 'ipv6', { path: 'lir', length: 31, sites: 400, startsOn: today, network });
    await portal.db.change(line, change =>
      change.rows(
        sql`update resource_request set form = jsonb_set(form, '{path}', '"ixp"') where resource_request_id = ${requestId}::bigint`,
      ),
    );
    const approved = await approveAlone(portal, requestId);
    expect(approved).toMatchObject({ status: 422 });
    expect(approved.errors![0]!.message).toContain('Grounds');
  });
});

test('every kind of request for numbers lists its grounds, with sizes that its rules allow', async () => {
  await using portal = await testPortal();
  const max = await portal.as('max');
  for (const kind of delegatingKinds) {
    const { paths } = (await max(api.requests.getEligibility, { account: 'CORAL-KI', kind })).data!;
    expect(paths.map(({ path }) => path)).toEqual(
      { ipv4: ['lir', 'multihoming', 'ixp', 'critical', 'temporary'], ipv6: ['lir', 'end-site', 'temporary'], asn: [] }[kind],
    );
  }
});

test('space received from the last pool still counts when it is sold, but not when it is returned', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const [max, of] = [await portal.as('max'), 'CORAL-KI'];
  const room = async (): Promise<string> => (await max(api.requests.getEligibility, { account: of, kind: 'ipv4' })).data!.room;
  const form = { path: 'lir', length: 23, providerSpace: '100.64.0.0/23', plan: plan(256, 380, 512), network } as const;
  const { requestId } = await sendRequest(max, of, 'ipv4', form);
  const [block] = (await approveAlone(portal, requestId)).data!.resources;
  expect(await room()).toContain('has its share');
  const returned = await sendRequest(max, of, 'return', { resources: [block!.replace('/23', '/24')], reason: 'Too much', startsOn: today });
  expect(await approveByTwo(portal, returned.requestId)).toMatchObject({ state: 'completed' });
  expect(await room()).toContain('256 of 512 addresses are left');
  // Five years later, the rest is sold.
  await portal.db.change(line, change =>
    change.rows(
      sql`update delegation set hold_until = ${daysAfter(today, -1)}::date where account_name = ${of} and kind = 'ipv4' and status <> 'closed'`,
    ),
  );
  const [rest] = await portal.db.read.rows<{ resource: string }>(
    sql`select resource from delegation where account_name = ${of} and kind = 'ipv4' and status <> 'closed'`,
  );
  await portal.db.change(line, change =>
    change.rows(
      sql`update delegation set account_name = account_name, status = 'closed' where resource = ${rest!.resource} and account_name = ${of}`,
    ),
  );
  expect(await room()).toContain('256 of 512 addresses are left');
});
