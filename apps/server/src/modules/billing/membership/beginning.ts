import type { Change } from '../../../platform/database/index.ts';

/**
 * Starts billing memberships: the terms that end on this day or later. Terms that ended earlier are skipped, so that the first run of the
 * schedule suspends no one. Returns true the first time; billing starts once.
 */
export async function beginBilling(change: Change, firstEnd: string): Promise<boolean> {
  const begun = await change
    .insertInto('billingStart')
    .values({ firstEnd, begunAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('firstEnd')
    .executeTakeFirst();
  if (begun) await change.note({ firstEnd });
  return begun !== undefined;
}
