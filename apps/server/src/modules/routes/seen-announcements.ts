import type { Read } from '../../platform/database/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { routingView } from '../bgp-tables/index.ts';
import { type ValidatedAnnouncement, validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';

/** Returns the announcements of an account's space seen by collectors, with their validity by published ROAs, not planned ones. */
export async function seenAnnouncements(
  read: Pick<Read, 'rows'>,
  accountName: string,
): Promise<{ collectedAt: string | null; announcements: ValidatedAnnouncement[] }> {
  const space = spaceOf((await holdingsOf(read, [accountName])).get(accountName)!);
  const { collectedAt, announcements } = await routingView(read, accountName, space);
  return {
    collectedAt,
    announcements: announcements.length === 0 ? [] : validateAnnouncements(announcements, await vrpsAround(read, space)),
  };
}
