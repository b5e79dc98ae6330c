import { sql } from 'kysely';
import { sealActivities } from '../../platform/database/index.ts';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 50_000;
/** Contacts who did what a part of the log says. */
const CONTACTS = 2_000;
/** Days over which the lines are spread, up to the day before the region was begun. */
const DAYS = 5 * 365;

/** Acts of members, with their words in the log. */
const acts: readonly (readonly [action: string, summary: string])[] = [
  ['contacts.updateContact', 'Changed a contact'],
  ['reverseDns.submitZones', 'Changed reverse delegations'],
  ['routes.saveRoutes', 'Changed routes'],
  ['rpki.changeRoas', 'Changed ROAs'],
  ['whois.bulkChange', 'Bulk-updated whois objects'],
];

/** A log of years, as contacts left it. */
const lines: RegionStage = {
  name: 'log',
  title: 'Lines of the activity log',
  parts: async ({ db, config, plan, random }) => {
    const contacts = await db.read.rows<{
      accountName: string;
      loginId: string;
      contactId: string;
    }>(sql`select c.account_name, c.login_id, c.contact_id::text as contact_id
      from contact c join account a using (account_name) where a.statistics_id is not null and c.status = 'active' and c.login_id is not null order by c.account_name, c.email`);
    return Array.from(
      { length: Math.ceil(plan.activities / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const [from, to] = [part * AT_ONCE, Math.min((part + 1) * AT_ONCE, plan.activities)];
          const next = random(`log ${part}`);
          const some = Array.from({ length: CONTACTS }, () => contacts[next(contacts.length)]!);
          await change.rows(sql`insert into activity (happened_at, action, summary, trace_id, account_name, login_issuer, login_subject, contact_id, sid, amr, address)
        select ${plan.today}::date::timestamp at time zone 'UTC' - make_interval(days => ${DAYS}::integer) * (1 - i::double precision / ${plan.activities}::integer),
          a.action, a.summary, md5(${plan.seed}::text || ' ' || i), c.account_name, ${config.issuerUri}, c.login_id, c.contact_id, md5(c.login_id || i / 20), array['pwd', 'otp'],
          '198.18.0.0'::inet + c.n
        from generate_series(${from}::integer, ${to - 1}::integer) i
          join unnest(${some.map(({ accountName }) => accountName)}::text[], ${some.map(({ loginId }) => loginId)}::text[],
            ${some.map(({ contactId }) => contactId)}::text[]) with ordinality c (account_name, login_id, contact_id, n)
            on c.n = 1 + mod(i::bigint * 7919 + ${part}::integer, ${CONTACTS}::integer)
          join unnest(${acts.map(([action]) => action)}::text[], ${acts.map(([, summary]) => summary)}::text[]) with ordinality a (action, summary, n)
            on a.n = 1 + mod(i::bigint * 104729, ${acts.length}::integer)
        order by i`);
          return to - from;
        },
    );
  },
};

/** Seals of one call: each is a transaction. */
const SEALED_AT_ONCE = 20_000;

/** Seals all that was written, as the worker does every minute. */
const seals: RegionStage = {
  name: 'seals',
  title: 'Seals of the activity log',
  work: async ({ db, config }, onProgress) => {
    const [row] = await db.read.rows<{ count: number }>(sql`select count(*)::int as count from activity_receipt`);
    let sealed = 0;
    for (;;) {
      const some = await sealActivities(db, config, SEALED_AT_ONCE);
      sealed += some;
      onProgress(sealed, row!.count);
      if (some < SEALED_AT_ONCE) return sealed;
    }
  },
};

export const regionStages: readonly RegionStage[] = [lines, seals];
