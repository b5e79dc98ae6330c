import { type RawBuilder, sql } from 'kysely';
import type { Backlog, Module, ModuleContext } from './module.ts';

/** Declares a backlog by what waits and the column that says since when. @param from table and condition, as an index has them */
export const backlogOf = (name: string, from: RawBuilder<unknown>, since: RawBuilder<unknown>): Backlog => ({
  name,
  waiting: async read =>
    (await read.rows<{ count: number; since: string | null }>(sql`select count(*)::int as count, min(${since}) as since from ${from}`))[0]!,
});

/** Tasks of members, mails among them, until a worker begins them. */
const tasksBacklog = backlogOf('tasks', sql`task where state = 'queued'`, sql`created_at`);

/** Returns all backlogs there are. */
const backlogsOf = (modules: readonly Module[]): Backlog[] => [tasksBacklog, ...modules.flatMap(({ backlogs }) => backlogs ?? [])];

/** Returns the lines for /metrics: how much waits in each backlog, and for how long the oldest of it has. */
export async function metricsOfBacklogs({ modules, db, clock }: Pick<ModuleContext, 'modules' | 'db' | 'clock'>): Promise<string[]> {
  const states = await Promise.all(backlogsOf(modules).map(async ({ name, waiting }) => ({ name, ...(await waiting(db.read)) })));
  const now = clock().getTime();
  return [
    '# TYPE backlog gauge',
    ...states.map(({ name, count }) => `backlog{of="${name}"} ${count}`),
    '# TYPE backlog_age_seconds gauge',
    ...states.map(
      ({ name, since }) =>
        `backlog_age_seconds{of="${name}"} ${since === null ? 0 : Math.max(0, Math.round((now - Date.parse(since)) / 1000))}`,
    ),
  ];
}
