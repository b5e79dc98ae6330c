import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, type JsonValue, ownActivity, type Read } from './database/index.ts';
import { type Invariant, MAX_VIOLATIONS, type Violation } from './invariant.ts';
import type { Module, ModuleContext, PeriodicWork } from './module.ts';

/** All invariants, in the order of the modules. */
export const invariantsOf = (modules: readonly Module[]): Invariant[] => modules.flatMap(({ invariants }) => invariants ?? []);

/** Violations by the name of the invariant; those that hold are left out. */
export type Broken = { name: string; sentence: string; violations: Violation[] };

type Looked = Pick<ModuleContext, 'db' | 'modules' | 'profile' | 'clock' | 'config'>;
const activity = () => ownActivity('operator.verify', 'Looked the registry through');

/**
 * Holds the registry against its invariants, as of one instant and without changing anything.
 * @param accounts only what belongs to these accounts; null for everything
 */
export const checkInvariants = (context: Looked, accounts: readonly string[] | null): Promise<Broken[]> =>
  context.db.rehearse(activity(), change => brokenIn(change, context, accounts), { isolation: 'repeatable read', timeout: 0 });

async function brokenIn(
  change: Change,
  { modules, profile, clock, config }: Looked,
  accounts: readonly string[] | null,
): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const { name, sentence, check } of invariantsOf(modules)) {
    const violations = await check({ read: change, accounts, profile, secrets: config, now: clock() });
    if (violations.length > 0) broken.push({ name, sentence, violations: violations.slice(0, MAX_VIOLATIONS) });
  }
  return broken;
}

/** One violation as a sentence for an operator. */
export const violationInWords = ({ object, problem, remedy }: Violation): string => `${object} ${problem}. ${remedy}.`;

/** Notes of the daily look: how far it came, and what it found. */
type Noted = {
  /** When it looked last, and when it looked at everything. */
  lookedAt: string;
  wholeAt: string;
  /** The last activity that was there. */
  upTo: number;
  found: { name: string; count: number; first: string }[];
};
const NAME = 'platform.checkInvariants';
/** From one look at what changed to the next, and from one at everything. While there are violations, it looks at everything each hour. */
const LOOK_MS = DAY_MS;
const WHOLE_MS = 7 * DAY_MS;

/** The accounts that activities since then concern. */
async function accountsSince(db: Database, upTo: number): Promise<string[]> {
  const rows = await db.read.rows<{
    name: string;
  }>(sql`select account_name as name from activity where activity_id > ${upTo} and account_name is not null
    union select coalesce(after, before) ->> 'account_name' from row_change where activity_id > ${upTo} and coalesce(after, before) ->> 'account_name' is not null
    union select before ->> 'account_name' from row_change where activity_id > ${upTo} and before ->> 'account_name' is not null`);
  return rows.map(({ name }) => name);
}

/**
 * Looks each day at what changed since, and each week at everything; what it finds is an alarm until it is put right.
 * @param noted what the last look left behind
 */
async function lookAtInvariants(context: ModuleContext, noted: JsonValue | null): Promise<JsonValue | void> {
  const { db, clock, log } = context;
  const last = noted as Noted | null;
  const now = clock();
  const age = (instant: string): number => now.getTime() - Date.parse(instant);
  // An instant that is still to come was written by a clock that was wrong.
  const isOver = (instant: string, limit: number): boolean => age(instant) >= limit || age(instant) < 0;
  const whole = last === null || last.found.length > 0 || isOver(last.wholeAt, WHOLE_MS);
  if (!whole && !isOver(last.lookedAt, LOOK_MS)) return;
  const [end] = await db.read.rows<{ upTo: number }>(sql`select coalesce(max(activity_id), 0) as up_to from activity`);
  const broken = await checkInvariants(context, whole ? null : await accountsSince(db, last.upTo));
  for (const { name, violations } of broken)
    for (const violation of violations) log.error(`${name} does not hold: ${violationInWords(violation)}`);
  return {
    lookedAt: now.toISOString(),
    wholeAt: whole ? now.toISOString() : last.wholeAt,
    upTo: Number(end!.upTo),
    found: broken.map(({ name, violations }) => ({ name, count: violations.length, first: violationInWords(violations[0]!) })),
  } satisfies Noted;
}

export const invariantsWork: PeriodicWork = { name: NAME, every: 60, run: lookAtInvariants };

/** Reads the violations of the last look. */
export async function foundByLook(read: Pick<Read, 'rows'>): Promise<Noted['found']> {
  const [row] = await read.rows<{ noted: Noted | null }>(sql`select noted from periodic_work where name = ${NAME}`);
  return row?.noted?.found ?? [];
}

/** The same for /readyz, a sentence for each invariant that is broken. */
export const brokenInvariants = async (read: Pick<Read, 'rows'>): Promise<string[]> =>
  (await foundByLook(read)).map(
    ({ name, count, first }) =>
      `${name} is broken${count > 1 ? ` ${count}${count >= MAX_VIOLATIONS ? ' times or more' : ' times'}` : ''}: ${first}`,
  );

/** Lines for /metrics: what the last look found of each invariant. */
export async function metricsOfInvariants(read: Pick<Read, 'rows'>, modules: readonly Module[]): Promise<string[]> {
  const found = new Map((await foundByLook(read)).map(({ name, count }) => [name, count]));
  return [
    '# TYPE invariant_violations gauge',
    ...invariantsOf(modules).map(({ name }) => `invariant_violations{invariant="${name}"} ${found.get(name) ?? 0}`),
  ];
}
