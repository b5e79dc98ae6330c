import { DAY_MS, HOUR_MS, MINUTE_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { sql } from 'kysely';
import { addAnnouncement } from './desk-announcements.ts';
import type { DemoRegistry } from '../../platform/demo.ts';

/** Maintenance that affects one account, work that is planned, an incident that is over, news for everybody, and a draft of the desk. Written as if people had already been notified. */
export async function addDemo({ change: changeDemo, today }: DemoRegistry): Promise<void> {
  const now = today.getTime();
  const startOfDay = Date.parse(utcDay(today));
  const values = (given: Partial<AnnouncementValues> & Pick<AnnouncementValues, 'title' | 'body'>): AnnouncementValues => ({
    category: 'service',
    severity: 'info',
    audience: 'all',
    resources: [],
    economies: [],
    kinds: [],
    requiresAck: false,
    publishAt: null,
    expiresAt: null,
    ...given,
  });
  const slowFrom = startOfDay - 6 * DAY_MS + 8 * HOUR_MS;
  const slow = values({
    severity: 'warning',
    title: 'Whois answered slowly',
    body: 'Queries at port 43 took up to ten seconds. RDAP and the portal worked as usual.',
    services: ['whois'],
    publishAt: instantAfter(slowFrom, 5 * MINUTE_MS),
    happensFrom: instantAfter(slowFrom, 0),
    happensUntil: instantAfter(slowFrom, 20 * MINUTE_MS),
    expiresAt: instantAfter(slowFrom, 20 * MINUTE_MS),
  });
  const slowUpdates = [
    ['found', 9, 'One address asked for every object of the registry. Its queries are limited now.'],
    ['watching', 12, 'Answers take less than a second again.'],
    ['over', 20, 'Answers have been as fast as usual since 08:12 UTC.'],
  ] as const;
  const all = [
    values({
      category: 'policy',
      title: 'Abuse mailboxes are validated twice a year',
      body: 'Mailboxes of IRT objects get a code by e-mail in the next weeks.\n\nEnter it within 15 days, so that the objects stay valid in whois.',
      publishAt: instantBefore(now, 9 * DAY_MS),
    }),
    values({
      category: 'maintenance',
      severity: 'warning',
      title: 'Reverse DNS of 198.18.0.0/19 is read-only on Saturday',
      body: 'The name servers of the zones below 198.18.0.0/19 are replaced. For two hours changes of reverse delegations wait. Names keep resolving.',
      audience: 'resources',
      resources: ['198.18.0.0/19'],
      publishAt: instantBefore(now, 5 * HOUR_MS),
      expiresAt: instantAfter(now, 6 * DAY_MS),
    }),
    values({
      category: 'maintenance',
      title: 'The keys of the trust anchor are renewed',
      body: 'New ROAs wait for up to 20 minutes. Validators notice nothing, and no one has to do anything.',
      services: ['rpki'],
      concerns: ['192.0.2.0/24', 'AS64496'],
      publishAt: instantBefore(now, 12 * DAY_MS),
      happensFrom: instantAfter(startOfDay, 7 * DAY_MS + 10 * HOUR_MS),
      happensUntil: instantAfter(startOfDay, 7 * DAY_MS + 12 * HOUR_MS),
      expiresAt: instantAfter(startOfDay, 8 * DAY_MS),
    }),
    slow,
    values({
      category: 'security',
      severity: 'critical',
      title: 'Calls that ask for your sign-in code',
      body: 'The registry never asks for a code of your authenticator by telephone.',
      requiresAck: true,
    }),
  ];
  await changeDemo({ action: 'demo.announcements', summary: 'Wrote the demo announcements' }, async change => {
    for (const each of all) {
      const { announcementId } = await addAnnouncement({ change, body: each });
      if (each === slow)
        for (const [place, [stage, minutes, text]] of slowUpdates.entries())
          await change.rows(sql`insert into announcement_update (announcement_id, place, stage, text, written_at)
            values (${announcementId}, ${place + 1}, ${stage}, ${text}, ${instantAfter(slowFrom, minutes * MINUTE_MS)}::timestamptz)`);
    }
    await change.rows(sql`update announcement set notified_at = publish_at where publish_at is not null`);
  });
}
