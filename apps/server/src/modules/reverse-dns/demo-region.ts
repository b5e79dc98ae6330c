import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 2_000;
/** Zones are checked every three days. */
const CHECK_HOURS = 72;
/** Of a hundred zones so many have a server that doesn't answer, and so many more have a lesser fault; so many are signed. */
const LAME = 4;
const FAULTY = 6;
const SIGNED = 12;
/** Days for which a server hasn't answered, at most, and after which the contacts of the zone are notified. */
const LAME_DAYS = 40;
const NOTICE_DAYS = 15;

/** Results of the last checks of the reverse zones, as checks would have found them: the name servers of a region that is made up don't exist. */
const states: RegionStage = {
  name: 'zoneStates',
  title: 'States of reverse zones',
  parts: async ({ db, plan, random }) => {
    const zones = await db.read.rows<{ zone: string; server: string | null; changedAt: string }>(
      sql`select key as zone, lower(substring(text from 'nserver:\s+(\S+)')) as server, changed_at from whois_object
        where class = 'domain' and first is not null order by key`,
    );
    const end = new Date(`${plan.today}T00:00:00Z`);
    return Array.from(
      { length: Math.ceil(zones.length / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const drawn = random(`zone states ${part}`);
          const some = zones.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(({ zone, server, changedAt }) => {
            const luck = drawn(100);
            const checked = [instantBefore(end, drawn(CHECK_HOURS) * HOUR_MS), new Date(changedAt).toISOString()].toSorted().at(-1)!;
            const signed = drawn(100) < SIGNED;
            const since = new Date(instantBefore(end, (1 + drawn(LAME_DAYS)) * DAY_MS));
            const noticed = instantAfter(since, NOTICE_DAYS * DAY_MS);
            return {
              zone,
              checked,
              state: luck < LAME ? 'lame' : luck < LAME + FAULTY ? 'warning' : 'ok',
              dnssec: signed ? (drawn(40) === 0 ? 'broken' : 'signed') : 'none',
              problem: luck < LAME ? `${server} doesn’t answer` : luck < LAME + FAULTY ? 'The servers have different serials' : null,
              ends: signed ? instantAfter(end, (5 + drawn(25)) * DAY_MS) : null,
              server: luck < LAME ? server : null,
              since: since.toISOString(),
              noticed: noticed <= end.toISOString() ? noticed : null,
            };
          });
          const given = sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as w (zone text, checked timestamptz, state text, dnssec text, problem text, ends timestamptz,
        server text, since timestamptz, noticed timestamptz)`;
          const written =
            await change.rows(sql`with seen as (insert into rdns_zone (zone, state, dnssec, problem, checked_at, signatures_end)
          select zone, state, dnssec, problem, checked, ends from ${given} on conflict (zone) do nothing returning zone),
        lame as (insert into rdns_lame_server (zone, server, since, failed_at, notified_at)
          select zone, server, since, checked, noticed from ${given} join seen using (zone) where server is not null on conflict do nothing returning zone)
        select zone from seen union all select zone from lame`);
          return written.length;
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [states];
