import { daysAfter, utcDay } from '@portal/contract/days';
import type { DemoRegistry } from '../../platform/demo.ts';
import { addMinutes, SHOWN_DAYS } from './service-days.ts';
import { services } from './service-list.ts';

const A_DAY = 1440;

/** Days before today with delays or outages, in minutes. */
const remarkable: readonly { daysAgo: number; service: string; late?: number; down?: number }[] = [
  { daysAgo: 68, service: 'rpki', late: 45 },
  { daysAgo: 61, service: 'portal', down: 12 },
  { daysAgo: 61, service: 'api', down: 12 },
  { daysAgo: 37, service: 'reverse-dns', late: 95 },
  { daysAgo: 20, service: 'mail', late: 130 },
  { daysAgo: 6, service: 'whois', late: 20 },
];

/** Ninety days of services that nearly always work. */
export async function addDemoLife({ db, today }: DemoRegistry): Promise<void> {
  for (let daysAgo = SHOWN_DAYS - 1; daysAgo > 0; daysAgo--) {
    const day = daysAfter(utcDay(today), -daysAgo);
    const ofDay = remarkable.filter(each => each.daysAgo === daysAgo);
    const named = new Set(ofDay.map(({ service }) => service));
    await addMinutes(db, {
      day,
      minutes: A_DAY,
      states: services.filter(({ key }) => !named.has(key)).map(({ key }) => ({ service: key, state: 'working' })),
    });
    for (const { service, late: slow = 0, down = 0 } of ofDay)
      for (const [state, minutes] of [
        ['working', A_DAY - slow - down],
        ['late', slow],
        ['down', down],
      ] as const)
        await addMinutes(db, { day, minutes, states: [{ service, state }] });
  }
}
