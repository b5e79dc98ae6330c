import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { NewLogin } from './logins.ts';

/** Adds many people in one statement. The caller knows their names and addresses to be valid and free. They have no password, so sign-in as them is impossible. */
export async function createLogins(
  change: Change,
  people: readonly Required<Pick<NewLogin, 'loginId' | 'username' | 'email' | 'fullName'>>[],
): Promise<void> {
  await change.rows(sql`insert into login (login_id, username, email, email_verified, full_name, display_name, nickname, created_at)
    select login_id, username, email, true, full_name, full_name, split_part(full_name, ' ', 1), ${change.now}::timestamptz
    from unnest(${people.map(p => p.loginId)}::text[], ${people.map(p => p.username)}::text[], ${people.map(p => p.email)}::text[], ${people.map(p => p.fullName)}::text[])
      as w (login_id, username, email, full_name)`);
}
