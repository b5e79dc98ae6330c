import { daysBetween } from '@portal/contract/days';

/** Returns how many days an account gets: after today, and after the time that it has. */
export function moreDays({ today, until, extendedUntil }: { today: string; until: string; extendedUntil: string | null }): number {
  const from = extendedUntil !== null && extendedUntil > today ? extendedUntil : today;
  return until > from ? daysBetween(from, until) : 0;
}
