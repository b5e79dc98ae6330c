import { api } from '@portal/contract/api';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { approveByTwo, completePaid, payFee, sendRequest } from '../../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const sold = (resource: string, recipient: string): Partial<RequestForm> => ({ resources: [resource], recipient, reason: 'Sold' });
const need = {
  plan: [{ purpose: 'Hosting', amounts: [1024, 1600, 2400, 3600, 4800] }],
  network: 'A data centre with two upstream providers.',
};

async function acknowledge(person: Person, of: string, requestId: string): Promise<void> {
  const { version } = (await person(api.requests.getRequest, { account: of, requestId })).data!;
  const body = { version, form: { ...emptyForm, ...need }, truthful: true as const };
  expect(await person(api.requests.acknowledgeTransfer, { account: of, requestId, body })).toMatchObject({ status: 200 });
}
const holders = (portal: TestPortal, under: string) =>
  portal.db.read.rows<{ of: string }>(sql`select account_name || ' ' || resource || ' ' || status as of from delegation
    where status <> 'closed' and first >= ${`${under}`}::inet and first <= '198.18.31.255' order by first`);

test('two parts of one delegation go to two buyers at the same time; the second completes first, and the rest stays', async () => {
  await using portal = await testPortal();
  const [corin, olive, nils] = [await portal.as('corin'), await portal.as('olive'), await portal.as('nils')];
  const one = await sendRequest(corin, account, 'transfer', sold('198.18.8.0/22', 'OTHER-SG'));
  const other = await sendRequest(corin, account, 'transfer', sold('198.18.28.0/22', 'NATREG-XX'));
  await expect(sendRequest(corin, account, 'transfer', sold('198.18.10.0/23', 'NATREG-XX'))).rejects.toThrow(
    `198.18.8.0/22 is locked by ${one.reference}`,
  );
  await expect(
    sendRequest(corin, account, 'return', { resources: ['198.18.0.0/19'], startsOn: '2026-11-01', reason: 'Closed' }),
  ).rejects.toThrow(/RESOURCE_LOCKED/);
  const movable = (await corin(api.requests.listMovable, { account })).data!.rows.find(({ resource }) => resource === '198.18.0.0/19')!;
  expect(movable).toMatchObject({
    against: { transfer: null },
    lockable: false,
    delegatedOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    locked: [
      { resource: '198.18.8.0/22', reference: one.reference },
      { resource: '198.18.28.0/22', reference: other.reference },
    ],
  });
  // On the map only what moves is held; the history of the block names both offers, to their sender alone.
  const { blocks } = (await corin(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within: '198.18.0.0/19' } })).data!;
  expect(blocks.filter(({ kind }) => kind === 'held').map(({ label }) => label)).toEqual([
    '198.18.10.0/23',
    '198.18.28.0/23',
    '198.18.31.0/24',
  ]);
  const { rows } = (await corin(api.resources.listDelegations, { account, query: { kind: 'ipv4', q: '198.18.0.0/19' } })).data!;
  const { history } = (await corin(api.resources.getDelegation, { account, delegationId: rows[0]!.delegationId })).data!;
  expect(history[0]!.summary).toBe(
    `Sent a request for resources: Transfer 198.18.8.0/22 to OTHER-SG, ${one.reference}: status active → locked`,
  );
  await acknowledge(olive, 'OTHER-SG', one.requestId);
  await acknowledge(nils, 'NATREG-XX', other.requestId);
  // A national registry pays no fee, so its transfer completes with the approval.
  await approveByTwo(portal, other.requestId);
  expect((await holders(portal, '198.18.0.0')).map(({ of }) => of)).toEqual([
    `${account} 198.18.0.0 - 198.18.27.255 locked`,
    'NATREG-XX 198.18.28.0/22 active',
  ]);
  await approveByTwo(portal, one.requestId);
  await payFee(portal, one.requestId);
  await completePaid(portal);
  expect((await holders(portal, '198.18.0.0')).map(({ of }) => of)).toEqual([
    `${account} 198.18.0.0/21 active`,
    'OTHER-SG 198.18.8.0/22 active',
    `${account} 198.18.12.0 - 198.18.27.255 active`,
    'NATREG-XX 198.18.28.0/22 active',
  ]);
  expect(await portal.db.read.rows(sql`select 1 from locked_part`)).toEqual([]);
});

