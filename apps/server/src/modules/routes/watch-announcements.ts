import { printAsNumber } from '@portal/number-resources';
import { sql } from 'kysely';
import { ownActivity } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { activeContacts } from '../accounts/index.ts';
import { routingView } from '../bgp-tables/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { holdingsOf } from '../resources/index.ts';
import {
  accountsBeingPublished,
  accountsWithRpki,
  readRepository,
  type ValidatedAnnouncement,
  validateAnnouncements,
} from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';

/** Maximum number of announcements in one notice. */
const LISTED = 20;
const words = { 'invalid-asn': 'invalid AS', 'invalid-length': 'invalid length', 'not-found': 'no ROA' } as const;
type Wrong = ValidatedAnnouncement & { validity: keyof typeof words };
const keyOf = ({ prefix, asn }: { prefix: string; asn: number }): string => `${prefix} ${asn}`;

/**
 * Checks the announcements of every account that uses RPKI against the published repository, validated as by a relying party, not against members'
 * rows. People are notified once of each wrong announcement, unless it is muted; repaired ones are removed.
 */
export async function watchAnnouncements({ db, clock }: Pick<ModuleContext, 'db' | 'clock'>): Promise<void> {
  const names = await accountsWithRpki(db.read);
  if (names.length === 0) return;
  // Accounts with a pending publication are checked by the next run, unless it is late.
  const publishing = await accountsBeingPublished(db.read, clock());
  const { vrps } = await readRepository(db.read, clock());
  const holdings = await holdingsOf(db.read, names);
  for (const accountName of names) {
    if (publishing.has(accountName)) continue;
    const { collectedAt, announcements } = await routingView(db.read, accountName, spaceOf(holdings.get(accountName)!));
    const wrong = validateAnnouncements(announcements, vrps).filter((each): each is Wrong => each.validity !== 'valid');
    const known = await db.read.rows<{ prefix: string; asn: number; validity: string; notifiedAt: string | null; isMuted: boolean }>(
      sql`select a.prefix::text, a.asn, a.validity, a.told_at as notified_at, m.asn is not null as is_muted
        from route_alert a left join route_mute m using (account_name, prefix, asn) where a.account_name = ${accountName}`,
    );
    const before = new Map(known.map(alert => [keyOf(alert), alert]));
    const isSame =
      known.length === wrong.length &&
      wrong.every(each => {
        const alert = before.get(keyOf(each));
        return alert?.validity === each.validity && (alert.notifiedAt !== null || alert.isMuted);
      });
    if (collectedAt !== null && !isSame) await noteAlerts({ db }, accountName, wrong);
  }
}

async function noteAlerts({ db }: Pick<ModuleContext, 'db'>, accountName: string, wrong: readonly Wrong[]): Promise<void> {
  await db.change(ownActivity('routes.watch', 'Checked the announcements of an account', accountName), async change => {
    await change.rows(sql`delete from route_alert a where account_name = ${accountName}
      and not exists (select from unnest(${wrong.map(({ prefix }) => prefix)}::cidr[], ${wrong.map(({ asn }) => asn)}::bigint[]) as w (prefix, asn) where w.prefix = a.prefix and w.asn = a.asn)`);
    await change.rows(sql`insert into route_alert (account_name, prefix, asn, validity, found_at, seen_at)
      select ${accountName}, prefix, asn, validity, ${change.now}::timestamptz, ${change.now}::timestamptz
      from unnest(${wrong.map(({ prefix }) => prefix)}::cidr[], ${wrong.map(({ asn }) => asn)}::bigint[], ${wrong.map(({ validity }) => validity)}::text[]) as w (prefix, asn, validity)
      on conflict (account_name, prefix, asn) do update set seen_at = excluded.seen_at, validity = excluded.validity,
        found_at = case when route_alert.validity = excluded.validity then route_alert.found_at else excluded.found_at end,
        told_at = case when route_alert.validity = excluded.validity then route_alert.told_at end`);
    const alerts = await change.rows<{
      prefix: string;
      asn: number;
      validity: Wrong['validity'];
    }>(sql`update route_alert a set told_at = ${change.now}::timestamptz
      where account_name = ${accountName} and told_at is null
        and not exists (select from route_mute m where m.account_name = a.account_name and m.prefix = a.prefix and m.asn = a.asn)
      returning a.prefix::text, a.asn, a.validity`);
    await change.note({ wrong: wrong.length, told: alerts.length });
    if (alerts.length === 0) return;
    const invalid = alerts.filter(({ validity }) => validity !== 'not-found');
    const named = [...invalid, ...alerts.filter(({ validity }) => validity === 'not-found')]
      .slice(0, LISTED)
      .map(({ prefix, asn, validity }) => `${prefix} from ${printAsNumber(asn)} (${words[validity]})`);
    await notifyPeople(
      change,
      {
        topic: 'routes.alerts',
        accountName,
        subject:
          invalid.length > 0
            ? `${invalid.length} ${invalid.length === 1 ? 'announcement' : 'announcements'} of ${accountName} ${invalid.length === 1 ? 'is' : 'are'} invalid`
            : `${alerts.length} ${alerts.length === 1 ? 'announcement' : 'announcements'} of ${accountName} without a ROA`,
        body: [
          `Route collectors see, and validators judge by what is published: ${named.join(', ')}${alerts.length > LISTED ? ` and ${alerts.length - LISTED} more` : ''}.`,
          'Many networks drop invalid announcements. Add a route for those you intend, or mute those you know of.',
        ],
        path: '/resources/routes/index?view=alerts',
        act: 'See the announcements',
      },
      await activeContacts(change, accountName, { permission: 'rescert-view' }),
    );
  });
}
