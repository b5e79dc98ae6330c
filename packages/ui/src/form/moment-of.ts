import { dayOf } from '@portal/number-resources/written-day';

/** Returns the date and time that a person wrote, as `2026-11-25T14:00`; null if it is none. The day is read as `dayOf` reads one; the time is `14:00`, `14.00` or `2:00 pm`. */
export function momentOf(text: string): string | null {
  const written = /^(.+?)(?:,|T|\s)\s*(\d\d?)[:.](\d\d)\s*([ap]m)?$/i.exec(text.trim());
  const day = written && dayOf(written[1]!.replace(/,$/, ''));
  if (!day) return null;
  const [hour, minute, half] = [Number(written[2]), Number(written[3]), written[4]?.toLowerCase()];
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  const hours = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
  return `${day}T${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
