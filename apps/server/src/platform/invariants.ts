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
 * Checks all invariants on a snapshot, without changing anything.
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
    const violations = await check({ read: change, accounts, profile, modules, secrets: config, now: clock() });
    if (violations.length > 0) broken.push({ name, sentence, violations: violations.slice(0, MAX_VIOLATIONS) });
  }
  return broken;
}

/** One violation as a sentence for an operator. */
export const violationInWords = ({ object, problem, remedy }: Violation): string => `${object} ${problem}. ${remedy}.`;

/** State of the daily check: how far it got, and what it found. */
type Noted = {
  /** When it last ran, and when it last checked everything. */
  lookedAt: string;
  wholeAt: string;
  /** The last activity at that time. */
  upTo: number;
  found: { name: string; count: number; first: string }[];
};
const NAME = 'platform.checkInvariants';
/** Intervals of checks of changes, and of everything. While there are violations, everything is checked every hour. */
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
 * Checks each day what changed, and each week everything; a violation is an alarm until it is fixed. @param noted state of the previous check
 */
async function lookAtInvariants(context: ModuleContext, noted: JsonValue | null): Promise<JsonValue | void> {
  const { db, clock, log } = context;
  const last = noted as Noted | null;
  const now = clock();
  const age = (instant: string): number => now.getTime() - Date.parse(instant);
  // An instant in the future was written while the clock was wrong.
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

/** Reads the violations of the last check. */
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

/** Lines for /metrics: the violations of each invariant in the last check. */
export async function metricsOfInvariants(read: Pick<Read, 'rows'>, modules: readonly Module[]): Promise<string[]> {
  const found = new Map((await foundByLook(read)).map(({ name, count }) => [name, count]));
  return [
    '# TYPE invariant_violations gauge',
    ...invariantsOf(modules).map(({ name }) => `invariant_violations{invariant="${name}"} ${found.get(name) ?? 0}`),
  ];
}
