import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database, Read } from './database/index.ts';
import type { Log } from './log.ts';

/** A piece of work from a queue, which hands it out again if its process ended before it was done. */
export type WorkUnit = {
  /** Its queue: `task`, `periodic`. */
  queue: string;
  /** Its identifier in the queue. */
  unit: string;
  /** Its name for operators. */
  title: string;
  accountName: string | null;
};

/** How many processes a unit may crash before it is set aside. */
const MAX_ENDED_PROCESSES = 2;
/** How long, in ms, a unit may run without progress before `/readyz` reports it. */
const STUCK_MS = 20 * MINUTE_MS;

/** The name of this process, stored with its units. */
const ownProcess = randomUUID();

/** Thrown if a unit is not started because it crashed its process twice. People look at it; it must not be retried automatically. */
export class SetAside extends Error {
  constructor({ title }: WorkUnit) {
    super(`${title} was set aside, because it ended the process that was at work on it twice.`);
  }
}

/** The units or the request running in this async context, so that unhandled exceptions can be traced back to it. A request has no unit. */
type AtWork = { units: readonly WorkUnit[]; fail: (error: Error) => void };
const atWork = new AsyncLocalStorage<AtWork>();

/** Units of a queue that crashed a process run one at a time: the next crash is then not blamed on others running beside them. */
const suspects = new Map<string, Promise<unknown>>();
/** How long, in ms, one of them runs before the next one begins beside it: one that hangs must not hold up its queue. */
const ALONE_MS = 5 * MINUTE_MS;

type Options = { db: Pick<Database, 'unrecorded'>; log: Log; aloneMs?: number };

/**
 * Runs a unit of work with a mark in the database while it runs. If the mark is still there when the unit is started again, its process ended,
 * perhaps because of the unit. The second time the unit is set aside, unless it made progress in between (`unitProgressed`). An unhandled exception
 * fails the unit and not the process. @param db where the mark is @param aloneMs how long, in ms, a unit whose process ended runs before the next such one of its queue
 * begins
 * @throws {SetAside} where it was set aside; whatever the work throws
 */
export async function doUnit<T>({ db, log, aloneMs = ALONE_MS }: Options, unit: WorkUnit, work: () => Promise<T>): Promise<T> {
  const [{ ended, isSetAside }] = await begin(db, [unit]);
  if (isSetAside) {
    log.error('work was set aside: it ended its process twice', unit);
    throw new SetAside(unit);
  }
  if (ended === 0) return await run({ db, log }, [unit], work);
  log.warn('work is begun again alone: its process ended', unit);
  return await alone(unit, aloneMs, () => run({ db, log }, [unit], work));
}

/**
 * Runs units of one queue together, such as messages that one publication answers. One whose process ended is run before the others and without them,
 * so that a second end is blamed on it alone. Units that are set aside are left out. @param work gets the units of this time; the rest is still in its
 * queue @throws whatever the work throws
 */
export async function doUnits<Unit extends WorkUnit, T>(
  { db, log, aloneMs = ALONE_MS }: Options,
  units: readonly Unit[],
  work: (units: readonly Unit[]) => Promise<T>,
): Promise<T> {
  const marked = await marksOf(db, units);
  for (const unit of units.filter(({ unit }) => marked.get(unit) === 'suspect')) {
    const [{ isSetAside }] = await begin(db, [unit]);
    if (isSetAside) log.error('work was set aside: it ended its process twice', unit);
    else {
      log.warn('work is begun again alone: its process ended', unit);
      return await alone(unit, aloneMs, () => run({ db, log }, [unit], () => work([unit])));
    }
  }
  const usual = units.filter(({ unit }) => !marked.has(unit));
  if (usual.length === 0) return await work([]);
  await begin(db, usual);
  return await run({ db, log }, usual, () => work(usual));
}

