import { TextHolder } from '../platform/held-text.ts';
import { outgoingTrace } from '../platform/telemetry/spans.ts';

/** The most of a calendar that is read, in bytes. */
export const largestCalendar = 5_000_000;
const PATIENCE_MS = 15_000;

/** Bytes of a calendar, in pieces of one size that threads share. */
export type CalendarBytes = { pieces: readonly SharedArrayBuffer[]; bytes: number };

/**
 * Reads a calendar over HTTP; `webcal:` is https under another name.
 * @throws Error when it does not answer in time, refuses, or is too large
 */
export async function fetchCalendar(address: string): Promise<CalendarBytes> {
  const answer = await fetch(address.replace(/^webcal:/i, 'https:'), {
    headers: { ...outgoingTrace(), accept: 'text/calendar' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok || !answer.body) throw new Error(`The events calendar answers ${answer.status}`);
  const held = new TextHolder();
  for await (const chunk of answer.body) {
    if (held.bytes + chunk.length > largestCalendar) throw new Error(`The events calendar is larger than ${largestCalendar} bytes`);
    held.take(chunk);
  }
  return held.shared();
}
