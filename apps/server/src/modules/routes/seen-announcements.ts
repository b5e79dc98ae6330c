import type { Read } from '../../platform/database/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { routingView } from '../bgp-tables/index.ts';
import { type JudgedAnnouncements, validateAnnouncements, vrpsAround, vrpsCovering } from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';

/** Returns the announcements of an account's space seen by collectors, with their validity by published ROAs, not planned ones. */
export async function seenAnnouncements(
  read: Pick<Read, 'rows' | 'stream'>,
  accountName: string,
): Promise<JudgedAnnouncements & { collectedAt: string | null }> {
  const space = spaceOf((await holdingsOf(read, [accountName])).get(accountName)!);
  const { collectedAt, announcements } = await routingView(read, accountName, space);
  // What decides about an announcement covers it. Of the two lists the shorter one is asked about: large holders announce a small part of their blocks, others many parts of one.
  const vrps =
    announcements.length < space.length
      ? await vrpsCovering(read, [...new Set(announcements.map(({ prefix }) => prefix))])
      : await vrpsAround(read, space);
  return { collectedAt, ...(await validateAnnouncements(announcements, vrps)) };
}
