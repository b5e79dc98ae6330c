import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';

/** Reasons for a cool-down (S27), as the beginning of the sentence a refused person reads. */
const reasons = {
  'password-reset': 'The password of your login was reset',
  'email-changed': 'The e-mail address of your login was changed',
  'factor-lost': 'A second factor of your login was removed without using it',
  frozen: 'Your login was frozen',
  'recovery-code': 'A recovery code of your login was used',
} as const;
export type CoolDownReason = keyof typeof reasons;

/**
 * Makes the login wait before its next registry change, so that an attacker who gained it by mail or a stolen code gains nothing immediately.
 * A later reason restarts the time.
 */
export async function startCoolDown(change: Change, loginId: string, why: CoolDownReason): Promise<void> {
  await change
    .updateTable('login')
    .set({ coolDownUntil: sql<string>`${change.now}::timestamptz + make_interval(hours => ${coolDownHours})`, coolDownWhy: why })
    .where('loginId', '=', loginId)
    .execute();
  // A copy of the person's data must not wait for the attacker until the cool-down is over.
  await change.deleteFrom('dataCopy').where('loginId', '=', loginId).execute();
}

/** How long the login waits (ISO 8601) and why, in words; null if it doesn't. */
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
