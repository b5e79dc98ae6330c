import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { metricsOfBacklogs } from './backlogs.ts';
import { migrationStatus } from './database/index.ts';
import { feedInWords, metricsOfFeeds, statesOfFeeds } from './feeds.ts';
import { brokenInvariants, metricsOfInvariants } from './invariants.ts';
import type { ModuleContext } from './module.ts';
import { metricsOfWork, scheduleOf, statesOfWork } from './periodic-work.ts';
import { metricsOfReplicas, replicaInWords } from './replica-states.ts';
import { unitProblems } from './work-units.ts';

type Context = ModuleContext;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether a caller may read the counters: with the token of METRICS_TOKEN or, without that setting, from this machine directly (not through a proxy). */
function mayReadMetrics({ headers, raw }: FastifyRequest, token: string): boolean {
  if (token !== '') return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
  const isPassedOn = Object.keys(headers).some(name => /^(x-forwarded-|forwarded$|via$)/.test(name));
  return !isPassedOn && /^(127\.|::1$|::ffff:127\.)/.test(raw.socket.remoteAddress ?? '');
}

/**
 * /healthz: the process runs. /readyz: everything every role needs is available; with `?role=`, also what that role needs. /metrics:
 * Prometheus text, `more` the lines of this process. They answer to any host name, for load balancers. @param isStopping whether this process is about to stop
 */
export function serveHealth(
  app: FastifyInstance,
  context: Context,
  { more, isStopping = () => false }: { more: () => Promise<readonly string[]>; isStopping?: (() => boolean) | undefined },
): void {
  const { db } = context;
  const { metricsToken } = context.config;
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get<{ Querystring: { role?: unknown } }>('/readyz', async ({ query: { role } }, reply) => {
    const { problems, roles }: Readiness = isStopping()
      ? { problems: ['this process is stopping'], roles: {} }
      : await readinessOf(context);
    const ofRole = typeof role === 'string' && Object.hasOwn(roles, role) ? roles[role]! : [];
    const isReady = problems.length === 0 && ofRole.length === 0;
    const replicas = db.replicaStates().replicas.map(state => replicaInWords(state, `replica ${state.number}`));
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', problems, roles, ...(replicas.length > 0 && { replicas }) });
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken))
      return reply
        .code(403)
        .type('text/plain; charset=utf-8')
        .send('The counters are for this machine and for callers that send METRICS_TOKEN.\n');
    const lines = await metricLines(context, more);
    return reply.type('text/plain; version=0.0.4').send(`${lines.join('\n')}\n`);
  });
}

/** Returns the lines of `/metrics`. @param more those of this process */
export async function metricLines(context: Context, more: () => Promise<readonly string[]>): Promise<string[]> {
  const { db, modules, clock } = context;
  const [tasks] = await db.read.rows<{ queued: number; failed: number }>(sql`select
    (select count(*) from task where state = 'queued') as queued, (select count(*) from task where outcome = 'failed') as failed`);
  return [
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    ...context.memory.lines(),
    '# TYPE tasks gauge',
    `tasks{state="queued"} ${tasks?.queued ?? 0}`,
    `tasks{state="failed"} ${tasks?.failed ?? 0}`,
    ...metricsOfReplicas(db),
    ...(await more()),
    ...metricsOfWork(await statesOfWork(db.read, scheduleOf(modules), clock())),
    ...(await metricsOfInvariants(db.read, modules)),
    ...metricsOfFeeds(await statesOfFeeds(context)),
    ...(await metricsOfBacklogs(context)),
    ...(await Promise.all(modules.flatMap(module => module.metrics?.(context) ?? []))).flat(),
  ];
}

/** Returns a server of nothing else, for a process without the role web. */
export function healthServer(context: Context, more: () => readonly string[], isStopping?: () => boolean): FastifyInstance {
  const app = Fastify({ logger: false });
  serveHealth(app, context, { more: async () => more(), isStopping });
  return app;
}

type Readiness = { problems: string[]; roles: Record<string, string[]> };

/** Returns what is missing: for all roles, such as the database, and for each role, such as late periodic work. */
async function readinessOf(context: Context): Promise<Readiness> {
  const { db, modules, clock } = context;
  const readiness: Readiness = { problems: [], roles: { web: [], worker: [], whois: [] } };
  try {
    const { pending } = await migrationStatus(db);
    if (pending.length > 0) return { ...readiness, problems: [`migrations due: ${pending.join(', ')}`] };
    const outage = await db.writeOutage();
    if (outage === 'full') readiness.problems.push('the disk of the database is full');
    if (outage === 'read-only') readiness.problems.push('the database is read-only');
    if (context.memory.isFull) readiness.problems.push('the memory of this process is short (MEMORY_MEGABYTES)');
    for (const { name, succeededAt, failure, late } of await statesOfWork(db.read, scheduleOf(modules), clock()))
      if (late)
        readiness.roles['worker']!.push(`${name} is late, last done ${succeededAt ?? 'never'}${failure === null ? '' : `: ${failure}`}`);
    readiness.roles['worker']!.push(...(await unitProblems(db.read)));
    readiness.roles['worker']!.push(...(await brokenInvariants(db.read)));
    for (const feed of await statesOfFeeds(context)) if (feed.late) (readiness.roles[feed.role] ??= []).push(feedInWords(feed));
    const missing = await Promise.all(modules.flatMap(({ notReady }) => notReady?.(context) ?? []));
    for (const { role, problem } of missing.flat()) (readiness.roles[role] ??= []).push(problem);
  } catch {
    readiness.problems.push('the database does not answer');
  }
  return readiness;
}