describe('what is locked', () => {
  let portal: TestPortal;
  let corin: Person;
  let requestId: string;
  let reference: string;
  beforeAll(async () => {
    portal = await testPortal();
    corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    ({ requestId, reference } = await sendRequest(corin, account, 'transfer', {
      ...sold('198.18.8.0/21', 'NATREG-XX'),
      withRegistrations: true,
    }));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const roa = async (prefix: string) => {
    const { version } = (await corin(api.rpki.listRoas, { account, query: {} })).data!;
    const body = { version, add: [{ prefix, asn: 'AS64500', comment: '' }], remove: [] };
    return corin(api.rpki.changeRoas, { account, body });
  };
  const assign = (resource: string) =>
    corin(api.whoisCustomers.addAssignment, { account, body: { resource, type: 'assigned', netname: 'NET-X', visibility: 'private' } });
  const route = async (prefix: string) => {
    const text = `route: ${prefix}\norigin: AS64500\ndescr: x\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
    return (await corin(api.whois.submitUpdates, { account, body: { updates: [{ text }] } })).data!.outcomes[0]!;
  };
  const list = (resource: string) =>
    corin(api.listings.addListing, { account, body: { kind: 'offer', resource, notes: 'Free since spring', consent: true } });
  const locked = { errors: [{ code: 'RESOURCE_LOCKED', message: '' }] };

  test('may be changed by its sender until the recipient acknowledges, but can’t move elsewhere', async () => {
    expect(await assign('198.18.10.0/26')).toMatchObject({ status: 200 });
    expect(await roa('198.18.12.0/24')).toMatchObject({ status: 200 });
    expect(await route('198.18.12.0/24')).toMatchObject({ state: 'ok' });
    locked.errors[0]!.message = `198.18.8.0/21 is locked by ${reference}`;
    expect(await list('198.18.12.0/22')).toMatchObject(locked);
    expect(await corin(api.resourceLocks.addLocks, { account, body: { resources: ['198.18.0.0/19'] } })).toMatchObject(locked);
  });

  test('can’t be changed in any way from then on, unlike the rest of the delegation', async () => {
    await acknowledge(await portal.as('nils'), 'NATREG-XX', requestId);
    expect(await assign('198.18.11.0/26')).toMatchObject(locked);
    const [{ id }] = (await portal.db.read.rows<{ id: string }>(
      sql`select assignment_id::text as id from assignment where resource = '198.18.10.0/26'`,
    )) as [{ id: string }];
    expect(await corin(api.whoisCustomers.returnAssignment, { account, assignmentId: id })).toMatchObject(locked);
    expect(await roa('198.18.13.0/24')).toMatchObject({
      status: 400,
      errors: [{ field: 'add.0.prefix', message: expect.stringContaining(`locked by ${reference}`) as string }],
    });
    expect(await roa('198.18.0.0/20')).toMatchObject({ status: 400 });
    const made = await route('198.18.13.0/24');
    expect(made.problems.map(({ code }) => code)).toContain('resource-locked');
    const text = `${(await portal.db.read.rows<{ text: string }>(sql`select text from whois_object where shown = '198.18.12.0/24AS64500'`))[0]!.text}delete: no longer used\n`;
    const [gone] = (await corin(api.whois.submitUpdates, { account, body: { updates: [{ text }] } })).data!.outcomes;
    expect(gone).toMatchObject({ state: 'failed' });
    expect(gone!.problems.map(({ code }) => code)).toContain('resource-locked');
    const { taskId } = (await corin(api.whois.uploadText, { account, body: { text, dryRun: true } })).data!;
    expect(taskId).toBeDefined();
    expect(await assign('198.18.26.0/26')).toMatchObject({ status: 200 });
    expect(await roa('198.18.4.0/24')).toMatchObject({ status: 200 });
    expect(await route('198.18.5.0/24')).toMatchObject({ state: 'ok' });
    expect(await list('198.18.28.0/22')).toMatchObject({ status: 200 });
  });

  test('is refused by the database itself for every writer', async () => {
    const line = { action: 'test', summary: 'Wrote', traceId: '0'.repeat(32) };
    const writes = [
      sql`insert into roa (account_name, prefix, max_length, asn, created_at) values (${account}, '198.18.14.0/24', 24, 64500, now())`,
      sql`delete from roa where prefix = '198.18.12.0/24'`,
      sql`update assignment set netname = 'OTHER' where resource = '198.18.10.0/26'`,
      sql`delete from whois_object where shown = '198.18.12.0/24AS64500'`,
      sql`update delegation set account_name = 'OTHER-SG' where resource = '198.18.0.0/19'`,
      sql`update delegation set status = 'closed' where resource = '198.18.0.0/19'`,
    ];
    for (const write of writes)
      await expect(portal.db.change(line, change => change.rows(write))).rejects.toMatchObject({ code: 'RESOURCE_LOCKED' });
  });

  test('is unlocked on completion, with everything in the plan', async () => {
    await approveByTwo(portal, requestId);
    const [moved] = await portal.db.read.rows(
      sql`select account_name, status from delegation where resource = '198.18.8.0/21' and status <> 'closed'`,
    );
    expect(moved).toEqual({ accountName: 'NATREG-XX', status: 'active' });
    expect(await portal.db.read.rows(sql`select account_name from assignment where resource = '198.18.10.0/26'`)).toEqual([
      { accountName: 'NATREG-XX' },
    ]);
    expect(await assign('198.18.27.0/26')).toMatchObject({ status: 200 });
  });
});
