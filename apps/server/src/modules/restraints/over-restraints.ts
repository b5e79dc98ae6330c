import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';

/** Changes that go on though an account is restrained, and why each may. Everything else is refused by the database. */
const overRestraints = {
  recovery:
    'two people of the registry take numbers back after their notice: a restraint keeps them from leaving by the member, not from this',
} as const;

/** Lets this change move holdings of a restrained account. The line in the log says so, which `registry verify` reads. @param as the row of the table above that says why */
export async function actOverRestraints(change: Change, as: keyof typeof overRestraints): Promise<void> {
  await change.rows(sql`select set_config('portal.over_restraints', ${as}, true)`);
  await change.note({ overRestraints: as });
}
