import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import type { seenAnnouncements } from '../routes/index.ts';

/** Invalid announcements that are named. */
const NAMED = 5;

/** Returns the invalid announcements that most peers still see, and why each is invalid. */
export const worstOf = (
  announcements: Awaited<ReturnType<typeof seenAnnouncements>>['announcements'],
): NonNullable<AccountPicture['routes']>['worst'] =>
  announcements
    .flatMap(({ prefix, asn, peers, validity }) =>
      validity === 'invalid-asn' || validity === 'invalid-length' ? [{ prefix, asn, why: validity, peers }] : [],
    )
    .toSorted((one, other) => other.peers - one.peers)
    .slice(0, NAMED);
