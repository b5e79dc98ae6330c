import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { lockEvent } from './event-row.ts';
import { notifyRegistrant } from './registrations.ts';
import { eventsTexts } from './mail-texts.ts';

/** Reminders before an event: how many days before, and the count of reminders after each. */
const reminders = [
  { days: 7, reminded: 1, key: 'nextWeek' },
  { days: 1, reminded: 2, key: 'tomorrow' },
] as const;

/** Reminds people a week and a day before an event they are registered for. A person who registers later gets no missed reminders. */
export async function remindOfEvents(db: Database, now: Date): Promise<void> {
  await eachAlone(
    reminders,
    ({ days }) => `reminder ${days} days before`,
    async ({ days, reminded, key }) => {
      const soon = instantAfter(now.getTime(), days * DAY_MS);
      const due = await db.read.rows<{ event: string; title: string }>(sql`
      select distinct e.event, e.title from event e join event_registration r using (event)
      where e.state = 'published' and r.state = 'registered' and r.reminded < ${reminded} and e.starts_at > ${now.toISOString()}::timestamptz
        and e.starts_at <= ${soon}::timestamptz limit 50`);
      await eachAlone(
        due,
        ({ event }) => `event ${event}`,
        ({ event }) =>
          db.change(ownActivity('events.remind', 'Reminded people of an event'), async change => {
            const row = await lockEvent(change, event);
            const people = await change.rows<{ loginId: string; fullName: string; email: string; registeredAt: string }>(sql`
          update event_registration set reminded = ${reminded} where event = ${event} and state = 'registered' and reminded < ${reminded}
          returning login_id, full_name, email, registered_at`);
            const starts = Date.parse(row.startsAt) - days * DAY_MS;
            const known = people.filter(({ registeredAt }) => Date.parse(registeredAt) < starts);
            const at = new Intl.DateTimeFormat('en-GB', {
              timeZone: row.timeZone,
              dateStyle: 'long',
              timeStyle: 'short',
              hourCycle: 'h23',
            }).format(new Date(row.startsAt));
            for (const person of known)
              await notifyRegistrant(change, row, person, eventsTexts.written(key, { at, timeZone: row.timeZone }));
            await change.note({ event: row.title, notified: known.length });
          }),
      );
    },
  );
}
