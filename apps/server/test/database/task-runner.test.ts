import { Logger, run } from 'graphile-worker';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { kinds, migratedDatabase } from './migrated-database.ts';

const activity = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

for (const { kind, skip, title } of kinds) {
  describe.skipIf(skip)(`graphile-worker on the writer's connections, ${title}`, () => {
    test('runs what a change enqueued, while reads and changes continue, and leaves failures to a later attempt', async () => {
      await using copy = await migratedDatabase(kind, {}, '0001_platform.sql');
      const { database } = copy;
      const sort = { name: 'sort', input: z.object({ shelf: z.number() }) };
      const done = Promise.withResolvers<void>();
      let left = 30;
      const runner = await run({
        pgPool: database.pool,
        concurrency: 2,
        noHandleSignals: true,
        crontab: '',
        logger: new Logger(() => () => {}),
        taskList: {
          sort: async payload => {
            const { taskId } = payload as { taskId: number };
            await database.change(activity, async change => {
              await change
                .updateTable('task')
                .set({ state: 'completed', outcome: 'success', finishedAt: change.now })
                .where('taskId', '=', taskId)
                .execute();
            });
            if (--left === 0) done.resolve();
          },
        },
      });
      await Promise.all(Array.from({ length: 30 }, (_, shelf) => database.change(activity, change => change.enqueue(sort, { shelf }))));
      await done.promise;
      await runner.stop();
      expect(await database.read.selectFrom('task').select('state').distinct().execute()).toEqual([{ state: 'completed' }]);
      expect(await database.read.rows(sql`select count(*) as n from graphile_worker._private_jobs`)).toEqual([{ n: 0 }]);
      expect(await database.read.rows(sql`select count(*) as n from activity`)).toEqual([{ n: 60 }]);
    });
  });
}
