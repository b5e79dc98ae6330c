import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';

/** What makes a login wait before it changes the registry again (S27), as the sentence a refused person reads begins. */
const reasons = {
  'password-reset': 'The password of your login was reset',
  'email-changed': 'The e-mail address of your login was changed',
  'factor-lost': 'A second factor of your login was given up without using it',
  frozen: 'Your login was frozen',
  'recovery-code': 'A recovery code of your login was used',
} as const;
export type CoolDownReason = keyof typeof reasons;

const HOURS = 24;

/**
 * Makes the login wait 24 hours before it changes the registry again: whoever took it over by mail or a found code gains nothing at once.
 * A later reason begins the time anew.
 */
export async function startCoolDown(change: Change, loginId: string, why: CoolDownReason): Promise<void> {
  await change
    .updateTable('login')
    .set({ coolDownUntil: sql<string>`${change.now}::timestamptz + make_interval(hours => ${HOURS})`, coolDownWhy: why })
    .where('loginId', '=', loginId)
    .execute();
}

/** Until when the login waits (ISO 8601) and why, in words; null when it does not. */
export async function coolDownOf(read: Read, loginId: string, now: Date): Promise<{ until: string; why: string } | null> {
  const login = await read
    .selectFrom('login')
    .select(['coolDownUntil', 'coolDownWhy'])
    .where('loginId', '=', loginId)
    .where('coolDownUntil', '>', now.toISOString())
    .executeTakeFirst();
  if (!login?.coolDownUntil) return null;
  return { until: login.coolDownUntil, why: reasons[login.coolDownWhy as CoolDownReason] ?? 'The sign-in of your login was changed' };
}
