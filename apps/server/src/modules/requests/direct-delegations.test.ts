import { api } from '@portal/contract/api';
import type { BodyInputOf } from '@portal/contract';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { syncRegistryObjects } from '../whois/index.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const accountName = 'CORAL-KI';
const reason = 'A root name server for the islands.';

async function withPools(kind: Parameters<typeof testPortal>[0]): Promise<TestPortal> {
  const portal = await testPortal(kind);
  await portal.db.change(line, addDemoPools);
  return portal;
}
type Given = Partial<BodyInputOf<typeof api.directDelegations.openDirectDelegation>>;
const open = async (portal: TestPortal, given: Given = {}, { as = 'stella', to = accountName } = {}) =>
  (await portal.as(as))(api.directDelegations.openDirectDelegation, {
    accountName: to,
    body: { kind: 'ipv4', path: 'critical', length: 24, reason, ...given },
  });
const stateOf = async (portal: TestPortal, resource: string) =>
  (await portal.db.read.rows<{ state: string }>(sql`select state from pool where resource = ${resource}`))[0]?.state ?? null;
const heldBy = async (portal: TestPortal): Promise<string[]> =>
  (
    await portal.db.read.rows<{ resource: string }>(
      sql`select resource from delegation where account_name = ${accountName} and status <> 'closed' order by resource`,
    )
  ).map(({ resource }) => resource);
const mails = async (portal: TestPortal, requestId: string) =>
  portal.db.read.rows<{ subject: string; body: string; recipient: string }>(
    sql`select subject, body, recipient from mail where account_name = ${accountName} and subject like ${`%REQ-${requestId}:%`} order by mail_id`,
  );

