import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { newKeys, selfHostedAuthority } from '../../../../../packages/rpki-objects/test/self-hosted-authority.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { checkInvariants } from '../../platform/invariants.ts';
import { readProfile } from '../../profile.ts';
import { setAccountStatus } from '../accounts/index.ts';
import { closeAccount } from '../organisations/index.ts';
import { publishAll } from './repository/publisher.ts';
import { checkRepository } from './repository/repository-check.ts';
import { listVrps } from './vrps.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Suspended, opened or closed', traceId: '0'.repeat(32), accountName: account };
const folder = mkdtempSync(path.join(os.tmpdir(), 'profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file with a profile of so many days. */
const profileOf = (days: unknown): string => {
  const file = path.join(folder, `${String(days)}.json`);
  writeFileSync(file, JSON.stringify({ rpkiSuspensionDays: days }));
  return file;
};

/** A portal whose clock can be moved, with a ROA of the account. */
async function published(kind: (typeof kindsForRules)[number], days: number | null) {
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  const portal = await testPortal(kind, { REGISTRY_PROFILE: profileOf(days) }, clock);
  const corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  const add = [{ prefix: '198.18.0.0/19', asn: 'AS64500' }];
  await corin(api.rpki.changeRoas, { account, body: { version: 1, add } });
  const { timeZone } = portal.context.profile;
  return {
    portal,
    corin,
    clock,
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
    set: (status: 'open' | 'suspended') => portal.db.change(line, change => setAccountStatus(change, account, status)),
    /** Publishes, and answers what routers learn after the next one. */
    vrps: async (): Promise<string[]> => {
      await publishAll(portal.context);
      const { problems, vrps } = await checkRepository(portal.db.read, clock());
      const listed = await listVrps(portal.db.read);
      expect([problems, vrps]).toEqual([[], listed.length]);
      return listed.map(({ prefix, asn }) => `AS${asn} ${prefix}`);
    },
    /** Signed in again, because no session lasts that long. */
    status: async () => (await (await portal.as('corin'))(api.rpki.getStatus, { account })).data!,
    attention: async () =>
      (await (await portal.as('corin'))(api.home.getHome, { account })).data!.attention!.find(
        ({ attentionId }) => attentionId === 'rpki-suspension',
      ),
    broken: async () =>
      (await checkInvariants(portal.context, [account])).flatMap(({ name, violations }) =>
        name.startsWith('rpki.') ? violations.map(({ object, problem }) => `${object} ${problem}`) : [],
      ),
    /** Moves the clock to the first moments of the day after so many days, in the registry's zone. */
    toDay: (ahead: number, before = 0) => {
      const day = daysAfter(dayIn(timeZone, clock()), ahead);
      let at = Date.parse(`${day}T00:00:00Z`) - DAY_MS;
      while (dayIn(timeZone, new Date(at)) < day) at += MINUTE_MS;
      const wanted = new Date(instantAfter(at, MINUTE_MS - before));
      offset = wanted.getTime() - Date.now();
    },
    day: (ahead: number) => daysAfter(dayIn(timeZone, clock()), ahead),
  };
}
const roa = 'AS64500 198.18.0.0/19';

describe.each(kindsForRules)('a suspension on %s', kind => {
  test('leaves everything published until its day, shown to the member and the desk; if paid before, nothing is lost', async () => {
    await using registry = await published(kind, 14);
    const { portal, corin, set, vrps, status, attention, broken, day } = registry;
    expect(await vrps()).toEqual([roa]);
    expect(await status()).toMatchObject({ suspension: null });
    await set('suspended');
    expect(await vrps()).toEqual([roa]);
    const withdrawsOn = day(14);
    expect(await status()).toMatchObject({ mode: 'hosted', suspension: { withdrawsOn, withdrawnAt: null }, missing: [] });
    expect(await attention()).toMatchObject({
      urgency: 'urgent',
      due: withdrawsOn,
      title: expect.stringMatching(/^RPKI is withdrawn on \d+ \w+ \d{4}$/),
    });
    const staff = await portal.as('stella');
    expect((await staff(api.rpkiDesk.listTroubled, { query: {} })).data!.rows).toMatchObject([
      { accountName: account, mode: 'hosted', problem: 'withdrawn-soon' },
    ]);
    expect((await staff(api.rpkiDesk.getOverview, {})).data!.members).toMatchObject({ hosted: 1, suspended: 0 });
    await portal.runTasks();
    await portal.runTasks();
    const notices = (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) =>
      subject.startsWith('RPKI of EXAMPLE-AU is withdrawn on'),
    );
    expect(notices).toHaveLength(1);
    expect(notices[0]!.body).toContain('If the account is open again before that day, nothing is withdrawn.');
    const { version } = await status();
    expect(
      (await corin(api.rpki.changeRoas, { account, body: { version, add: [{ prefix: '198.18.0.0/20', asn: 'AS64500' }] } })).errors![0]!
        .code,
    ).toBe('ACCOUNT_SUSPENDED');
    registry.toDay(14, 2 * MINUTE_MS);
    expect(await vrps(), 'a minute before its day').toEqual([roa]);
    expect(await broken()).toEqual([]);
    await set('open');
    registry.toDay(3);
    expect(await vrps()).toEqual([roa]);
    expect(await status()).toMatchObject({ mode: 'hosted', suspension: null });
    expect(await attention()).toBeUndefined();
    expect((await (await portal.as('stella'))(api.rpkiDesk.listTroubled, { query: {} })).data!.rows).toEqual([]);
  });

  test('withdraws everything on its day; when reopened the next publication restores it, and the next suspension has its own day', async () => {
    await using registry = await published(kind, 14);
    const { portal, set, vrps, status, attention, broken } = registry;
    await vrps();
    await set('suspended');
    await vrps();
    registry.toDay(14);
    expect(await vrps()).toEqual([]);
    expect(await status()).toMatchObject({ mode: 'suspended', counts: { stopped: 1 }, suspension: { withdrawnAt: expect.anything() } });
    expect(await attention()).toMatchObject({ title: 'RPKI is withdrawn' });
    await portal.runTasks();
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)).toMatchObject({
      subject: 'ROAs of EXAMPLE-AU are no longer published',
    });
    registry.toDay(1);
    expect(await vrps(), 'and stays so').toEqual([]);
    expect(await broken()).toEqual([]);
    await set('open');
    expect(await vrps()).toEqual([roa]);
    expect(await status()).toMatchObject({ mode: 'hosted', suspension: null, missing: [] });
    await set('suspended');
    expect(await vrps()).toEqual([roa]);
    expect(await status()).toMatchObject({ suspension: { withdrawsOn: registry.day(14), withdrawnAt: null } });
  });

  test('is reported by "registry verify" if it is still published past its day', async () => {
    await using registry = await published(kind, 14);
    const { set, vrps, broken } = registry;
    await vrps();
    await set('suspended');
    await vrps();
    registry.toDay(15);
    expect(await broken()).toContainEqual(
      expect.stringMatching(
        /^The account EXAMPLE-AU is suspended, with \d{4}-\d\d-\d\d as the day of withdrawal, and rsync:\S+ is still published$/,
      ),
    );
    await vrps();
    expect(await broken()).toEqual([]);
  });

  test('withdraws nothing if the profile says never, until the account is closed: then immediately', async () => {
    await using registry = await published(kind, null);
    const { portal, set, vrps, status, attention, broken } = registry;
    await vrps();
    await set('suspended');
    expect(await vrps()).toEqual([roa]);
    registry.toDay(400);
    expect(await vrps()).toEqual([roa]);
    expect(await status()).toMatchObject({ mode: 'hosted', suspension: { withdrawsOn: null, withdrawnAt: null } });
    expect(await attention()).toBeUndefined();
    expect(await broken()).toEqual([]);
    const { promise: notified, resolve } = Promise.withResolvers<void>();
    const stop = await portal.db.listen('rpki', () => resolve());
    await portal.db.change(line, change => closeAccount(change, account));
    await notified;
    await stop();
    expect(await vrps()).toEqual([]);
    expect(await broken()).toEqual([]);
  });

  test('of a member with a certificate authority of its own follows the same rule: its certificate', async () => {
    await using registry = await published(kind, 14);
    const { portal, corin, set, clock } = registry;
    const child = selfHostedAuthority('Example-AU', newKeys(), clock);
    await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.childRequest } });
    await publishAll(portal.context);
    const { parentResponse } = (await corin(api.rpkiSelfHosted.getSelfHosted, { account })).data!.authority!;
    const payload = child.message(child.issue('rsync://elsewhere.example/repo/'));
    const headers = { 'content-type': 'application/rpki-updown', host: 'portal.test' };
    const answer = portal.http.inject({ method: 'POST', url: child.serviceOf(parentResponse!), headers, payload });
    let isOver = false;
    void answer.finally(() => (isOver = true));
    while (!isOver) {
      await publishAll(portal.context);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect((await answer).statusCode).toBe(200);
    const certified = async () => {
      await publishAll(portal.context);
      const [key] = await portal.db.read.rows<{ has: boolean }>(sql`select certificate is not null as has from rpki_child_key`);
      return key!.has;
    };
    expect(await certified()).toBe(true);
    await set('suspended');
    expect(await certified()).toBe(true);
    registry.toDay(15);
    expect(await registry.broken()).toContainEqual(expect.stringMatching(/and the certificate of its own authority is still published$/));
    expect(await certified()).toBe(false);
    expect(await registry.broken()).toEqual([]);
    await set('open');
    expect(await certified()).toBe(true);
  });
});

test.each([['"14"'], [-1], [1.5], [4000]])('a profile with %s days is refused with what would be right', days => {
  expect(() => readProfile(profileOf(typeof days === 'string' ? '14' : days))).toThrow(
    /"rpkiSuspensionDays" must be a whole number of days from 0 to 3,650, or null for never/,
  );
});
