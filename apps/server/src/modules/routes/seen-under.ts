import { coveringPlaces, parsePrefix, type Vrp, vrpsOfAs, type VrpIndex } from '@portal/number-resources';
import { breathing } from '../../platform/breathing.ts';
import { indexInTurns, type ValidatedAnnouncement } from '../rpki/index.ts';

/** Announcements under ROAs, as far as they say something about one. */
export type SeenUnder<V extends Vrp> = {
  /** The ROAs by their prefixes. */
  index: VrpIndex<V>;
  /** Of each ROA that allows an announcement, the longest prefix length that it allows. */
  longestOf: ReadonlyMap<V, number>;
  /** Of the ROAs of a prefix (a place of the index), the first invalid announcement inside it. */
  stoppedIn: ReadonlyMap<readonly V[], ValidatedAnnouncement>;
};

/**
 * Compares ROAs with announcements, while others have their turn: each announcement looks at the prefixes around it, 33 or 129 at most, and there only at the ROAs of its
 * AS. So the time grows with the number of ROAs plus that of announcements, and not with their product.
 */
export async function seenUnder<V extends Vrp>(roas: readonly V[], announcements: readonly ValidatedAnnouncement[]): Promise<SeenUnder<V>> {
  const breathe = breathing();
  const index = await indexInTurns(roas, breathe);
  const longestOf = new Map<V, number>();
  const stoppedIn = new Map<readonly V[], ValidatedAnnouncement>();
  for (const announcement of announcements) {
    const prefix = parsePrefix(announcement.prefix);
    const isInvalid = announcement.validity.startsWith('invalid');
    for (const place of coveringPlaces(index, prefix)) {
      if (isInvalid && !stoppedIn.has(place)) stoppedIn.set(place, announcement);
      if (announcement.asn !== 0)
        for (const roa of vrpsOfAs(index, place, announcement.asn))
          if (prefix.length <= roa.maxLength) longestOf.set(roa, Math.max(longestOf.get(roa) ?? 0, prefix.length));
    }
    await breathe();
  }
  return { index, longestOf, stoppedIn };
}
