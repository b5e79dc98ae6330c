import { randomBytes } from 'node:crypto';
import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';
import { newSecret, prefixOf } from './api-key-secret.ts';

const AT_ONCE = 1_000;
/** One of so many people has a key. */
const ONE_OF = 20;
/** Days that a key is valid, and those in which it was used last. */
const VALID_DAYS = 365;
const USED_DAYS = 10;

/** Keys of people who are contacts, with the calls of the last days. No one has their secrets. */
const keys: RegionStage = {
  name: 'apiKeys',
  title: 'API keys',
  parts: async ({ db, config, plan, random }) => {
    const draw = random('api keys');
    const people = (
      await db.read.rows<{
        accountName: string;
        loginId: string;
      }>(sql`select c.account_name, c.login_id from contact c join account a using (account_name) join login l using (login_id) where a.statistics_id is not null and a.account_status = 'open' and c.status = 'active'
          and c.contact_types && '{corporate,technical}'::text[] order by c.account_name, l.username`)
    ).filter(() => draw(ONE_OF) === 0);
    const end = new Date(`${plan.today}T00:00:00Z`);
    return Array.from(
      { length: Math.ceil(people.length / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const drawn = random(`api keys ${part}`);
          const some = people.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(person => {
            const made = instantBefore(end, (1 + drawn(VALID_DAYS - 30)) * DAY_MS);
            return {
              ...person,
              made,
              until: instantAfter(new Date(made), VALID_DAYS * DAY_MS),
              scope: ['whois:read', 'routes:read', 'billing:read'][drawn(3)]!,
              prefix: prefixOf(newSecret()),
              hash: randomBytes(32).toString('hex'),
              calls: 1 + drawn(2_000),
            };
          });
          const given = sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as w ("accountName" text, "loginId" text, made timestamptz, until timestamptz,
            scope text, prefix text, hash text, calls integer)`;
          await change.rows(sql`with key as (insert into api_key (account_name, label, scopes, login_id, issuer, subject, created_at, expires_at)
              select "accountName", 'Monitoring ' || left("loginId", 8), array[scope], "loginId", ${config.issuerUri}, "loginId", made, until from ${given} returning api_key_id, account_name, login_id, created_at),
            secret as (insert into api_key_secret (api_key_id, prefix, hash, made_at)
              select api_key_id, prefix, decode(hash, 'hex'), created_at from key join ${given} on "accountName" = account_name and "loginId" = login_id)
            insert into api_key_use (api_key_id, day, calls, refused, last_at, last_address)
              select api_key_id, ${plan.today}::date - n, calls, 0, ${end.toISOString()}::timestamptz - n * interval '1 day', '192.0.2.80'::inet
              from key join ${given} on "accountName" = account_name and "loginId" = login_id cross join generate_series(1, ${USED_DAYS}::integer) n
              where created_at < ${end.toISOString()}::timestamptz - n * interval '1 day'`);
          return some.length * (2 + USED_DAYS);
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [keys];
