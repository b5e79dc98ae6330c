import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectedAuthority } from '../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { noteRound, periodicHandler } from '../../platform/periodic-work.ts';
import { warnOfLeftOutFiles } from './left-out-files.ts';
import { publisherRounds } from './publisher-rounds.ts';

const account = 'EXAMPLE-AU';

describe('files of an account that are left out', () => {
  let portal: TestPortal;
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  beforeAll(async () => {
    portal = await testPortal(undefined, {}, clock);
    await connectedAuthority(portal);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  beforeEach(() => {
    offset += 10 * DAY_MS;
  });

  const look = () => periodicHandler(portal.context, warnOfLeftOutFiles)();
  const refused = (...problems: string[]) =>
    portal.db.change({ action: 'test', summary: 'Judged', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update rpki_child_judgement set problems = ${problems}::text[]`),
    );
  const mails = () =>
    portal.db.read.rows<{ recipient: string; text: string }>(
      sql`select recipient, body as text from mail where subject = ${`RPKI files of ${account} are left out`} order by mail_id`,
    );
  const lines = async () =>
    (
      await portal.db.read.rows<{ summary: string }>(
        sql`select summary from activity where action = 'rpki.warnOfLeftOutFiles' and account_name = ${account} order by activity_id`,
      )
    ).map(({ summary }) => summary);

  test('are announced to its people once, when they begin to be, with a line in the activity log', async () => {
    await look();
    expect(await mails()).toEqual([]);
    await refused('old.roa: ROA is out of date');
    await look();
    const first = await mails();
    expect(first.map(({ recipient }) => recipient)).toContain('corin@example-au.example');
    expect(new Set(first.map(({ recipient }) => recipient)).size).toBe(first.length);
    expect(first[0]!.text).toContain('old.roa: ROA is out of date.');
    // More of them are the same matter, as long as one is left.
    await refused('old.roa: ROA is out of date', 'other.roa: ROA is out of date');
    await look();
    await look();
    expect(await mails()).toEqual(first);
    expect(await lines()).toEqual(['Warned that RPKI files are left out']);
  });

  test('are not announced again if that was over for less than a day, and are after that', async () => {
    const before = (await mails()).length;
    await refused();
    await look();
    expect((await lines()).at(-1)).toBe('RPKI files are no longer left out');
    offset += 30 * MINUTE_MS;
    await refused('old.roa: ROA is out of date');
    await look();
    expect((await mails()).length).toBe(before);
    await refused();
    await look();
    offset += DAY_MS + MINUTE_MS;
    await refused('old.roa: ROA is out of date');
    await look();
    expect((await mails()).length).toBe(2 * before);
  });

  test('are also those that rsync lacks', async () => {
    await refused();
    await look();
    offset += 2 * DAY_MS;
    const before = (await mails()).length;
    const file = { accountName: account, uri: 'rsync://rpki.example/a.roa', problem: 'its name is too long' };
    await noteRound(portal.db, publisherRounds, { now: clock(), failure: null, noted: { tree: { serial: 1, leftOut: [file] } } });
    await look();
    const sent = (await mails()).slice(before);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent[0]!.text).toContain('rsync://rpki.example/a.roa is not in rsync: its name is too long.');
  });
});
