import type { ReadyMadeRole } from '@portal/contract/staff-roles';
import type { Database } from '../src/platform/database/index.ts';

const line = (summary: string) => ({ action: 'test', summary, traceId: '0'.repeat(32) });

/** Makes a person registry staff with a ready-made role, whatever policy says. */
export const giveStaffRole = (db: Database, username: string, role: ReadyMadeRole): Promise<void> =>
  db.change(line('Gave a role'), async change => {
    const { loginId } = await change
      .updateTable('login')
      .set({ staff: true })
      .where('username', '=', username)
      .returning('loginId')
      .executeTakeFirstOrThrow();
    const now = change.now;
    await change
      .insertInto('staffAssignment')
      .values({ loginId, readyMade: role, givenAt: now, startsAt: now, reason: 'Of a test' })
      .execute();
  });

/** Withdraws all roles of a person. */
export const takeStaffRoles = (db: Database, username: string): Promise<void> =>
  db.change(line('Withdrew all roles'), async change => {
    await change
      .updateTable('staffAssignment')
      .set({ withdrawnAt: change.now, withdrawnReason: 'Of a test' })
      .where('withdrawnAt', 'is', null)
      .where('loginId', '=', eb => eb.selectFrom('login').select('loginId').where('username', '=', username))
      .execute();
  });
