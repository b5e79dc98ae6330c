import { joined } from '../../platform/held-text.ts';
import { portionsOfJson } from '../../platform/portions.ts';
import { NoCalendar, readCalendar } from './calendar-reader.ts';

/** Bytes of a calendar, and the instant after which its events end. */
type Given = { pieces: readonly SharedArrayBuffer[]; bytes: number; endAfter: Date };

/** Yields the events of a calendar, each portion as JSON of `ReadEvent`, which the database takes apart; returns how many they are, or why it can't be read. */
export function* read({ pieces, bytes, endAfter }: Given): Generator<string, { count: number; problem: string | null }> {
  try {
    const events = readCalendar(joined(pieces, bytes).toString('utf8'), endAfter);
    for (const portion of portionsOfJson(events)) yield JSON.stringify(portion);
    return { count: events.length, problem: null };
  } catch (error) {
    if (!(error instanceof NoCalendar)) throw error;
    return { count: 0, problem: error.message };
  }
}
