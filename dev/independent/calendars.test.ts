import { execFileSync, spawnSync } from 'node:child_process';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { EventValues } from '@portal/contract/events/event-shapes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEvent, publishEvent } from '../../apps/server/src/modules/events/desk-events.ts';
import { testPortal, type TestPortal } from '../../apps/server/test/portal.ts';

/** Reads a calendar from standard input: of each event its texts, and its instants both by the zones of the calendar itself and by those of the machine. */
const reader = `
import json, sys, datetime
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
zones = {str(zone['TZID']): zone.to_tz() for zone in calendar.walk('VTIMEZONE')}
utc = lambda moment: moment.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
def instants(event, name):
    written = event[name]
    return [utc(zones[written.params['TZID']].localize(written.dt.replace(tzinfo=None))), utc(written.dt)]
print(json.dumps([{
    'uid': str(event['UID']), 'title': str(event['SUMMARY']), 'description': str(event.get('DESCRIPTION', '')), 'place': str(event['LOCATION']),
    'status': str(event['STATUS']), 'zone': event['DTSTART'].params['TZID'],
    'starts': instants(event, 'DTSTART'), 'ends': instants(event, 'DTEND'), 'errors': [str(error) for error in event.errors],
} for event in calendar.walk('VEVENT')]))
`;
const python = ['/usr/bin/python3', 'python3'].find(each => spawnSync(each, ['-c', 'import icalendar']).status === 0);

type Read = {
  uid: string;
  title: string;
  description: string;
  place: string;
  status: string;
  zone: string;
  starts: string[];
  ends: string[];
};

/** Clocks that go forward and back in the north, in the south, by half an hour, west of Greenwich at half an hour, and never. */
const zones = ['Europe/Brussels', 'Pacific/Auckland', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Manila'];
const description = 'Bring a computer; lunch, coffee\\tea.\nБез опыта — 経験不要 🛰';

/** The calendars of the portal by a reader that others wrote: icalendar, for Python. */
describe(`calendars${python ? '' : ' (left out: icalendar for Python is not on this machine)'}`, () => {
  let portal: TestPortal;
  const events = new Map<string, EventValues>();
  beforeAll(async () => {
    if (!python) return;
    portal = await testPortal('postgres');
    const year = new Date().getUTCFullYear() + 1;
    const first = Date.UTC(year, 0, 10, 10, 15);
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, async change => {
      for (const [zone, timeZone] of zones.entries()) {
        // Each lasts 60 days, so that many have a change of the clocks inside.
        for (let month = 0; month < 12; month++) {
          const event = `Z${zone}-${month}`;
          const values: EventValues = {
            kind: 'workshop',
            title: `Workshop ${event}, with ${'a long title '.repeat(5)}end`,
            description,
            startsAt: instantAfter(first, month * 30 * DAY_MS),
            endsAt: instantAfter(first, (month * 30 + 60) * DAY_MS),
            timeZone,
            mode: 'onsite',
            place: 'Hall 1, Main Street; second floor',
            url: '',
            registrationOpensAt: instantAfter(first, -5 * DAY_MS),
            registrationClosesAt: instantAfter(first, 0),
            capacity: null,
            fee: '0.00',
            currency: 'USD',
            hours: 6,
          };
          events.set(event, values);
          const row = await addEvent({ change, body: { event, values } });
          await publishEvent({ change, row, body: { version: row.version } });
        }
      }
    });
  });
  afterAll(() => portal?.[Symbol.asyncDispose]());

  const read = async (name: string): Promise<Read[]> => {
    const { statusCode, rawPayload } = await portal.http.inject({ url: `/calendar/${name}.ics`, headers: { host: 'portal.test' } });
    expect(statusCode).toBe(200);
    return JSON.parse(execFileSync(python!, ['-c', reader], { input: rawPayload, maxBuffer: 10_000_000 }).toString()) as Read[];
  };
  const expected = (event: string) => {
    const { title, place, timeZone, startsAt, endsAt } = events.get(event)!;
    return {
      title,
      description,
      place,
      status: 'CONFIRMED',
      zone: timeZone,
      starts: [startsAt, startsAt],
      ends: [endsAt, endsAt],
      errors: [],
    };
  };

  test.runIf(python)(
    'every event of the feed has its words and its instants, by the zones it brings along and by those of the machine',
    async () => {
      const feed = new Map((await read('events')).map(({ uid, ...event }) => [uid.split('@')[0]!, event]));
      for (const event of events.keys()) expect(feed.get(event)).toEqual(expected(event));
    },
  );

  test.runIf(python)('a file of one event reads the same', async () => {
    for (const event of ['Z0-1', 'Z2-8'])
      expect(await read(`events/${event}`)).toEqual([{ uid: expect.any(String) as string, ...expected(event) }]);
  });
});