/** Which of the units of one queue have ended a process, and which are set aside. */
async function marksOf({ unrecorded }: Options['db'], units: readonly WorkUnit[]): Promise<Map<string, 'suspect' | 'set aside'>> {
  if (units.length === 0) return new Map();
  const { rows } = await sql<{ unit: string; isSetAside: boolean }>`select unit, set_aside_at is not null as is_set_aside from work_unit
    where queue = ${units[0]!.queue} and unit = any(${units.map(({ unit }) => unit)}::text[])
      and (set_aside_at is not null or begun_at is not null or ended_processes > 0)`.execute(unrecorded);
  return new Map(rows.map(({ unit, isSetAside }) => [unit, isSetAside ? 'set aside' : 'suspect']));
}

/** Runs a suspect once those of its queue before it are done, or have run for `aloneMs`. */
async function alone<T>({ queue }: WorkUnit, aloneMs: number, work: () => Promise<T>): Promise<T> {
  const ownTurn = suspects.get(queue) ?? Promise.resolve();
  const { promise: isOver, resolve: giveTurn } = Promise.withResolvers<void>();
  suspects.set(queue, isOver);
  await ownTurn;
  const patience = setTimeout(giveTurn, aloneMs).unref();
  try {
    return await work();
  } finally {
    clearTimeout(patience);
    giveTurn();
  }
}

type Begun = { ended: number; isSetAside: boolean };

/** Marks units as begun. Returns how many processes each has ended, in their order. */
async function begin({ unrecorded }: Options['db'], units: readonly WorkUnit[]): Promise<[Begun, ...Begun[]]> {
  const { rows } = await sql<Begun & { unit: string }>`
    insert into work_unit as known (queue, unit, title, account_name, begun_at, progressed_at, process)
    select queue, unit, title, account_name, now(), now(), ${ownProcess}
    from unnest(${units.map(({ queue }) => queue)}::text[], ${units.map(({ unit }) => unit)}::text[], ${units.map(({ title }) => title)}::text[],
      ${units.map(({ accountName }) => accountName)}::text[]) as given (queue, unit, title, account_name)
    on conflict (queue, unit) do update set title = excluded.title,
      ended_processes = known.ended_processes + (known.begun_at is not null)::int,
      set_aside_at = coalesce(known.set_aside_at,
        case when known.ended_processes + (known.begun_at is not null)::int >= ${MAX_ENDED_PROCESSES} then now() end),
      begun_at = case when known.set_aside_at is null and known.ended_processes + (known.begun_at is not null)::int < ${MAX_ENDED_PROCESSES} then now() end,
      progressed_at = now(), process = excluded.process
    returning unit, ended_processes as ended, set_aside_at is not null as is_set_aside`.execute(unrecorded);
  const found = new Map(rows.map(row => [row.unit, row]));
  const [first, ...others] = units.map(({ unit }) => found.get(unit)!);
  return [first!, ...others];
}

async function run<T>({ db, log }: Options, units: readonly WorkUnit[], work: () => Promise<T>): Promise<T> {
  const own = sql`queue = ${units[0]!.queue} and unit = any(${units.map(({ unit }) => unit)}::text[])`;
  let sign: string | null = null;
  const ended = Promise.withResolvers<never>();
  // `doUnit` throws it.
  ended.promise.catch(() => {});
  const fail = (error: Error): void => {
    sign = error.message;
    ended.reject(error);
  };
  try {
    const answer = await Promise.race([atWork.run({ units, fail }, work), ended.promise]);
    await sql`delete from work_unit where ${own}`.execute(db.unrecorded);
    return answer;
  } catch (error) {
    // An ordinary failure doesn't endanger the process. An exception that would have ended it counts as if it had.
    const isDangerous = sign !== null;
    const ending = isDangerous
      ? sql`update work_unit set begun_at = null, ended_processes = ended_processes + 1, sign = ${sign},
          set_aside_at = case when ended_processes + 1 >= ${MAX_ENDED_PROCESSES} then now() end where ${own}`
      : sql`delete from work_unit where ${own}`;
    await ending
      .execute(db.unrecorded)
      .catch((problem: unknown) => log.error('the mark of work could not be taken away', { error: problem }));
    throw error;
  }
}

