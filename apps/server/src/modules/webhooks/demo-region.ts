import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { addWebhookSecret } from './webhook-secrets.ts';

const AT_ONCE = 200;
/** One of so many accounts has a webhook, with so many deliveries. */
const ONE_OF = 25;
const DELIVERIES = 40;

/** Webhooks of accounts with their deliveries of the last days. They are paused, so that a region calls no address. */
const hooks: RegionStage = {
  name: 'webhooks',
  title: 'Webhooks',
  parts: async ({ db, config, plan, random }) => {
    const draw = random('webhooks');
    const people = (
      await db.read.rows<{ accountName: string; loginId: string }>(sql`select distinct on (c.account_name) c.account_name, c.login_id
        from contact c join account a using (account_name) join login l using (login_id) where a.statistics_id is not null and a.account_status = 'open'
          and c.status = 'active' and 'corporate' = any (c.contact_types) order by c.account_name, l.username`)
    ).filter(() => draw(ONE_OF) === 0);
    const end = new Date(`${plan.today}T00:00:00Z`);
    return Array.from(
      { length: Math.ceil(people.length / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const drawn = random(`webhooks ${part}`);
          const some = people.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(person => ({
            ...person,
            url: `https://hooks.${person.accountName.toLowerCase()}.example/registry`,
            made: instantBefore(end, (30 + drawn(400)) * DAY_MS),
            paused: instantBefore(end, drawn(24) * HOUR_MS),
          }));
          const made = await change.rows<{
            webhookId: string;
          }>(sql`insert into webhook (account_name, label, url, categories, login_id, created_at, paused_at)
        select "accountName", 'Operations', url, '{resources,whois}', "loginId", made, paused
        from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as w ("accountName" text, "loginId" text, url text, made timestamptz, paused timestamptz)
        returning webhook_id::text`);
          const box = openSecretBox(config);
          for (const { webhookId } of made) await addWebhookSecret(change, box, webhookId);
          const ids = made.map(({ webhookId }) => webhookId);
          const when = sql`${end.toISOString()}::timestamptz - n * interval '11 hours'`;
          await change.rows(sql`with sent as (insert into webhook_delivery (webhook_id, event_id, type, content, created_at, attempts, delivered_at)
          select id, 'evt_region_' || id || '_' || n, 'routes.saveRoutes', '{"type":"routes.saveRoutes"}', ${when}, 1, ${when}
          from unnest(${ids}::bigint[]) id cross join generate_series(1, ${DELIVERIES}::integer) n returning delivery_id, created_at)
        insert into webhook_attempt (delivery_id, attempt, at, milliseconds, status, problem, answer)
          select delivery_id, 1, created_at, 80 + delivery_id % 400, 204, null, '' from sent`);
          await change.rows(sql`insert into webhook_use (webhook_id, last_at, last_status, last_problem)
        select id, ${end.toISOString()}::timestamptz - interval '11 hours', 204, null from unnest(${ids}::bigint[]) id`);
          return made.length * (3 + 2 * DELIVERIES);
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [hooks];
