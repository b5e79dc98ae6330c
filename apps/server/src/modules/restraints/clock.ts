import { restraintKinds } from '@portal/contract/restraints/restraints';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { Registry } from '../../platform/registry.ts';
import { goOnWithCases, notifyWaiting } from './restrained-cases.ts';
import { notifyEnded, notifyRestrained } from './restraint-notices.ts';
import { areHoldingsStopped, type RestraintRow, restraintRows } from './restraint-row.ts';

type Given = Pick<Registry, 'modules' | 'now' | 'profile'>;

/**
 * Tells people of restraints that began or ended. What is stopped follows from the time alone: a worker that is late tells people late, and neither lengthens a restraint nor lets
 * anything through.
 */
export async function followRestraints(db: Database, given: Given): Promise<void> {
  const now = given.now.toISOString();
  const due = await db.read.rows<{ accountName: string; ends: boolean }>(sql`
    select account_name, bool_or(coalesce(ends_at <= ${now}::timestamptz, false)) as ends from account_restraint
    where ended_at is null and (ends_at <= ${now}::timestamptz or (began_at is null and begins_at <= ${now}::timestamptz))
    group by account_name order by account_name`);
  await eachAlone(
    due,
    ({ accountName }) => accountName,
    ({ accountName, ends }) =>
      db.change(
        ends
          ? ownActivity('restraints.end', 'A restraint of the account ended', accountName)
          : ownActivity('restraints.begin', 'A restraint of the account began', accountName),
        async change => {
          await change.rows(sql`select from account where account_name = ${accountName} for update`);
          await beginDue(change, accountName, given);
          const ended = await endOverdue(change, accountName, given);
          if (ended.length > 0) await change.note({ ended: ended.map(({ kind }) => restraintKinds[kind]) });
        },
      ),
  );
}

/** Notes that announced restraints of an account began, and notifies its contacts. */
async function beginDue(change: Change, accountName: string, { modules, now, profile }: Given): Promise<void> {
  const due = await change.rows(
    restraintRows(sql`r.account_name = ${accountName} and r.ended_at is null and r.began_at is null
      and r.begins_at <= ${now.toISOString()}::timestamptz and (r.ends_at is null or r.ends_at > ${now.toISOString()}::timestamptz)`),
  );
  for (const row of due) {
    await change.rows(
      sql`update account_restraint set began_at = begins_at where account_restraint_id = ${Number(row.restraintId)} and began_at is null`,
    );
    await change.note({ restraint: restraintKinds[row.kind] });
    await notifyRestrained(change, row, 'restraintInForce', profile);
    // Others were told already if a hold came first; once more does no harm.
    await notifyWaiting(change, modules, accountName);
  }
}

/** Ends the restraints of a locked account whose time is over, and lets its cases go on unless another one is in force. Returns them. */
export async function endOverdue(
  change: Change,
  accountName: string,
  { modules, now }: Pick<Given, 'modules' | 'now'>,
): Promise<readonly RestraintRow[]> {
  const over = await change.rows(
    restraintRows(
      sql`r.account_name = ${accountName} and r.ended_at is null and r.ends_at <= ${now.toISOString()}::timestamptz order by r.account_restraint_id`,
    ),
  );
  for (const row of over) {
    await change.rows(sql`update account_restraint set ended_at = ends_at where account_restraint_id = ${Number(row.restraintId)}`);
    await notifyEnded(change, row, '');
  }
  if (over.length > 0 && !(await areHoldingsStopped(change, accountName, now))) await goOnWithCases(change, modules, accountName);
  return over;
}
