import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

/** A demo account with far more people and history than any member has. */
export const busyAccount = { accountName: 'EXAMPLE-AU', contacts: 500, lines: 200_000, otherSessions: 100_000 };

const { accountName, contacts, lines, otherSessions } = busyAccount;
const activity = { action: 'bench', summary: 'Filled an account', traceId: '0'.repeat(32) };

/**
 * Fills it: invited contacts, ones who signed in often or never, with and without a second factor; sessions of others; and a year of log lines of
 * contacts, staff and the system, including refused ones.
 */
export async function fillBusyAccount(db: Database): Promise<void> {
  await db.change(
    activity,
    async change => {
      const run = async (statement: ReturnType<typeof sql>): Promise<void> => void (await statement.execute(change));
      await run(sql`insert into login (login_id, username, email, full_name, display_name, nickname, created_at)
        select 'busy-' || i, 'busy-' || i, 'person' || i || '@busy.example', 'Person ' || i, 'Person ' || i, 'P', now() - interval '2 years'
        from generate_series(1, ${contacts}::int) i where i % 10 > 0`);
      await run(sql`insert into contact (account_name, login_id, full_name, email, position, contact_types, permissions, status, created_at, confirmed_at)
        select ${accountName}, case when i % 10 > 0 then 'busy-' || i end, 'Person ' || i, 'person' || i || '@busy.example', 'Engineer ' || i % 40,
          case i % 5 when 0 then array['billing'] when 1 then array['technical', 'billing'] else array['technical'] end, array['contacts-details-view'],
          case when i % 10 > 0 then 'active' else 'invited' end, now() - interval '1 day' * (i * 3), case when i % 3 = 0 then now() - interval '1 day' * i end
        from generate_series(1, ${contacts}::int) i`);
      await run(sql`insert into invitation (contact_id, state, sent_at, expires_at, ended_at)
        select contact_id, case status when 'invited' then 'sent' else 'accepted' end, now() - interval '2 days', now() + interval '5 days',
          case status when 'invited' then null else now() end
        from contact where account_name = ${accountName} and email like '%@busy.example'`);
      await run(sql`insert into session (sid, login_id, amr, started_at, until, ended_at, ended_why)
        select 'busy-' || i || '-' || n, 'busy-' || i, array['pwd'], now() - interval '1 day' * (i % 300 + n), now() - interval '1 day' * (i % 300 + n - 1),
          now() - interval '1 day' * (i % 300 + n - 1), 'bench'
        from generate_series(1, ${contacts}::int) i cross join generate_series(1, 20) n where i % 10 > 0`);
      await run(sql`insert into session (sid, amr, started_at, until, ended_at, ended_why)
        select 'other-' || i, array['pwd'], now() - interval '1 hour' * (i % 5000), now() - interval '1 hour' * (i % 5000 - 1), now() - interval '1 hour' * (i % 5000 - 1), 'bench'
        from generate_series(1, ${otherSessions}::int) i`);
      await run(sql`insert into activity (happened_at, action, summary, trace_id, account_name, login_issuer, login_subject, contact_id, amr, address, refusal, details)
        select now() - interval '360 days' * random(), (array['contacts.updateContact', 'contacts.inviteContact', 'contacts.askForPermission', 'demo.assign', 'contacts.registryRequests.approveRegistryRequest'])[1 + i % 5],
          'Changed something', md5(i::text), ${accountName}, case when i % 4 > 0 then 'http://localhost' end, case when i % 4 > 0 then 'busy-' || 1 + i % ${contacts}::int end,
          case when i % 4 > 1 then c.contact_ids[1 + i % ${contacts}::int] end, case when i % 4 > 0 then array['pwd', 'mfa'] end, '192.0.2.7', case when i % 50 = 0 then 'NO_PERMISSION' end,
          jsonb_build_object('contact', 'Person ' || i % 900)
        from generate_series(1, ${lines}::int) i
        cross join (select array_agg(contact_id::text order by email) as contact_ids from contact where account_name = ${accountName} and email like '%@busy.example') c`);
    },
    { timeout: 0 },
  );
  await db.pool.query('vacuum analyze');
}
