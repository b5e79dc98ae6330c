import type { Read } from '../../platform/database/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { routingView } from '../bgp-tables/index.ts';
import { type JudgedAnnouncements, validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';

/** Returns the announcements of an account's space seen by collectors, with their validity by published ROAs, not planned ones. */
export async function seenAnnouncements(
  read: Pick<Read, 'rows' | 'stream'>,
  accountName: string,
): Promise<JudgedAnnouncements & { collectedAt: string | null }> {
  const space = spaceOf((await holdingsOf(read, [accountName])).get(accountName)!);
  const { collectedAt, announcements } = await routingView(read, accountName, space);
  return {
    collectedAt,
    ...(await validateAnnouncements(announcements, announcements.length === 0 ? [] : await vrpsAround(read, space))),
  };
}
