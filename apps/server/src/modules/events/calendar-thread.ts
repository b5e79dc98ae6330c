import { portions } from '../../platform/portions.ts';
import { NoCalendar, type ReadEvent, readCalendar } from './calendar-reader.ts';

/** Yields the events of a calendar, or says why it can't be read. */
export function* read({ text, endAfter }: { text: string; endAfter: Date }): Generator<ReadEvent[], { problem: string | null }> {
  try {
    yield* portions(readCalendar(text, endAfter));
    return { problem: null };
  } catch (error) {
    if (!(error instanceof NoCalendar)) throw error;
    return { problem: error.message };
  }
}
