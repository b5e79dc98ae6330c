import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Database, migrationStatus } from './database/index.ts';

/** /healthz: the process runs. /readyz: database reachable, migrations applied. /metrics: Prometheus text, `more` its lines from elsewhere. They answer to any host name, for load balancers. */
export function serveHealth(app: FastifyInstance, db: Database, more: () => Promise<readonly string[]>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const problems: string[] = [];
    try {
      const { pending } = await migrationStatus(db);
      if (pending.length > 0) problems.push(`migrations due: ${pending.join(', ')}`);
    } catch {
      problems.push('the database does not answer');
    }
    return reply.code(problems.length === 0 ? 200 : 503).send({ status: problems.length === 0 ? 'ready' : 'not ready', problems });
  });

  app.get('/metrics', async (_request, reply) => {
    const [tasks] = await db.read.rows<{ queued: number; failed: number }>(
      sql`select count(*) filter (where state = 'queued') as queued, count(*) filter (where outcome = 'failed') as failed from task`,
    );
    const lines = [
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '# TYPE tasks gauge',
      `tasks{state="queued"} ${tasks?.queued ?? 0}`,
      `tasks{state="failed"} ${tasks?.failed ?? 0}`,
      ...(await more()),
    ];
    return reply.type('text/plain; version=0.0.4').send(`${lines.join('\n')}\n`);
  });
}
