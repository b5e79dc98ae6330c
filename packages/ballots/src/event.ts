import { printRecord } from './archive.ts';
import { hexHash } from './hash.ts';
import { type Json, parseJson, readCount, readFields, readText } from './json.ts';
import { joinBytes } from './bytes.ts';
import { Refusal, refuseUnless } from './refusal.ts';

/** Steps of an election with homomorphic questions, in their order (section 4.4). */
export const eventTypes = ['Setup', 'Ballot', 'EndBallots', 'EncryptedTally', 'PartialDecryption', 'Result'] as const;
export type EventType = (typeof eventTypes)[number];

/** An event: it refers to the one before it, and to its payload, by their hashes (section 4.4). */
export type Event = { parent: string | null; height: number; type: EventType; payload: string | null };
/** The last event of an archive, which the next one refers to. */
export type Tip = { hash: string; height: number };

/** The one text that an event has. */
const printEvent = ({ parent, height, type, payload }: Event): string =>
  JSON.stringify({ ...(parent !== null && { parent }), height, type, ...(payload !== null && { payload }) });

const MAX_HEIGHT = 100_000_000;

/** A hash in lower-case hexadecimal (section 4.2). @throws {Refusal} */
export function readHash(value: Json, what: string): string {
  const hash = readText(value, what);
  refuseUnless(/^[0-9a-f]{64}$/.test(hash), 'FORM', `${what} is no hash`);
  return hash;
}

/** Reads an event in its one form (section 4.4). @throws {Refusal} */
export function readEvent(text: string): Event {
  const what = 'The event';
  const fields = readFields(
    parseJson(text, what, { length: 1_000, depth: 1, values: 10 }),
    what,
    ['height', 'type'],
    ['parent', 'payload'],
  );
  const type = eventTypes.find(each => each === fields.type);
  if (!type) throw new Refusal('UNSUPPORTED', 'The archive has an event of another type than elections with homomorphic questions have');
  const event: Event = {
    parent: fields.parent === undefined ? null : readHash(fields.parent, 'The parent of the event'),
    height: readCount(fields.height, 'The height of the event', MAX_HEIGHT),
    type,
    payload: fields.payload === undefined ? null : readHash(fields.payload, 'The payload of the event'),
  };
  refuseUnless(printEvent(event) === text, 'FORM', 'The event is not written in its one form');
  return event;
}

/**
 * Returns the records of the next event of an archive, which are appended to it together (section 4.4).
 * @param tip the event before it; null for the first
 * @param data messages that are written before the event, of which the last is its payload
 * @param timestamp that of the header of the archive
 */
export async function appendEvent(
  tip: Tip | null,
  type: EventType,
  data: readonly string[],
  timestamp: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; tip: Tip }> {
  const payload = data.at(-1);
  const event: Event = {
    parent: tip?.hash ?? null,
    height: tip === null ? 0 : tip.height + 1,
    type,
    payload: payload === undefined ? null : await hexHash(payload),
  };
  const text = printEvent(event);
  const records = [...data.map(each => printRecord('data', each, timestamp)), printRecord('event', text, timestamp)];
  return { bytes: joinBytes(...(await Promise.all(records))), tip: { hash: await hexHash(text), height: event.height } };
}
