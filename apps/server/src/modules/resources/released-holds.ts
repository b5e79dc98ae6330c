import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

const noticeDays = 90;

/** Delegations of an account whose hold ends within 90 days, after which they can be transferred. At most five, soonest first. */
export function holdsReleasedSoon(read: Read, accountName: string, now: Date): Promise<{ resource: string; holdUntil: string }[]> {
  const today = utcDay(now);
  return read.rows(sql`
    select resource, hold_until from delegation
    where account_name = ${accountName} and status <> 'closed' and hold_until between ${today}::date and ${today}::date + ${noticeDays}::int
    order by hold_until, first limit 5`);
}
