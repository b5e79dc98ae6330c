import type { ChildProcess } from 'node:child_process';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { kinds, type TestPortal, testPortal } from '../portal.ts';
import { killProgram, workerPrograms } from './worker-programs.ts';

const account = 'EXAMPLE-AU';
const PERSONS = 3;
const ROUTES = 500;

/** Contacts are a part of the task of their own, done before the routes. */
const person = (number: number): string =>
  `person:         Test Person\naddress:        1 Street\ncountry:        AU\nphone:          +61 7 5555 0100\ne-mail:         p@holder.example\nnic-hdl:        TP${number + 1}-EX\nnotify:         told@holder.example\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;
const route = (number: number): string =>
  `route6:         2001:db8:${(0x4000 + number).toString(16)}::/48\ndescr:          Task\norigin:         AS64500\nnotify:         told@holder.example\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`;

describe.runIf(kinds.includes('postgres'))('a worker that is killed in the middle of a task', () => {
  let portal: TestPortal;
  let workers: Awaited<ReturnType<typeof workerPrograms>>;
  beforeAll(async () => {
    portal = await testPortal('postgres');
    workers = await workerPrograms(portal.url);
  });
  afterAll(async () => {
    await workers.stop();
    await portal[Symbol.asyncDispose]();
  });
  const until = (holds: () => Promise<void>): Promise<void> => vi.waitFor(holds, { timeout: 60_000, interval: 20 });
  const itemsIn = async (taskId: number, state: string): Promise<number> => {
    const rows = await portal.db.read.rows<{ total: number }>(
      sql`select count(*)::int as total from whois_task_item where task_id = ${taskId} and state = ${state}`,
    );
    return rows[0]!.total;
  };

  test('is replaced by the next one immediately: nothing is done twice, and each person is notified once of everything', {
    timeout: 120_000,
  }, async () => {
    const tess = await portal.as('tess');
    const text = [
      ...Array.from({ length: PERSONS }, (_, number) => person(number)),
      ...Array.from({ length: ROUTES }, (_, number) => route(number)),
    ].join('\n');
    const { data } = await tess(api.whois.uploadText, { account, body: { text, dryRun: false } });
    const taskId = data!.taskId!;

    // The second part waits for one of its rows, so that the worker is in the middle for as long as this takes.
    let killed: ChildProcess | null = null;
    await portal.db.unrecorded.transaction().execute(async holder => {
      await sql`select item_no from whois_task_item where task_id = ${taskId} and item_no = ${PERSONS + ROUTES} for update`.execute(holder);
      killed = workers.start();
      await until(async () => expect(await itemsIn(taskId, 'ok')).toBe(PERSONS));
      await killProgram(killed);
    });
    expect(await itemsIn(taskId, 'pending')).toBe(ROUTES);

    workers.start();
    await until(async () => {
      const task = await tess(api.tasks.getTask, { account, taskId: String(taskId) });
      expect(task.data).toMatchObject({ state: 'completed', outcome: 'success', counts: { ok: PERSONS + ROUTES } });
    });
    const versions = await portal.db.read.rows<{ version: number; total: number }>(
      sql`select version, count(*)::int as total from whois_journal
        where (class = 'person' and key like 'tp%-ex') or (class = 'route6' and key like '2001:db8:4%') group by version`,
    );
    expect(versions).toEqual([{ version: 1, total: PERSONS + ROUTES }]);
    const mails = await portal.mailsTo('told@holder.example');
    expect(mails.map(({ subject }) => subject)).toEqual([`Changed in the EXAMPLE database: ${PERSONS + ROUTES} objects`]);
    expect(mails[0]!.body).toContain('TP1-EX');
    await until(async () => {
      const open = await portal.db.read.selectFrom('task').select('name').where('state', '!=', 'completed').execute();
      expect(open).toEqual([]);
    });
  });
});
