import type { Change } from '../../../platform/database/index.ts';

/**
 * Starts billing the terms that end on this day or later. Earlier terms are skipped, so that the first run suspends no one. Returns true the first
 * time; billing starts only once.
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