describe.each(kindsForRules)('direct delegations on %s', kind => {
  test('Stella opens one for exactly these numbers, Max reads the reason, Stan approves, and whois, ledger, mail and activity log agree', async () => {
    await using portal = await withPools(kind);
    const [stella, max] = [await portal.as('stella'), await portal.as('max')];
    const answer = await open(portal, { resource: '198.19.171.0/24', length: 0, netname: 'ROOT-KI' });
    expect(answer.errors).toBeUndefined();
    const opened = answer.data!;
    expect(opened.resource).toBe('198.19.171.0/24');
    const { requestId, reference } = opened;
    expect(await stateOf(portal, '198.19.171.0/24')).toBe('reserved');

    // The member finds it among its cases, marked as from the registry, and can still send its own request of the kind.
    const seen = (await max(api.requests.getRequest, { account: accountName, requestId })).data!;
    expect(seen).toMatchObject({
      asked: 'Direct delegation of 198.19.171.0/24',
      state: 'in-review',
      direct: { resource: '198.19.171.0/24' },
      requestedBy: 'Registry staff',
      nextMove: 'registry',
      form: { reason, netname: 'ROOT-KI', length: 24 },
    });
    expect(seen.events[0]).toMatchObject({ kind: 'submitted', by: 'Registry staff', words: reason });
    expect(await max(api.requests.startRequest, { account: accountName, body: { kind: 'ipv4' } })).toMatchObject({
      data: { state: 'draft' },
    });

    // The second person reads the case itself. Without a plan the need isn’t shown, which staff have to judge.
    const { rows } = (await stella(api.desk.listRequests, { query: { q: reference } })).data!;
    expect(rows).toMatchObject([{ kind: 'resources', asked: 'Direct delegation of 198.19.171.0/24', state: 'in-review' }]);
    const shown = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(shown).toMatchObject({
      direct: { resource: '198.19.171.0/24' },
      proposed: { resource: '198.19.171.0/24', held: true },
      requestedBy: 'Stella Kowalski',
    });
    expect(shown.checks.filter(({ state }) => state === 'unmet' || state === 'open')).toEqual([]);
    expect(shown.checks.map(({ state }) => state)).toContain('review');

    const done = await approveByTwo(portal, requestId, 'Checked with the operator');
    expect(done).toMatchObject({ state: 'completed', resources: ['198.19.171.0/24'] });
    expect(await heldBy(portal)).toEqual(['198.19.171.0/24']);
    await syncRegistryObjects(portal.db, portal.context.profile);
    const [object] = await portal.db.read.rows<{ text: string }>(
      sql`select text from whois_object where class = 'inetnum' and host(first) = '198.19.171.0' and host(last) = '198.19.171.255'`,
    );
    expect(object!.text).toMatch(/netname:\s+ROOT-KI/);
    const sent = await mails(portal, requestId);
    expect([...new Set(sent.map(({ subject }) => subject.replace(/^.*?REQ/, 'REQ')))]).toEqual([
      `${reference}: the registry wants to delegate 198.19.171.0/24 to you`,
      `${reference}: delegated: 198.19.171.0/24`,
    ]);
    for (const { body } of sent) expect(body).toContain(reason);
    const log = await portal.db.read.rows<{ summary: string }>(
      sql`select summary from activity where account_name = ${accountName} and action like 'requests.d%' order by activity_id`,
    );
    expect(log.map(({ summary }) => summary)).toEqual(expect.arrayContaining(['Opened a direct delegation']));
  });

  test('without numbers the pool chooses them: IPv4, IPv6 and an AS number, each held immediately', async () => {
    await using portal = await withPools(kind);
    const opened = [
      await open(portal),
      await open(portal, { kind: 'ipv6', path: 'lir', length: 32 }),
      await open(portal, { kind: 'asn', path: '', length: 0 }),
    ].map(({ data }) => data!);
    expect(opened.map(({ resource }) => resource)).toEqual(['198.19.169.0/24', '3fff:800::/32', 'AS65539']);
    for (const { requestId } of opened) await approveByTwo(portal, requestId);
    expect(await heldBy(portal)).toEqual(['198.19.169.0/24', '3fff:800::/32', 'AS65539']);
  });

  test('one person is never enough, even if one may approve a change of holder, and the opener can’t be the second', async () => {
    await using portal = await withPools(kind);
    const { requestId } = (await open(portal)).data!;
    portal.context.profile.holderChangesAlone = true;
    try {
      expect(await approveAlone(portal, requestId)).toMatchObject({ errors: [{ code: 'SECOND_PERSON' }] });
    } finally {
      portal.context.profile.holderChangesAlone = false;
    }
    const stella = await portal.as('stella');
    const [proposal] = (await stella(api.proposals.listStaffProposals, {})).data!.waiting;
    expect(proposal!.what).toBe(`Direct delegation REQ-${requestId}: IPv4 /24 to ${accountName}`);
    const { proposalId, fingerprint } = proposal!;
    expect(await stella(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } })).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_REQUEST' }],
    });
    expect(await heldBy(portal)).toEqual([]);
  });

  test('the account can decline it, and the numbers are free again; a rejection says that nothing changes', async () => {
    await using portal = await withPools(kind);
    const [max, stella] = [await portal.as('max'), await portal.as('stella')];
    const { requestId } = (await open(portal)).data!;
    expect(await max(api.requests.withdrawRequest, { account: accountName, requestId })).toMatchObject({ data: { state: 'withdrawn' } });
    expect(await stateOf(portal, '198.19.169.0/24')).not.toBe('reserved');
    expect(await approveAlone(portal, requestId)).toMatchObject({ status: 409, errors: [{ code: 'ALREADY_RESOLVED' }] });
    const second = (await open(portal)).data!;
    await stella(api.requestDesk.refuseRequest, { requestId: second.requestId, body: { reason: 'It goes to another operator' } });
    const [last] = (await mails(portal, second.requestId)).slice(-1);
    expect(last!.subject).toContain('not delegated: Direct delegation of IPv4 /24');
    expect(last!.body).toContain('Nothing changes for you.');
    expect(await stateOf(portal, '198.19.169.0/24')).not.toBe('reserved');
  });

  test('when asked, the account answers how it appears in whois, and can’t change size or grounds', async () => {
    await using portal = await withPools(kind);
    const [max, stella] = [await portal.as('max'), await portal.as('stella')];
    const { requestId } = (await open(portal)).data!;
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which name in whois?' } });
    const { version } = (await max(api.requests.getRequest, { account: accountName, requestId })).data!;
    const saved = (await max(api.requests.saveRequest, {
      account: accountName,
      requestId,
      body: { version, form: { ...emptyForm, length: 20, path: 'lir', netname: 'ISLANDS' }, documentIds: [] },
    }))!.data!;
    expect(saved.form).toMatchObject({ length: 24, path: 'critical', netname: 'ISLANDS', reason });
    expect(
      await max(api.requests.answerRequest, {
        account: accountName,
        requestId,
        body: { version: saved.version, answer: 'ISLANDS, please', documentIds: [] },
      }),
    ).toMatchObject({ data: { state: 'in-review' } });
    expect((await approveByTwo(portal, requestId)).resources).toEqual(['198.19.169.0/24']);
  });

  test('only staff who aren’t contacts of the account can open one', async () => {
    await using portal = await withPools(kind);
    expect(await open(portal, {}, { as: 'max' })).toMatchObject({ status: 404 });
    await portal.db.change(line, change =>
      change.rows(sql`update contact set login_id = (select login_id from login where username = 'stella')
        where account_name = 'EXAMPLE-AU' and login_id = (select login_id from login where username = 'corin')`),
    );
    expect(await open(portal, {}, { to: 'EXAMPLE-AU' })).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(await open(portal, {}, { to: 'NO-SUCH' })).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
    await portal.db.change(line, change =>
      change.rows(sql`update account set account_status = 'closed' where account_name = ${accountName}`),
    );
    expect(await open(portal)).toMatchObject({ status: 409, errors: [{ code: 'ACCOUNT_CLOSED' }] });
    expect(await portal.db.read.rows(sql`select 1 from resource_request where direct`)).toEqual([]);
  });

  test('invalid input is refused at its field, with a valid example', async () => {
    await using portal = await withPools(kind);
    const refusals: [Given, string, RegExp][] = [
      [{ resource: 'numbers' }, 'resource', /./],
      [{ resource: 'AS64500' }, 'resource', /Enter one IPv4 prefix, such as 198\.51\.100\.0\/24/],
      [{ resource: '198.19.171.0 - 198.19.173.255' }, 'resource', /Enter one IPv4 prefix/],
      [{ kind: 'asn', path: '', resource: 'AS65540 - AS65541' }, 'resource', /Enter one AS number, such as AS64496/],
      [{ resource: '198.18.0.0/24' }, 'resource', /198\.18\.0\.0\/24 isn’t free in the pool/],
      [{ resource: '10.0.0.0/24' }, 'resource', /10\.0\.0\.0\/24 isn’t free in the pool/],
      [{ resource: '198.19.171.0/25' }, 'resource', /198\.19\.171\.0\/25 is smaller than a \/24/],
      [{ length: 0 }, 'length', /Enter a prefix length of 1 to 32, such as 24, or the numbers themselves/],
      [{ length: 33 }, 'length', /of 1 to 32/],
      [{ length: 8 }, 'length', /No \/8 is free in the pool/],
      [{ kind: 'ipv6', path: 'end-site', length: 64 }, 'length', /smaller than a \/48/],
      [{ path: '' }, 'path', /Choose what the addresses are for/],
      [{ path: 'end-site' }, 'path', /isn’t possible for this request/],
      [{ kind: 'asn', path: 'lir' }, 'path', /isn’t possible for this request/],
      [{ netname: '1-A' }, 'netname', /./],
      [{ adminContact: 'NO1-EX' }, 'adminContact', /isn’t a contact of CORAL-KI/],
      [{ maintainer: 'MAINT-AU-EXAMPLE' }, 'maintainer', /./],
      [{ abuseMailbox: 'nowhere' }, 'abuseMailbox', /Enter an e-mail address/],
      [{ reason: '' }, 'reason', /./],
    ];
    for (const [given, field, words] of refusals) {
      const answer = await open(portal, given);
      expect(answer.status, JSON.stringify(given)).toBe(400);
      expect(
        answer.errors!.map(error => error.field),
        JSON.stringify(given),
      ).toContain(field);
      expect(answer.errors!.find(error => error.field === field)!.message).toMatch(words);
    }
    expect(await portal.db.read.rows(sql`select 1 from resource_request where direct`)).toEqual([]);
  });
});
