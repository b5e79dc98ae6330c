import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileStorage } from '../../src/modules/documents/index.ts';
import { scanFile } from '../../src/modules/documents/scanning.ts';
import { deliverMail } from '../../src/modules/mail/mail.ts';
import { runCheck } from '../../src/modules/reverse-dns/checks/runs.ts';
import { echoTask } from '../../src/modules/tasks/echo.ts';
import { startWorker } from '../../src/platform/worker.ts';
import { tasksOf } from '../context.ts';
import { kinds, type TestPortal, testPortal } from '../portal.ts';

/** Accepts connections and never says anything. */
const connections = new Set<net.Socket>();
/** Whether what was to be seen has been seen: the worker stops once its running jobs end, and each would wait for its answer as long as it may. */
let isOver = false;
const server = net.createServer(socket => {
  if (isOver) {
    socket.destroy();
    return;
  }
  connections.add(socket);
  socket.on('error', () => {});
});
let address = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of connections) socket.destroy();
  server.close();
});

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
/** More than the places of any kind of workers. */
const WAITING = 24;

/** Resolves with the outcomes of these tasks when all are done, in time for people. */
const outcomesOf = async (portal: TestPortal, taskIds: readonly number[]): Promise<void> => {
  const outcomes = async () => {
    const rows = await portal.db.read.selectFrom('task').select(['taskId', 'outcome']).where('taskId', 'in', taskIds).execute();
    return rows.map(({ outcome }) => outcome);
  };
  await expect.poll(outcomes, { timeout: 8_000, interval: 20 }).toEqual(taskIds.map(() => 'success'));
};

describe.each(kinds)('systems that accept connections and are silent, on %s', kind => {
  test('a mail server holds up mails only, and a virus scanner scans only', async () => {
    isOver = false;
    connections.clear();
    await using portal = await testPortal(kind, { SMTP_URL: `smtp://${address}`, VIRUS_SCANNER_URL: `tcp://${address}` });
    const store = portal.context.outside(fileStorage);
    const source = path.join(os.tmpdir(), `silent-${crypto.randomUUID()}`);
    const taskIds = await portal.db.change(line, async change => {
      for (let number = 0; number < WAITING; number++) {
        const [mail] = await change.rows<{ mailId: number }>(sql`insert into mail (recipient, subject, body, written_at, topic)
          values ('a@b.example', 's', 'b', now(), 'whois.objects') returning mail_id`);
        await change.enqueue(deliverMail, { mailId: mail!.mailId });
        const content = `a file to scan, ${number}`;
        const sha256 = createHash('sha256').update(content).digest('hex');
        await writeFile(source, content);
        await store.copyFrom(source, sha256);
        await change.rows(sql`insert into stored_file (sha256, bytes, kind, stored_at, checked)
          values (${sha256}, ${content.length}, 'txt', now(), 'being-checked')`);
        await change.enqueue(scanFile, { sha256 });
      }
      return [
        await change.enqueue(echoTask, { message: 'others wait for no mail', fail: false }),
        await change.enqueue(runCheck, { checkId: crypto.randomUUID() }),
      ];
    });
    const runner = await startWorker(portal.context, { tasks: tasksOf(portal.context), schedule: [] });
    try {
      await expect.poll(() => connections.size, { timeout: 8_000, interval: 20 }).toBeGreaterThanOrEqual(2);
      await outcomesOf(portal, taskIds);
    } finally {
      // What waits for an answer ends now, and everything else is refused for the next minute.
      isOver = true;
      for (const socket of connections) socket.destroy();
      await runner.stop();
    }
    const [row] = await portal.db.read.rows<{ done: number }>(
      sql`select count(*)::int as done from task where state = 'completed' and task_id <> all(${taskIds}::bigint[])`,
    );
    expect(row!.done).toBe(0);
  });
});
