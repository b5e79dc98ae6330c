import { daysAfter, utcDay } from '@portal/contract/days';
import type { Profile } from '../../../profile.ts';

/** Steps that the policy has taken with a server that doesn't answer. */
export type LameRow = { since: string; notifiedAt: string | null; disabledAt: string | null };

/**
 * The days (UTC) of the policy for a server that goes on not answering: its contacts are notified `lameDetectDays` after the first failed check, and it is
 * left out of the parent zone `lameNotifyDays` after that; null where the registry leaves no server out.
 */
export function lameDays(
  { since, notifiedAt }: LameRow,
  { lameDetectDays, lameNotifyDays, lameDisables }: Pick<Profile, 'lameDetectDays' | 'lameNotifyDays' | 'lameDisables'>,
): { notifyOn: string; removeOn: string | null } {
  const notifyOn = notifiedAt ? utcDay(notifiedAt) : daysAfter(utcDay(since), lameDetectDays);
  return { notifyOn, removeOn: lameDisables ? daysAfter(notifyOn, lameNotifyDays) : null };
}
