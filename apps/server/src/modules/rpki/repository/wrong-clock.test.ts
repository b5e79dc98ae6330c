import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { decodeCrl } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { readingFrom } from '../../../platform/module.ts';
import { addDemoPools } from '../../resources/demo-pools.ts';
import { findDue, isDue } from '../authorities/due-authorities.ts';
import { listVrps } from '../vrps.ts';
import { publisherProblems } from './alarms.ts';
import { publisherServer, publishRepository } from './publisher.ts';
import { checkRepository } from './repository-check.ts';

const account = 'EXAMPLE-AU';
const PREFIXES = ['198.18.0.0/19', '198.18.64.0/24', '2001:db8::/32'];
let portal: TestPortal;
let now = Math.floor(Date.now() / 1000) * 1000;

const addRoas = async (prefixes: readonly string[]): Promise<void> => {
  const corin = await portal.as('corin');
  const { version } = (await corin(api.rpki.listRoas, { account })).data!;
  const add = prefixes.map(prefix => ({ prefix, asn: 'AS64500' }));
  expect((await corin(api.rpki.changeRoas, { account, body: { version, add, remove: [] } })).errors).toBeUndefined();
};

beforeAll(async () => {
  portal = await testPortal('postgres', { RPKI_AS0: 'yes' }, () => new Date(now));
  await portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, addDemoPools);
  const corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  await connectedAuthority(portal);
  await addRoas(PREFIXES);
  const aspa = { customer: 'AS64500', providers: ['AS64501'], version: 0, comment: '' };
  expect((await corin(api.rpkiAspas.saveAspa, { account, body: aspa })).errors).toBeUndefined();
  await publishRepository(portal.context);
});
afterAll(() => portal[Symbol.asyncDispose]());

const manifests = () =>
  portal.db.read.rows<{ keyId: number; number: number; thisUpdate: string }>(
    sql`select key_id, number, this_update from rpki_manifest order by key_id`,
  );
/** Files of the registry's that begin later than now. */
const filesOfTheFuture = async (): Promise<number> =>
  (
    await portal.db.read.rows<{ count: number }>(
      sql`select count(*)::int as count from rpki_object where not_before > ${new Date(now).toISOString()}::timestamptz
        or modified_at > ${new Date(now).toISOString()}::timestamptz`,
    )
  )[0]!.count;
const problems = async (): Promise<string[]> => (await publisherProblems(portal.db.read, new Date(now))).map(({ problem }) => problem);
/** A process that starts while the clock is a year ahead publishes everything that seems to end; then the clock is right again. */
async function publishAYearAhead(): Promise<void> {
  now += 365 * DAY_MS;
  expect(await publishRepository(portal.context)).toBeGreaterThan(0);
  now -= 365 * DAY_MS;
  expect((await checkRepository(portal.db.read, new Date(now))).problems).not.toEqual([]);
}

let vrpsBefore = 0;
beforeEach(async () => {
  now += 2 * HOUR_MS;
  vrpsBefore = (await listVrps(portal.db.read)).length;
});

test('what was published with a clock that was ahead is published again once it is right, and named before', async () => {
  const known = await portal.db.read.rows<{ keyId: number; serial: string }>(
    sql`select key_id, serial from rpki_object where kind = 'roa' and roa_ids <> '{}'`,
  );
  expect(known.length).toBeGreaterThanOrEqual(PREFIXES.length);
  await publishAYearAhead();
  const numbers = await manifests();
  expect(await problems()).toEqual([
    expect.stringMatching(/^\d+ RPKI files begin in the future, the last at 20\d\d-.*validators refuse them/),
  ]);
  const overview = (await (await portal.as('stella'))(api.rpkiDesk.getOverview, {})).data!;
  expect(overview.alarms).toMatchObject([{ kind: 'dated-in-the-future' }]);
  expect(overview.alarms).toMatchObject([{ count: await filesOfTheFuture() }]);

  expect(await publishRepository(portal.context)).toBe(1);
  expect((await checkRepository(portal.db.read, new Date(now))).problems).toEqual([]);
  expect(await filesOfTheFuture()).toBe(0);
  expect(await problems()).toEqual([]);
  expect(isDue(await findDue(portal.db.read, new Date(now), true))).toBe(false);
  expect(await listVrps(portal.db.read)).toHaveLength(vrpsBefore);
  for (const [index, { number, thisUpdate }] of (await manifests()).entries()) {
    expect(number).toBeGreaterThan(numbers[index]!.number);
    expect(Date.parse(thisUpdate)).toBeLessThanOrEqual(now);
  }
  // What was replaced while the clock was ahead is revoked, though it had ended by that clock, and not in the future.
  const revoked = new Map<string, Date>();
  for (const { content } of await portal.db.read.rows<{ content: Buffer }>(sql`select content from rpki_object where kind = 'crl'`))
    for (const { serial, revokedAt } of decodeCrl(content).revoked) revoked.set(serial.toString(16).padStart(38, '0'), revokedAt);
  for (const { serial } of known) expect(revoked.get(serial)?.getTime()).toBeLessThanOrEqual(now);
});

test('a member’s change in between is published too, and holds up no one', async () => {
  await publishAYearAhead();
  await addRoas(['198.18.65.0/24']);
  expect(await publishRepository(portal.context)).toBe(1);
  expect((await checkRepository(portal.db.read, new Date(now))).problems).toEqual([]);
  expect(await filesOfTheFuture()).toBe(0);
  expect(await listVrps(portal.db.read)).toHaveLength(vrpsBefore + 1);
});

test('a rollover that began with the clock ahead goes on from now', async () => {
  const corin = await portal.as('corin');
  now += 365 * DAY_MS;
  const ahead = await portal.as('corin');
  expect((await ahead(api.rpki.startRollover, { account })).errors).toBeUndefined();
  await publishRepository(portal.context);
  now -= 365 * DAY_MS;
  await publishRepository(portal.context);
  const states = async () => (await corin(api.rpki.getStatus, { account })).data!.keys.map(({ state }) => state).sort();
  expect(await states()).toEqual(['current', 'new']);
  now += 25 * HOUR_MS;
  const later = await portal.as('corin');
  expect((await later(api.rpki.activateKey, { account })).errors).toBeUndefined();
  await publishRepository(portal.context);
  now += 25 * HOUR_MS;
  await publishRepository(portal.context);
  const after = await portal.as('corin');
  expect((await after(api.rpki.getStatus, { account })).data!.keys.map(({ state }) => state)).toEqual(['current']);
  expect((await checkRepository(portal.db.read, new Date(now))).problems).toEqual([]);
});

test('a publisher publishes nothing while its clock and that of the database differ, and says so', async () => {
  await addRoas(['198.18.66.0/24']);
  const failure = async (clock: () => Date): Promise<string | null> => {
    await sql`delete from periodic_work where name = 'rpki.publish'`.execute(portal.db.unrecorded);
    const running = await publisherServer.open(readingFrom('primary', { ...portal.context, clock }));
    const round = () => portal.db.read.rows<{ failure: string | null }>(sql`select failure from periodic_work where name = 'rpki.publish'`);
    await expect.poll(async () => (await round()).length, { timeout: 30_000 }).toBe(1);
    await running.close();
    return (await round())[0]!.failure;
  };
  expect(await failure(() => new Date(Date.now() + 10 * MINUTE_MS))).toMatch(/is 10 minutes ahead of that of the database/);
  expect(await failure(() => new Date(Date.now() - DAY_MS))).toMatch(/is 1440 minutes behind that of the database/);
  expect((await findDue(portal.db.read, new Date(now), true)).accountNames).toContain(account);
});
