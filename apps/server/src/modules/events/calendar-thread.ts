import { NoCalendar, type ReadEvent, readCalendar } from './calendar-reader.ts';

/** Reads a calendar, or says why it can't be read. */
export function read({ text, endAfter }: { text: string; endAfter: Date }): { events: ReadEvent[] } | { problem: string } {
  try {
    return { events: readCalendar(text, endAfter) };
  } catch (error) {
    if (!(error instanceof NoCalendar)) throw error;
    return { problem: error.message };
  }
}
