import { printAsNumber } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, frequent, inPages, ownActivity, PAGE_ROWS } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { breathing, mapInTurns } from '../../platform/breathing.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { activeContacts } from '../accounts/index.ts';
import { routingView } from '../bgp-tables/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { holdingsOf } from '../resources/index.ts';
import {
  accountsBeingPublished,
  accountsWithRpki,
  readRepository,
  indexInTurns,
  type ValidatedAnnouncement,
  validateBy,
} from '../rpki/index.ts';
import { spaceOf } from './account-routes.ts';
import { routesTexts } from './mail-texts.ts';

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
  const index = await indexInTurns(vrps);
  const holdings = await holdingsOf(db.read, names);
  await eachAlone(
    names,
    accountName => accountName,
    async accountName => {
      if (publishing.has(accountName)) return;
      const { collectedAt, announcements } = await routingView(db.read, accountName, spaceOf(holdings.get(accountName)!));
      const wrong = (await validateBy(index, announcements)).filter((each): each is Wrong => each.validity !== 'valid');
      const isSame = await isKnown(db.read, accountName, wrong);
      if (collectedAt !== null && !isSame) await noteAlerts({ db }, accountName, wrong);
    },
  );
}

/** True if exactly these are known, with the same states, and people were notified of each that isn't muted. */
async function isKnown(read: Pick<ModuleContext['db']['read'], 'rows'>, accountName: string, wrong: readonly Wrong[]): Promise<boolean> {
  const known = await inPages<{ prefix: string; asn: number; validity: string; notifiedAt: string | null; isMuted: boolean }>(after =>
    read.rows(
      frequent(sql`select a.prefix::text, a.asn, a.validity, a.told_at as notified_at, m.asn is not null as is_muted
        from route_alert a left join route_mute m using (account_name, prefix, asn) where a.account_name = ${accountName}
          ${after === null ? sql`` : sql`and (a.prefix, a.asn) > (${after.prefix}::cidr, ${after.asn}::bigint)`} order by a.prefix, a.asn limit ${PAGE_ROWS}`),
    ),
  );
  if (known.length !== wrong.length) return false;
  const breathe = breathing();
  const before = await mapInTurns(known, keyOf, breathe);
  for (const each of wrong) {
    const alert = before.get(keyOf(each));
    if (alert?.validity !== each.validity || (alert.notifiedAt === null && !alert.isMuted)) return false;
    await breathe();
  }
  return true;
}

/** Stores what is wrong now, and deletes what no longer is: their time tells them apart. */
async function storeAlerts(change: Change, accountName: string, wrong: readonly Wrong[]): Promise<void> {
  for (let at = 0; at < wrong.length; at += PAGE_ROWS) {
    const some = wrong.slice(at, at + PAGE_ROWS);
    await change.rows(sql`insert into route_alert (account_name, prefix, asn, validity, found_at, seen_at)
      select ${accountName}, prefix, asn, validity, ${change.now}::timestamptz, ${change.now}::timestamptz
      from unnest(${some.map(({ prefix }) => prefix)}::cidr[], ${some.map(({ asn }) => asn)}::bigint[], ${some.map(({ validity }) => validity)}::text[]) as w (prefix, asn, validity)
      on conflict (account_name, prefix, asn) do update set seen_at = excluded.seen_at, validity = excluded.validity,
        found_at = case when route_alert.validity = excluded.validity then route_alert.found_at else excluded.found_at end,
        told_at = case when route_alert.validity = excluded.validity then route_alert.told_at end`);
  }
  await change.rows(sql`delete from route_alert where account_name = ${accountName} and seen_at <> ${change.now}::timestamptz`);
}

async function noteAlerts({ db }: Pick<ModuleContext, 'db'>, accountName: string, wrong: readonly Wrong[]): Promise<void> {
  await db.change(ownActivity('routes.watch', 'Checked the announcements against ROAs', accountName), async change => {
    await storeAlerts(change, accountName, wrong);
    const named = await change.rows<{ prefix: string; asn: number; validity: Wrong['validity']; notified: number; invalid: number }>(sql`
      with notified as (update route_alert a set told_at = ${change.now}::timestamptz
        where account_name = ${accountName} and told_at is null
          and not exists (select from route_mute m where m.account_name = a.account_name and m.prefix = a.prefix and m.asn = a.asn)
        returning a.prefix, a.asn, a.validity)
      select prefix::text, asn, validity, count(*) over ()::int as notified, count(*) filter (where validity <> 'not-found') over ()::int as invalid
      from notified order by (validity = 'not-found'), notified.prefix, asn limit ${LISTED}`);
    const { notified, invalid } = named[0] ?? { notified: 0, invalid: 0 };
    await change.note({ wrong: wrong.length, told: notified });
    if (notified === 0) return;
    const names = named.map(({ prefix, asn, validity }) => `${prefix} from ${printAsNumber(asn)} (${words[validity]})`);
    await notifyPeople(
      change,
      {
        topic: 'routes.alerts',
        accountName,
        text: routesTexts.written('unexpectedAnnouncements', {
          outcome:
            invalid > 0
              ? `${invalid} ${invalid === 1 ? 'announcement' : 'announcements'} of ${accountName} ${invalid === 1 ? 'is' : 'are'} invalid`
              : `${notified} ${notified === 1 ? 'announcement' : 'announcements'} of ${accountName} without a ROA`,
          names: names.join(', '),
          outcome2: notified > LISTED ? ` and ${notified - LISTED} more` : '',
        }),
        path: '/resources/routes/index?view=alerts',
        act: 'See the announcements',
      },
      await activeContacts(change, accountName, { permission: 'rescert-view' }),
    );
  });
}
