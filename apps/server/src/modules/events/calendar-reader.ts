import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { offsetAt } from '../../platform/zone-offset.ts';

/** An event of a calendar that was read. Texts are cut to what the portal stores. */
export type ReadEvent = {
  uid: string;
  title: string;
  description: string;
  startsAt: string;
  endsAt: string;
  allDay: boolean;
  place: string;
  url: string;
};

type Property = { name: string; parameters: Map<string, string>; value: string };

/** Splits a calendar into its properties: unfolds lines (RFC 5545, 3.1) and separates name, parameters and value. */
function* propertiesOf(text: string): Generator<Property> {
  for (const line of text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const head = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s.exec(line);
    if (!head) continue;
    const parameters = new Map<string, string>();
    for (const [, name, value] of head[2]!.matchAll(/;([A-Za-z0-9-]+)=("[^"]*"|[^";:]*)/g))
      parameters.set(name!.toUpperCase(), value!.replaceAll('"', ''));
    yield { name: head[1]!.toUpperCase(), parameters, value: head[3]! };
  }
}

const unescaped = (text: string): string => text.replaceAll(/\\([\\;,nN])/g, (_, of: string) => (of === 'n' || of === 'N' ? '\n' : of));
const cut = (text: string, most: number): string =>
  text
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .slice(0, most)
    .toWellFormed()
    .trim();

/** Returns whether a name is a time zone, with a cache because the check is expensive. */
function zoneNames(): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const isZone = (name: string): boolean => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  };
  return name => {
    if (!known.has(name)) known.set(name, isZone(name));
    return known.get(name)!;
  };
}

/** The instant of a date or time of a calendar, in milliseconds; null if it is invalid. An unknown zone counts as UTC. */
function instantOf({ value, parameters }: Property, isZone: (name: string) => boolean): { at: number; allDay: boolean } | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value.trim());
  if (!match) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => (part === undefined ? undefined : Number(part)));
  const wall = Date.UTC(year!, month! - 1, day, hour, minute, second);
  if (Number.isNaN(wall) || new Date(wall).getUTCDate() !== day || new Date(wall).getUTCMonth() !== month! - 1) return null;
  if (match[4] === undefined) return { at: wall, allDay: true };
  const zone = parameters.get('TZID') ?? '';
  if (match[7] === 'Z' || !isZone(zone)) return { at: wall, allDay: false };
  // Twice, because the clocks may be changed between the first guess and the instant.
  const guess = wall - offsetAt(zone, wall);
  return { at: wall - offsetAt(zone, guess), allDay: false };
}

/** Milliseconds of a duration such as `PT1H30M` or `P2D`, or null. */
function durationOf(text: string): number | null {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text.trim());
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map(part => Number(part ?? 0));
  return (weeks! * 7 + days!) * DAY_MS + hours! * HOUR_MS + minutes! * MINUTE_MS + seconds! * SECOND_MS;
}

/** Thrown for text that isn't a calendar. */
export class NoCalendar extends Error {}

/** Maximum number of stored events of a calendar, the next first. */
const MAX_EVENTS = 500;

/**
 * Reads a calendar (RFC 5545): events that are not cancelled and end after an instant, the next first. Repetitions count as their first date.
 * Components that aren't events, or lack a title or a start, are skipped.
 * @throws NoCalendar
 */
export function readCalendar(text: string, endAfter: Date): ReadEvent[] {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) throw new NoCalendar('EVENTS_CALENDAR_URL answers no calendar (RFC 5545)');
  const events = new Map<string, ReadEvent>();
  const isZone = zoneNames();
  let open: Map<string, Property> | null = null;
  let depth = 0;
  for (const property of propertiesOf(text)) {
    const { name, value } = property;
    if (name === 'BEGIN' && value.toUpperCase() === 'VEVENT') [open, depth] = [new Map(), 0];
    else if (open && name === 'BEGIN') depth += 1;
    else if (open && name === 'END' && value.toUpperCase() === 'VEVENT') {
      const event = eventOf(open, isZone);
      if (event && Date.parse(event.endsAt) > endAfter.getTime() && !events.has(event.uid)) events.set(event.uid, event);
      open = null;
    } else if (open && name === 'END') depth -= 1;
    else if (open && depth === 0 && !open.has(name)) open.set(name, property);
  }
  return [...events.values()].sort((a, b) => a.startsAt.localeCompare(b.startsAt)).slice(0, MAX_EVENTS);
}

function eventOf(properties: ReadonlyMap<string, Property>, isZone: (name: string) => boolean): ReadEvent | null {
  const textOf = (name: string, most: number): string => cut(unescaped(properties.get(name)?.value ?? ''), most);
  const begins = properties.get('DTSTART');
  const start = begins ? instantOf(begins, isZone) : null;
  const title = textOf('SUMMARY', 200).replaceAll('\n', ' ');
  if (!start || title === '' || textOf('STATUS', 20).toUpperCase() === 'CANCELLED') return null;
  const ends = properties.get('DTEND');
  const duration = durationOf(properties.get('DURATION')?.value ?? '');
  const end = (ends && instantOf(ends, isZone)?.at) ?? start.at + (duration ?? (start.allDay ? DAY_MS : 0));
  const address = textOf('URL', 500);
  return {
    uid: textOf('UID', 300) || `${start.at} ${title}`.slice(0, 300),
    title,
    description: textOf('DESCRIPTION', 4000),
    startsAt: new Date(start.at).toISOString(),
    endsAt: new Date(Math.max(start.at, end)).toISOString(),
    allDay: start.allDay,
    place: textOf('LOCATION', 200).replaceAll('\n', ', '),
    url: /^https?:\/\//i.test(address) && URL.canParse(address) ? address : '',
  };
}
