import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { maxWaiting, waitDays } from '@portal/contract/reverse-dns/waiting';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { followWaiting } from './waiting.ts';

const account = 'EXAMPLE-AU';
const zone = '9.18.198.in-addr.arpa';
const servers = ['ns1.example.net', 'ns2.example.net'];
/** No one answers at the resolver of these tests: checks find that the servers aren’t ready. */
const settings = { DNS_CHECK_FIRST: 'on', DNS_RESOLVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100' };
const line = { action: 'test', summary: 'Changed for a test', traceId: '0'.repeat(32) };
const body = { adminC: 'ENO1-EX', techC: 'ENO1-EX', zoneC: 'ENO1-EX', mntBy: 'MAINT-AU-EXAMPLE', zones: [zone], servers };

/** A portal with its clock `minutes` ahead, in which the watch of waiting delegations runs. */
async function opened() {
  const portal = await testPortal(undefined, settings);
  const tess = await portal.as('tess');
  const follow = async (minutes = 0) => {
    const at = new Date(instantAfter(new Date(), minutes * MINUTE_MS));
    await followWaiting({ ...portal.context, clock: () => at });
    await portal.runTasks();
  };
  const list = async () => (await tess(api.waitingDelegations.listWaiting, { account })).data!;
  /** Decides what the last checks found. */
  const becomes = (grade: string) =>
    portal.db.change(line, change => change.rows(sql`update rdns_check set grade = ${grade} where zone = ${zone}`));
  const isDelegated = async () =>
    (await tess(api.reverseDns.listZones, { account, query: { q: zone } })).data!.rows.find(row => row.zone === zone)!.version !== null;
  return { portal, tess, follow, list, becomes, isDelegated, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() };
}

const mailsAbout = async ({ db }: TestPortal, words: string): Promise<string[]> =>
  (await db.read.rows<{ subject: string }>(sql`select subject from mail where subject like ${`%${words}%`}`)).map(({ subject }) => subject);

describe('a delegation waiting for its name servers', () => {
  test('is checked every hour, shows why it still waits, and delegates the zone with a mail once a check finds no errors', async () => {
    await using lab = await opened();
    const { portal, tess, follow, list, becomes, isDelegated } = lab;
    const { data: asked, errors } = await tess(api.waitingDelegations.waitForServers, { account, body });
    expect(errors).toBeUndefined();
    expect(asked).toMatchObject({ state: 'waiting', zones: [zone], servers, signed: false, checkedAt: null, problem: null });
    expect(await isDelegated()).toBe(false);
    await follow();
    await follow(1);
    const [waiting] = (await list()).rows;
    expect(waiting).toMatchObject({ state: 'waiting', problem: expect.stringMatching(/ns1\.example\.net|server/) });
    expect((await tess(api.dnsChecking.getCheck, { checkId: waiting!.checkId! })).data!.grade).toBe('error');
    const checks = async () => (await portal.db.read.rows(sql`select 1 from rdns_check where zone = ${zone}`)).length;
    expect(await checks()).toBe(1);
    await follow(30);
    expect(await checks()).toBe(1);
    await follow(61);
    expect(await checks()).toBe(2);
    await becomes('warning');
    await follow(1);
    expect(await isDelegated()).toBe(true);
    expect((await list()).rows[0]).toMatchObject({ state: 'delegated', decidedAt: expect.any(String) as string });
    expect(await mailsAbout(portal, `${zone}: delegated`)).toHaveLength(1);
    // It is done once.
    await follow(120);
    expect(await checks()).toBe(2);
  });

  test('ends after seven days with a mail', async () => {
    await using lab = await opened();
    const { portal, tess, follow, list, isDelegated } = lab;
    await tess(api.waitingDelegations.waitForServers, { account, body });
    await follow((waitDays * DAY_MS) / MINUTE_MS + 1);
    expect((await list()).rows[0]).toMatchObject({ state: 'ended' });
    expect(await isDelegated()).toBe(false);
    expect(await mailsAbout(portal, `${zone}: not delegated`)).toHaveLength(1);
  });

  test('is not carried out after its contact lost the permission, or if the zone was changed meanwhile', async () => {
    await using lab = await opened();
    const { portal, tess, follow, list, becomes, isDelegated } = lab;
    await tess(api.waitingDelegations.waitForServers, { account, body });
    await follow();
    await becomes('ok');
    await portal.db.change(line, change =>
      change.rows(sql`update contact set permissions = array_remove(array_remove(permissions, 'whois-principal-mntner-access'), 'whois-domain-objects-update'), maintainers = '{}'
        where account_name = ${account} and full_name like 'Tess%'`),
    );
    await follow(1);
    const [refused] = (await list()).rows;
    expect(refused).toMatchObject({ state: 'refused', problem: expect.any(String) as string });
    expect(await isDelegated()).toBe(false);

    const corin = await portal.as('corin');
    const changed = '2.18.198.in-addr.arpa';
    const other = { ...body, zones: [changed], servers: ['ns7.example.net', 'ns8.example.net'] };
    expect((await corin(api.waitingDelegations.waitForServers, { account, body: other })).errors).toBeUndefined();
    await follow();
    await portal.db.change(line, change => change.rows(sql`update whois_object set version = version + 1 where key = ${changed}`));
    await portal.db.change(line, change => change.rows(sql`update rdns_check set grade = 'ok' where zone = ${changed}`));
    await follow(1);
    expect((await list()).rows[0]).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining(`${changed} was changed after you asked`) as string,
    });
  });

  test('is refused if anything besides the servers is wrong, or if one already waits', async () => {
    await using lab = await opened();
    const { portal, tess } = lab;
    const refusal = async (more: object) =>
      (await tess(api.waitingDelegations.waitForServers, { account, body: { ...body, ...more } })).errors?.[0];
    expect(await refusal({ zones: ['9.0.192.in-addr.arpa'] })).toMatchObject({ code: 'INVALID_REQUEST', field: 'zones.0' });
    expect(await refusal({ servers: ['192.0.2.1', 'ns1.example.net'] })).toMatchObject({ field: 'servers.0' });
    expect(await refusal({ operation: 'remove' })).toMatchObject({ field: 'operation' });
    expect(await refusal({ adminC: 'NOONE9-EX' })).toMatchObject({ field: 'zones.0' });
    const twice = await Promise.all([refusal({}), refusal({ zones: ['10.18.198.in-addr.arpa', zone] })]);
    expect(twice.map(each => each?.code ?? 'kept').toSorted()).toEqual(['ALREADY_WAITING', 'kept']);
    const left = Array.from({ length: maxWaiting + 2 }, (_, n) => `${9 + n}.18.198.in-addr.arpa`);
    let last: Awaited<ReturnType<typeof refusal>>;
    for (const each of left) last = await refusal({ zones: [each] });
    expect(last).toMatchObject({ code: 'TOO_MANY_WAITING' });
    expect(await portal.db.read.rows(sql`select 1 from rdns_waiting`)).toHaveLength(maxWaiting);
  });

  test('is cancelled once, and not found by another account', async () => {
    await using lab = await opened();
    const { portal, tess, follow, isDelegated, becomes } = lab;
    const { waitingId } = (await tess(api.waitingDelegations.waitForServers, { account, body })).data!;
    await follow();
    const olive = await portal.as('olive');
    const theirs = (
      await portal.db.read.rows<{ accountName: string }>(
        sql`select account_name from contact c join login l using (login_id) where l.full_name like 'Olive%' limit 1`,
      )
    )[0]!.accountName;
    expect((await olive(api.waitingDelegations.cancelWaiting, { account, waitingId })).errors![0]!.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await olive(api.waitingDelegations.cancelWaiting, { account: theirs, waitingId })).errors![0]!.code).toMatch(
      /NOT_FOUND|NO_PERMISSION|MFA/,
    );
    for (const id of ['0', 'x', '99999999999999999999'])
      expect((await tess(api.waitingDelegations.cancelWaiting, { account, waitingId: id })).errors![0]!.code).toBe('NOT_FOUND');
    expect((await tess(api.waitingDelegations.cancelWaiting, { account, waitingId })).data).toMatchObject({ state: 'cancelled' });
    expect((await tess(api.waitingDelegations.cancelWaiting, { account, waitingId })).errors![0]!.code).toBe('ALREADY_RESOLVED');
    await becomes('ok');
    await follow(1);
    expect(await isDelegated()).toBe(false);
  });
});
