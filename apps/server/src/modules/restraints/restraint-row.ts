import type { Restraint, RestraintKind } from '@portal/contract/restraints/restraints';
import type { StoppedBy } from '@portal/contract/restraints/stopped-calls';
import { type RawBuilder, sql } from 'kysely';
import { type Change, frequent, type Read } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { type Failure, refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';

/** A restraint with its account. */
export type RestraintRow = Omit<Restraint, 'state'> & { accountName: string; beganAt: string | null };

export const restraintRows = (where: RawBuilder<unknown>): RawBuilder<RestraintRow> => sql<RestraintRow>`
  select r.account_restraint_id::text as restraint_id, r.account_name, r.kind, r.reason, r.member_text, setter.full_name as set_by,
    second.full_name as confirmed_by, r.set_at, r.begins_at, r.began_at, r.ends_at, r.ended_at, lifter.full_name as lifted_by, r.lift_reason
  from account_restraint r join login setter on setter.login_id = r.set_by left join login second on second.login_id = r.confirmed_by
    left join login lifter on lifter.login_id = r.lifted_by where ${where}`;

/** Returns a restraint as registry staff read it at an instant. */
export function restraintAt(given: RestraintRow, now: Date): Restraint {
  const { accountName: _, beganAt, ...row } = given;
  const isOver = row.endedAt !== null || (row.endsAt !== null && Date.parse(row.endsAt) <= now.getTime());
  const state = isOver
    ? row.liftedBy === null
      ? 'over'
      : 'lifted'
    : beganAt !== null || Date.parse(row.beginsAt) <= now.getTime()
      ? 'in-force'
      : 'announced';
  return { ...row, state };
}

/** SQL: whether holdings of an account are stopped at an instant. Null for no account. */
export const holdingsStopped = (accountName: RawBuilder<unknown>, now: Date | string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from restraint_on(${accountName}, ${new Date(now).toISOString()}::timestamptz, false))`;

/** The restraint of an account at an instant. */
type InForce = { accountName: string; kind: RestraintKind; beginsAt: string; endsAt: string | null };

/** Returns the restraint in force; null without one. @param by `hold`: of either kind; `restrict`: a restriction alone */
async function restraintInForce(
  read: Pick<Read, 'rows'>,
  { accountName, by, now }: { accountName: string; by: StoppedBy; now: Date | string },
): Promise<InForce | null> {
  const [row] = await read.rows<InForce>(
    frequent(sql<InForce>`select account_name, kind, begins_at, ends_at
    from restraint_on(${accountName}, ${new Date(now).toISOString()}::timestamptz, ${by === 'restrict'})`),
  );
  return row ?? null;
}

/** Returns whether requests, transfers and other moves of an account's holdings wait now. */
export const areHoldingsStopped = async (read: Pick<Read, 'rows'>, accountName: string, now: Date | string): Promise<boolean> =>
  (await restraintInForce(read, { accountName, by: 'hold', now })) !== null;

/** An instant in words: `4 Dec 2026 at 13:00 UTC`. */
export const instantInWords = (instant: string): string => `${dayInWords(instant)} at ${instant.slice(11, 16)} UTC`;

/** Things that a restraint stops, as the subject of `stopped since`. */
const stopped: Record<RestraintKind, string> = {
  hold: 'changes of its holdings are',
  restrict: 'changes of its holdings, whois objects, routing and reverse DNS are',
};

const refusalOf = ({ accountName, kind, beginsAt, endsAt }: InForce, { supportEmail }: Pick<Profile, 'supportEmail'>): Failure =>
  refuse('ACCOUNT_RESTRAINED', {
    account: accountName,
    stopped: stopped[kind],
    since: instantInWords(beginsAt),
    until: endsAt === null ? 'until the registry lifts it' : `until ${instantInWords(endsAt)}`,
    writeTo: supportEmail,
  });

type Asked = { accountName: string; by: StoppedBy; profile: Pick<Profile, 'supportEmail'> };

/** @throws Failure ACCOUNT_RESTRAINED with what is stopped, since when, until when, and where to write */
export async function refuseRestrained(
  read: Pick<Read, 'rows'>,
  { now, profile, ...asked }: Asked & { now: Date | string },
): Promise<void> {
  const found = await restraintInForce(read, { ...asked, now });
  if (found) throw refusalOf(found, profile);
}

/**
 * Returns those of some accounts that a restriction is in force on. One that is set meanwhile waits until this change has ended.
 */
export async function restrictedAmong(change: Change, accountNames: readonly string[]): Promise<string[]> {
  // Nearly always there is none, and what is written to whois is much.
  const [open] = await change.rows(sql`select from account_restraint where kind = 'restrict' and ended_at is null limit 1`);
  if (!open || accountNames.length === 0) return [];
  await change.rows(sql`select from account where account_name = any(${[...accountNames]}::text[]) order by account_name for key share`);
  const rows = await change.rows<{ accountName: string }>(sql`select account_name from unnest(${[...accountNames]}::text[]) n (account_name)
    where exists (select from restraint_on(n.account_name, ${change.now}::timestamptz, true))`);
  return rows.map(({ accountName }) => accountName);
}

/** Like `refuseRestrained`, within a change. A restraint that is set meanwhile waits until this change has ended. @throws Failure ACCOUNT_RESTRAINED */
export async function refuseRestrainedChange(change: Change, asked: Asked): Promise<void> {
  await change.rows(sql`select from account where account_name = ${asked.accountName} for key share`);
  await refuseRestrained(change, { ...asked, now: change.now });
}
