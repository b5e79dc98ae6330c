import { HOUR_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCalendar } from './calendar-reader.ts';
import { type CalendarEvent, calendarText, folded } from './calendar-text.ts';

const event = (given: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: 'CONF-63@portal.example',
  title: 'Conference; with, marks\\ and\nlines',
  description: '',
  startsAt: '2027-03-27T22:30:00.000Z',
  endsAt: '2027-03-28T09:00:00.000Z',
  timeZone: 'Europe/Brussels',
  place: 'Brussels',
  url: 'https://www.registry.example/a?b=c;d',
  cancelled: false,
  sequence: 3,
  ...given,
});
const made = { name: 'Events', product: 'MyRegistry', stamp: '2026-11-22T00:00:00.000Z' };
const long = new Date('2020-01-01T00:00:00Z');

describe('calendars as text (RFC 5545)', () => {
  test('an event is written in the zone of its venue, with the changes of its clocks', () => {
    const text = calendarText([event()], made);
    // Clocks go forward between the two: +01:00 and +02:00.
    expect(text).toContain('DTSTART;TZID=Europe/Brussels:20270327T233000\r\n');
    expect(text).toContain('DTEND;TZID=Europe/Brussels:20270328T110000\r\n');
    expect(text).toContain('BEGIN:DAYLIGHT\r\nDTSTART:20270328T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n');
    expect(text).toContain('BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n');
    expect(text).toContain('SUMMARY:Conference\\; with\\, marks\\\\ and\\nlines\r\n');
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  });

  test('no line is longer than 75 octets, and no character is split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), words => {
        const line = `SUMMARY:${words.replaceAll(/[\r\n]/g, '')}`;
        const parts = folded(line).split('\r\n');
        for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
        expect(parts.map((part, place) => (place === 0 ? part : part.slice(1))).join('')).toBe(line);
      }),
    );
  });

  test('a written calendar is read back unchanged', () => {
    const words = fc.string({ maxLength: 150 }).map(text => `x${text.replaceAll(/\p{Cc}/gu, '')}x`);
    const zone = fc.constantFrom('Asia/Manila', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Auckland', 'UTC');
    const start = fc
      .integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') })
      .map(ms => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
    fc.assert(
      fc.property(words, words, zone, start, (title, description, timeZone, at) => {
        const startsAt = new Date(at).toISOString();
        const endsAt = instantAfter(at, 1.5 * HOUR_MS);
        const [read] = readCalendar(calendarText([event({ title, description, timeZone, startsAt, endsAt })], made), long);
        expect({ title: read!.title, description: read!.description, url: read!.url }).toEqual({ title, description, url: event().url });
        // Where clocks are turned back a local time means two instants; the first one is read.
        expect([at, at - HOUR_MS, at - HOUR_MS / 2]).toContain(Date.parse(read!.startsAt));
      }),
      { numRuns: 60 },
    );
  });
});

describe('calendars that are read', () => {
  const calendar = (...lines: string[]) =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  test('days, durations, folded lines, parameters in quotes and alarms are understood', () => {
    expect(readCalendar(calendar('DTSTART;VALUE=DATE:20270301', 'SUMMARY;LANGUAGE="en":Two', ' days', 'DURATION:P2D'), long)).toMatchObject(
      [{ title: 'Twodays', allDay: true, startsAt: '2027-03-01T00:00:00.000Z', endsAt: '2027-03-03T00:00:00.000Z' }],
    );
    const [zoned] = readCalendar(
      calendar('DTSTART;TZID=Asia/Manila:20270301T090000', 'SUMMARY:Talk', 'BEGIN:VALARM', 'SUMMARY:Alarm', 'END:VALARM'),
      long,
    );
    expect(zoned).toMatchObject({ title: 'Talk', startsAt: '2027-03-01T01:00:00.000Z' });
  });
  test('a non-web address, a cancelled event, and one without a start are skipped', () => {
    expect(readCalendar(calendar('DTSTART:20270301T000000Z', 'SUMMARY:A', 'URL:javascript:alert(1)'), long)[0]!.url).toBe('');
    expect(readCalendar(calendar('DTSTART:20270301T000000Z', 'SUMMARY:A', 'STATUS:CANCELLED'), long)).toEqual([]);
    expect(readCalendar(calendar('DTSTART:20271301T000000Z', 'SUMMARY:A'), long)).toEqual([]);
    expect(readCalendar(calendar('SUMMARY:A'), long)).toEqual([]);
    expect(() => readCalendar('<html></html>', long)).toThrow('no calendar');
  });
});
