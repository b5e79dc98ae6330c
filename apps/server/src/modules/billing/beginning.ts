import type { Change } from '../../platform/database/index.ts';

/**
 * Begins to bill memberships: the terms that end on this day or later. Those that ended before are left alone, however long ago, so that the first run of the
 * clock suspends nobody. Answers whether it was not begun before; it begins once.
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