/** Makes an unhandled exception fail what `work` starts, such as a request, and not the process. */
export const failingAlone = <T>(fail: (error: Error) => void, work: () => T): T => atWork.run({ units: [], fail }, work);

/**
 * Runs a round of work that begins again without end, such as publishing: an unhandled exception from what it starts fails the round, so that the next
 * one begins. It is never set aside, because nothing else would do the work.
 */
export async function doRound<T>(work: () => Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>();
  // The race throws it, unless the work ended before.
  ended.promise.catch(() => {});
  return Promise.race([failingAlone(ended.reject, work), ended.promise]);
}

/** Fails the unit of work or request that an unhandled exception came from. False if it came from neither. */
export function failAtWork(error: Error): boolean {
  const at = atWork.getStore();
  at?.fail(error);
  return at !== undefined;
}

/** Records that the running unit made progress: it is past what crashed a process earlier. */
export async function unitProgressed({ unrecorded }: Pick<Database, 'unrecorded'>): Promise<void> {
  for (const { queue, unit } of atWork.getStore()?.units ?? [])
    await sql`update work_unit set ended_processes = 0, progressed_at = now() where queue = ${queue} and unit = ${unit}`.execute(
      unrecorded,
    );
}

/** Removes the marks of this process when it ends with unfinished work: the work is started again without blame. */
export async function takeMarksAway({ unrecorded }: Pick<Database, 'unrecorded'>): Promise<void> {
  await sql`update work_unit set begun_at = null where process = ${ownProcess} and begun_at is not null`.execute(unrecorded);
}

/** A unit that was set aside. Instants are ISO 8601. */
export type SetAsideUnit = WorkUnit & { setAsideAt: string; endedProcesses: number; sign: string | null };

/** Returns the units of a queue that were set aside, by their identifier. */
export const setAsideOf = async (read: Pick<Read, 'rows'>, queue: string): Promise<string[]> =>
  (await read.rows<{ unit: string }>(sql`select unit from work_unit where queue = ${queue} and set_aside_at is not null`)).map(
    ({ unit }) => unit,
  );

/** Returns the units that were set aside, oldest first. */
export const setAsideUnits = (read: Pick<Read, 'rows'>): Promise<SetAsideUnit[]> =>
  read.rows<SetAsideUnit>(sql`select queue, unit, title, account_name, set_aside_at, ended_processes, sign from work_unit
    where set_aside_at is not null order by set_aside_at, queue, unit`);

/** Removes a unit from those set aside, to be retried or dropped. Returns it, or null if someone else did so first. */
export async function takeSetAside(
  change: Pick<Read, 'rows'>,
  { queue, unit }: Pick<WorkUnit, 'queue' | 'unit'>,
): Promise<WorkUnit | null> {
  const [taken] =
    await change.rows<WorkUnit>(sql`delete from work_unit where queue = ${queue} and unit = ${unit} and set_aside_at is not null
    returning queue, unit, title, account_name`);
  return taken ?? null;
}

/** Returns a sentence for each unit that was set aside, and for each that has run long without progress, for `/readyz`. */
export async function unitProblems(read: Pick<Read, 'rows'>): Promise<string[]> {
  const rows = await read.rows<{ title: string; queue: string; unit: string; setAsideAt: string | null; progressedAt: string | null }>(sql`
    select title, queue, unit, set_aside_at, progressed_at from work_unit
    where set_aside_at is not null or (begun_at is not null and progressed_at < now() - make_interval(secs => ${STUCK_MS / 1000}))
    order by queue, unit limit 50`);
  return rows.map(({ title, queue, unit, setAsideAt, progressedAt }) =>
    setAsideAt === null
      ? `${title} (${queue} ${unit}) has been at work since ${progressedAt} without getting further`
      : `${title} (${queue} ${unit}) was set aside at ${setAsideAt}, because it ended its process twice: look at it at the desk`,
  );
}
