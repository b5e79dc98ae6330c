import { DAY_MS, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { certificateRenewalDays, manifestRenewalHours } from '@portal/contract/rpki/rpki';

/** How long before its end a certificate, and a manifest, is renewed. */
export const certificateRenewalMs = certificateRenewalDays * DAY_MS;
export const manifestRenewalMs = manifestRenewalHours * HOUR_MS;

/** Positions on a lifetime from 0 to 1: the present, and the start of the renewal period. */
export function placesOn(life: { from: string; to: string; renewMs: number }, now: number): { now: number; renewal: number } {
  const [from, to] = [Date.parse(life.from), Date.parse(life.to)];
  const place = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  return { now: place(now), renewal: place(to - life.renewMs) };
}

/** Time that is left in words: `17 months`, `23 days`, `15 hours`, `40 minutes`; null after the end. */
export function timeLeft(to: string, now: number): string | null {
  const left = Date.parse(to) - now;
  if (left <= 0) return null;
  const units: readonly (readonly [number, string])[] = [
    [30 * DAY_MS, 'month'],
    [DAY_MS, 'day'],
    [HOUR_MS, 'hour'],
    [MINUTE_MS, 'minute'],
  ];
  const [size, word] = units.find(([each]) => left >= 2 * each) ?? units[3]!;
  const count = Math.max(1, Math.floor(left / size));
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
