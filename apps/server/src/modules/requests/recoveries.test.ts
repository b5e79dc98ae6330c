import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, instantAfter, utcDay } from '@portal/contract/days';
import type { RecoveryGround } from '@portal/contract/requests/recoveries';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, sendRequest } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';

const accountName = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

const give = async (portal: TestPortal, resources: string[], ground: RecoveryGround = 'breach', as = 'stella') =>
  (await portal.as(as))(api.recoveries.openRecovery, {
    accountName,
    body: { resources, ground, reason: 'Used for what it was not given for.' },
  });
/** The notice period of the case is over. */
const endNotice = (portal: TestPortal, requestId: string) =>
  portal.db.change(line, change =>
    change.rows(
      sql`update resource_request set notice_until = ${utcDay(instantAfter(new Date(), -2 * DAY_MS))}::date where resource_request_id = ${Number(requestId)}`,
    ),
  );
const caseOf = async (portal: TestPortal, requestId: string) =>
  (await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!;
describe.each(kindsForRules)('recoveries on %s', kind => {
  test('the registry recovers a part of a delegation after the notice: its plan is carried out, and the part goes into quarantine', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const opened = await give(portal, ['198.18.8.0/22']);
    const { requestId, noticeUntil } = opened.data!;
    expect(noticeUntil > daysAfter(utcDay(new Date()), portal.context.profile.requestPolicy.recoveryDays.breach - 2)).toBe(true);

    // The member sees reason and day, and can object, but can't withdraw it or move the numbers elsewhere.
    const seen = (await corin(api.requests.getRequest, { account: accountName, requestId })).data!;
    expect(seen).toMatchObject({
      asked: 'Recovery of 198.18.8.0/22',
      recovery: { ground: 'breach', noticeUntil },
      requestedBy: 'Registry staff',
    });
    expect(seen.events[0]!.words).toContain('Used for what it was not given for.');
    expect(await corin(api.requests.withdrawRequest, { account: accountName, requestId })).toMatchObject({
      errors: [{ code: 'RECOVERY' }],
    });
    expect(
      await corin(api.requests.writeAboutRequest, { account: accountName, requestId, body: { words: 'We object', documentIds: [] } }),
    ).toMatchObject({ status: 200 });
    await expect(
      sendRequest(corin, accountName, 'transfer', { resources: ['198.18.8.0/23'], recipient: 'OTHER-SG', reason: 'Sold' }),
    ).rejects.toThrow(/RESOURCE_LOCKED/);

    expect(await approveAlone(portal, requestId)).toMatchObject({ status: 409, errors: [{ code: 'NOTICE_RUNS' }] });
    await endNotice(portal, requestId);
    const { plan } = await caseOf(portal, requestId);
    const effects = plan!.effects.filter(({ what }) => what === 'route').map(({ name, act }) => `${name}: ${act}`);
    expect(effects).toContain('198.18.0.0/19AS64500: changes');
    const done = await approveByTwo(portal, requestId);
    expect(done.state).toBe('completed');
    // Ended objects are gone, and shrunk ones no longer cover the part.
    const across = await portal.db.read.rows<{ name: string }>(
      sql`select shown as name from whois_object where not kept and class in ('route', 'domain', 'inetnum') and first <= '198.18.11.255' and last >= '198.18.8.0'
        and first >= '198.18.0.0' and last <= '198.18.31.255'`,
    );
    expect(across).toEqual([]);
    expect(await portal.db.read.rows(sql`select prefix from roa where prefix && '198.18.8.0/22'`)).toEqual([]);
    const held = await portal.db.read.rows<{ resource: string }>(
      sql`select resource from delegation where account_name = ${accountName} and status <> 'closed' and resource like '198.18.%' order by first`,
    );
    expect(plan!.keeps.length).toBeGreaterThan(0);
    expect(held.map(({ resource }) => resource)).toEqual(expect.arrayContaining(plan!.keeps));
    expect(held.map(({ resource }) => resource)).not.toContain('198.18.0.0/19');
    const pool = await portal.db.read.rows(
      sql`select resource, state, rests_until is not null as rests from pool where resource = '198.18.8.0/22'`,
    );
    expect(pool).toEqual([{ resource: '198.18.8.0/22', state: 'reserved', rests: true }]);
  });

  test('its corporate contacts are notified before and after, with how to object', async () => {
    await using portal = await testPortal(kind);
    const { requestId } = (await give(portal, ['AS64500'], 'unpaid')).data!;
    await endNotice(portal, requestId);
    await approveByTwo(portal, requestId);
    const mails = await portal.db.read.rows<{
      subject: string;
      text: string;
      people: number;
    }>(sql`select subject, min(body) as text, count(*)::int as people from mail
      where subject like ${`%REQ-${requestId}%`} and (subject like '%takes back%' or subject like '%taken back%') group by subject order by min(mail_id)`);
    expect(mails).toHaveLength(2);
    for (const { text } of mails) expect(text).toMatch(/object/);
  });

  test('a holder’s lock doesn’t prevent a recovery', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    await corin(api.resourceLocks.addLocks, { account: accountName, body: { resources: ['AS64500'] } });
    const { requestId } = (await give(portal, ['AS64500'], 'fraud')).data!;
    await endNotice(portal, requestId);
    expect((await approveByTwo(portal, requestId)).state).toBe('completed');
  });

  test('a recovery is refused for numbers not held, already moving or too small, for no account, and by a contact of the account', async () => {
    await using portal = await testPortal(kind);
    const codeOf = async (answer: ReturnType<typeof give>) => (await answer).errors?.[0]?.code;
    expect(await codeOf(give(portal, ['203.0.112.0/24']))).toBe('NOT_HOLDER');
    expect(await codeOf(give(portal, ['no numbers']))).toBe('INVALID_REQUEST');
    expect(await codeOf(give(portal, []))).toBe('INVALID_REQUEST');
    expect(await codeOf(give(portal, ['198.18.8.0/26']))).toBe('REQUEST_NOT_ALLOWED');
    await give(portal, ['198.18.8.0/22']);
    expect(await codeOf(give(portal, ['198.18.8.0/24']))).toBe('RESOURCE_LOCKED');
    const stella = await portal.as('stella');
    expect(
      await stella(api.recoveries.openRecovery, { accountName: 'NO-SUCH', body: { resources: ['AS64500'], ground: 'fraud', reason: 'x' } }),
    ).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    await portal.db.change(line, change =>
      change.rows(sql`update contact set login_id = (select login_id from login where username = 'stella')
        where account_name = ${accountName} and login_id = (select login_id from login where username = 'corin')`),
    );
    expect(await codeOf(give(portal, ['AS64500']))).toBe('OWN_REQUEST');
  });

  test('numbers delegated by mistake are recovered after their own notice period, and can be delegated again once staff end their quarantine', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const { requestId, noticeUntil } = (await give(portal, ['198.18.8.0/22'], 'mistake')).data!;
    expect(noticeUntil < daysAfter(utcDay(new Date()), portal.context.profile.requestPolicy.recoveryDays.breach)).toBe(true);
    await endNotice(portal, requestId);
    await approveByTwo(portal, requestId);
    const body = { resource: '198.18.8.0/22', reason: 'It was never used', until: null };
    expect(await stella(api.resourcePools.setQuarantine, { body })).toMatchObject({ status: 200 });
    const { rows } = (await stella(api.resourcePools.listPoolRanges, { kind: 'ipv4', query: { q: '198.18.8.0/22' } })).data!;
    expect(rows.map(({ state }) => state)).toEqual(['available']);
  });

  test('a rejected recovery changes nothing, and the numbers can move again', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { requestId } = (await give(portal, ['198.18.8.0/22'])).data!;
    expect(await stella(api.requestDesk.refuseRequest, { requestId, body: { reason: 'The objection is right' } })).toMatchObject({
      status: 200,
    });
    const sent = await sendRequest(corin, accountName, 'transfer', { resources: ['198.18.8.0/23'], recipient: 'OTHER-SG', reason: 'Sold' });
    expect(sent.state).toBe('offered');
  });
});
