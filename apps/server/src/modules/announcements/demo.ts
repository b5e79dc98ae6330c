import { DAY_MS, HOUR_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { sql } from 'kysely';
import { addAnnouncement } from './desk-announcements.ts';
import type { DemoRegistry } from '../../platform/demo.ts';

/** Maintenance that affects one account, work that is planned, news for everybody, and a draft of the desk. Written as if people had already been notified. */
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
      concerns: ['192.0.2.0/24', 'AS64496'],
      publishAt: instantBefore(now, 12 * DAY_MS),
      happensFrom: instantAfter(startOfDay, 7 * DAY_MS + 10 * HOUR_MS),
      happensUntil: instantAfter(startOfDay, 7 * DAY_MS + 12 * HOUR_MS),
      expiresAt: instantAfter(startOfDay, 8 * DAY_MS),
    }),
    values({
      category: 'security',
      severity: 'critical',
      title: 'Calls that ask for your sign-in code',
      body: 'The registry never asks for a code of your authenticator by telephone.',
      requiresAck: true,
    }),
  ];
  await changeDemo({ action: 'demo.announcements', summary: 'Wrote the demo announcements' }, async change => {
    for (const each of all) await addAnnouncement({ change, body: each });
    await change.rows(sql`update announcement set notified_at = publish_at where publish_at is not null`);
  });
}
