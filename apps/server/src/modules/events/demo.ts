import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { EventValues } from '@portal/contract/events/event-shapes';
import type { DemoRegistry } from '../../platform/demo.ts';
import { addEvent, publishEvent } from './desk-events.ts';

/** The last conference, which demo people attended, the next one, and a webinar. Their attendance lists came with the elections. */
export async function addDemo({ change: changeDemo, today }: DemoRegistry): Promise<void> {
  const midnight = Math.floor(today.getTime() / DAY_MS) * DAY_MS;
  const at = (day: number, hour: number): string => new Date(midnight + day * DAY_MS + hour * HOUR_MS).toISOString();
  const conference = (title: string, day: number, values: Partial<EventValues>): EventValues => ({
    kind: 'conference',
    title,
    description: 'Tutorials on the first two days, then talks, special interest groups and the meeting of members.',
    startsAt: at(day, 1),
    endsAt: at(day + 4, 9),
    timeZone: 'Asia/Manila',
    mode: 'hybrid',
    place: 'Example Convention Centre, Manila',
    url: `https://www.registry.example/events/${day}`,
    registrationOpensAt: at(day - 90, 4),
    registrationClosesAt: at(day + 2, 9),
    capacity: 450,
    fee: '75.00',
    currency: 'USD',
    hours: 24,
    ...values,
  });
  const events: [string, EventValues][] = [
    ['CONF-62', conference('Example Conference 62', -132, { timeZone: 'Asia/Dhaka', place: 'Example Hall, Dhaka', url: '' })],
    ['CONF-63', conference('Example Conference 63', 50, { url: 'https://www.registry.example/events/conf-63' })],
    [
      'ROV-WEBINAR',
      {
        ...conference('Route origin validation in one hour', 12, {}),
        kind: 'webinar',
        description: 'From the first ROA to dropping invalid announcements, with time for questions.',
        endsAt: at(12, 2),
        timeZone: 'Australia/Brisbane',
        mode: 'online',
        place: '',
        url: '',
        registrationOpensAt: at(-20, 4),
        registrationClosesAt: at(12, 1),
        capacity: null,
        fee: '0',
        hours: 1,
      },
    ],
  ];
  await changeDemo({ action: 'demo.events', summary: 'Published the demo events' }, async change => {
    for (const [event, values] of events) {
      const row = await addEvent({ change, body: { event, values } });
      await publishEvent({ change, row, body: { version: row.version } });
    }
  });
}
