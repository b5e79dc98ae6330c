import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

/** Two contacts for every account of the registry, each with a login. */
export async function addPeople(db: Database): Promise<void> {
  const activity = { action: 'bench', summary: 'Added people', traceId: '0'.repeat(32) };
  await db.change(
    activity,
    async change => {
      await sql`create temporary table person on commit drop as
        select account_name, row_number() over (order by account_name, n) as i, n from account cross join generate_series(1, 2) n`.execute(
        change,
      );
      const name = sql`(array['Mira', 'Tomas', 'Aiko', 'Ravi'])[1 + i % 4] || ' ' || i || (array['berg', 'sen', 'moto', 'ova'])[1 + i % 4]`;
      await sql`insert into login (login_id, username, email, full_name, display_name, nickname, created_at)
        select 'p' || i, 'p' || i, 'person' || i || '@holder.example', ${name}, ${name}, 'P', now() from person`.execute(change);
      await sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions)
        select account_name, 'p' || i, ${name}, 'person' || i || '@holder.example', array['technical'], '{}' from person`.execute(change);
    },
    { timeout: 0 },
  );
  await db.pool.query('vacuum analyze');
}
