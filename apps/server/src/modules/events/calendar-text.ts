import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { offsetAt } from '../../platform/zone-offset.ts';

/** A calendar event (RFC 5545). Times are instants; `timeZone` is the IANA name of the zone they are written in. */
export type CalendarEvent = {
  uid: string;
  title: string;
  description: string;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  place: string;
  url: string;
  cancelled: boolean;
  /** Incremented by every change, so that calendars use the newer text. */
  sequence: number;
};

/** Text of a property (RFC 5545, 3.3.11). */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll(/\r\n|\r|\n/g, '\\n');

const encoder = new TextEncoder();

/** Folds a line to at most 75 octets, never inside of a character (RFC 5545, 3.1). */
export function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    // A continued line begins with a space, which counts.
    if (octets + size > (parts.length === 0 ? 75 : 74)) {
      parts.push(part);
      part = '';
      octets = 0;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n ');
}

const compact = (instant: number): string => `${new Date(instant).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}`;

/** The same as calendars write it: `+1000`, `-0330`. */
function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / MINUTE_MS));
  return `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;
}

/** The instants within a span at which the clocks of a zone are changed. */
function changesOf(timeZone: string, from: number, to: number): { at: number; before: number; after: number }[] {
  const changes: { at: number; before: number; after: number }[] = [];
  for (let start = from; start < to; start += 7 * DAY_MS) {
    let [low, high] = [start, Math.min(start + 7 * DAY_MS, to)];
    const [before, after] = [offsetAt(timeZone, low), offsetAt(timeZone, high)];
    if (before === after) continue;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offsetAt(timeZone, middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
  }
  return changes;
}

/**
 * A zone as calendars need it beside local times (RFC 5545, 3.6.5): how far its clocks are from UTC from a year before the first event on, with each
 * change of the clocks until a year after the last.
 */
function zoneLines(timeZone: string, from: number, to: number): string[] {
  const first = offsetAt(timeZone, from);
  const part = (name: string, at: number, before: number, after: number): string[] => [
    `BEGIN:${name}`,
    // The moment as the clocks showed it before they were changed.
    `DTSTART:${compact(at + before)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${name}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...part('STANDARD', from, first, first),
    ...changesOf(timeZone, from, to).flatMap(({ at, before, after }) => part(after > before ? 'DAYLIGHT' : 'STANDARD', at, before, after)),
    'END:VTIMEZONE',
  ];
}

/**
 * A calendar of events (RFC 5545) with the zones its times are written in. Lines end with CR LF and are folded.
 * @param stamp when it was made, an ISO instant
 */
export function calendarText(
  events: readonly CalendarEvent[],
  { name, product, stamp }: { name: string; product: string; stamp: string },
): string {
  const zones = new Map<string, [number, number]>();
  for (const { timeZone, startsAt, endsAt } of events) {
    const [from, to] = zones.get(timeZone) ?? [Infinity, -Infinity];
    zones.set(timeZone, [Math.min(from, Date.parse(startsAt)), Math.max(to, Date.parse(endsAt))]);
  }
  const local = (instant: string, timeZone: string): string => compact(Date.parse(instant) + offsetAt(timeZone, Date.parse(instant)));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(product)}//Events//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...[...zones].flatMap(([timeZone, [from, to]]) => zoneLines(timeZone, from - 365 * DAY_MS, to + 365 * DAY_MS)),
    ...events.flatMap(({ uid, title, description, startsAt, endsAt, timeZone, place, url, cancelled, sequence }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(uid)}`,
      `DTSTAMP:${compact(Date.parse(stamp))}Z`,
      `SEQUENCE:${sequence}`,
      `DTSTART;TZID=${timeZone}:${local(startsAt, timeZone)}`,
      `DTEND;TZID=${timeZone}:${local(endsAt, timeZone)}`,
      `SUMMARY:${escaped(title)}`,
      ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
      ...(place === '' ? [] : [`LOCATION:${escaped(place)}`]),
      ...(url === '' ? [] : [`URL:${url}`]),
      `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map(line => `${folded(line)}\r\n`).join('');
}
