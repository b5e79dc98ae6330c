import { DAY_MS } from '@portal/contract/days';
import type { PublicAnnouncement } from '../announcements/index.ts';
import { minutesByDay, type ServiceDay, SHOWN_DAYS } from './service-days.ts';
import type { ServiceState, State } from './service-states.ts';

type Told = { announcements: readonly PublicAnnouncement[] };

const isIncident = ({ category, severity }: PublicAnnouncement): boolean => category !== 'maintenance' && severity !== 'info';
const isRecent = ({ publishedAt }: PublicAnnouncement, now: Date): boolean => now.getTime() - Date.parse(publishedAt) < SHOWN_DAYS * DAY_MS;
/** It is over when its work or incident is, or where that isn’t known, when the announcement ends. */
function endOf({ expiresAt, happensUntil }: PublicAnnouncement): number | null {
  const end = happensUntil ?? expiresAt;
  return end === null ? null : Date.parse(end);
}
export const isOver = (each: PublicAnnouncement, now: Date): boolean => (endOf(each) ?? Infinity) <= now.getTime();

/** Whether it has a time, and that isn’t over. */
const isAhead = ({ happensFrom, happensUntil }: PublicAnnouncement, now: Date): boolean =>
  happensFrom !== null && Date.parse(happensUntil ?? happensFrom) > now.getTime();

/** When work begins; without a time, when it was announced. */
const beginOf = ({ happensFrom, publishedAt }: PublicAnnouncement): number => Date.parse(happensFrom ?? publishedAt);

/** Announcements of a status page: what went wrong, and what is planned, the next first and what is over last. Both leave it after ninety days, work that is ahead doesn’t. */
export const noticesIn = ({ announcements }: Told, now: Date) => {
  const work = announcements.filter(each => each.category === 'maintenance' && (isRecent(each, now) || isAhead(each, now)));
  const ahead = work.filter(each => !isOver(each, now)).toSorted((a, b) => beginOf(a) - beginOf(b));
  return {
    incidents: announcements.filter(each => isIncident(each) && isRecent(each, now)),
    planned: [...ahead, ...work.filter(each => isOver(each, now) && isRecent(each, now))],
  };
};

/** Whether it has begun and isn’t over. */
export const isUnderWay = (each: PublicAnnouncement, now: Date): boolean => beginOf(each) <= now.getTime() && !isOver(each, now);

/** The state of services that an incident names: a critical one stops them, another one disturbs them. */
const effectOf = ({ severity }: PublicAnnouncement): State => (severity === 'critical' ? 'down' : 'late');

/** Incidents that a service is in now, and work on it that isn’t over. */
export function noticesOf(service: string, told: Told, now: Date): { incidents: PublicAnnouncement[]; planned: PublicAnnouncement[] } {
  const { incidents, planned } = noticesIn(told, now);
  const isOf = ({ services }: PublicAnnouncement): boolean => services.some(name => name === service);
  return {
    incidents: incidents.filter(each => isOf(each) && isUnderWay(each, now)),
    planned: planned.filter(each => isOf(each) && !isOver(each, now)),
  };
}

const worst = (states: readonly State[]): State => (states.includes('down') ? 'down' : states.includes('late') ? 'late' : 'working');

/** Returns states in which a service is at least as bad as its open incidents say: what measures itself doesn’t see all that its readers see. */
export const statesWithIncidents = (states: readonly ServiceState[], told: Told, now: Date): ServiceState[] =>
  states.map(each => ({ ...each, state: worst([each.state, ...noticesOf(each.service, told, now).incidents.map(effectOf)]) }));

/** A day on which at least so many minutes were late or down: those that were measured otherwise count as that. */
function withMinutes({ day, working, late, down }: ServiceDay, told: { late: number; down: number }): ServiceDay {
  const moreDown = Math.max(0, told.down - down);
  const fromWorking = Math.min(working, moreDown);
  const lateLeft = late - Math.min(late, moreDown - fromWorking);
  const moreLate = Math.max(0, told.late - lateLeft);
  return {
    day,
    working: working - fromWorking - Math.min(working - fromWorking, moreLate),
    late: lateLeft + moreLate,
    down: down + moreDown,
  };
}

/** Returns days of services in which minutes of announced incidents count, measured or not. Planned work counts only as it was measured. */
export function daysWithIncidents(days: ReadonlyMap<string, readonly ServiceDay[]>, { announcements }: Told, now: Date) {
  const incidents = announcements.filter(each => isIncident(each) && beginOf(each) < now.getTime());
  const minutesOf = (some: readonly PublicAnnouncement[]) =>
    minutesByDay(
      some.map(each => ({
        since: new Date(beginOf(each)).toISOString(),
        until: new Date(Math.min(now.getTime(), endOf(each) ?? now.getTime())).toISOString(),
      })),
    );
  return new Map(
    [...days].map(([service, measured]) => {
      const own = incidents.filter(({ services }) => services.some(name => name === service));
      if (own.length === 0) return [service, measured];
      const [all, down] = [minutesOf(own), minutesOf(own.filter(each => effectOf(each) === 'down'))];
      const told = (day: string) => ({ late: (all.get(day) ?? 0) - (down.get(day) ?? 0), down: down.get(day) ?? 0 });
      return [service, measured.map(day => withMinutes(day, told(day.day)))];
    }),
  );
}
