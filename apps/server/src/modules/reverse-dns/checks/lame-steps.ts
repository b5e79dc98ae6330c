import { daysAfter, utcDay } from '@portal/contract/days';
import type { Profile } from '../../../profile.ts';

/** Steps that the policy has taken with a server that doesn't answer. */
export type LameRow = { since: string; notifiedAt: string | null; disabledAt: string | null };

/**
 * The days (UTC) of the policy for a server that goes on not answering: its contacts are notified `lameDetectDays` after the first failed check, and it is
 * left out of the parent zone `lameNotifyDays` after that; null where the registry leaves no server out. A step that is overdue comes today.
 */
export function lameDays(
  { since, notifiedAt, disabledAt }: LameRow,
  { lameDetectDays, lameNotifyDays, lameDisables }: Pick<Profile, 'lameDetectDays' | 'lameNotifyDays' | 'lameDisables'>,
  now: Date,
): { notifyOn: string; removeOn: string | null } {
  const today = utcDay(now);
  const fromToday = (day: string): string => (day < today ? today : day);
  const notifyOn = notifiedAt ? utcDay(notifiedAt) : fromToday(daysAfter(utcDay(since), lameDetectDays));
  const removeOn = disabledAt ? utcDay(disabledAt) : fromToday(daysAfter(notifyOn, lameNotifyDays));
  return { notifyOn, removeOn: lameDisables ? removeOn : null };
}
