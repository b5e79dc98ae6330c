import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { endSessions } from './sessions.ts';

/** Whether the person has a second factor that can be used: an authenticator app or a passkey. Recovery codes alone are none. */
export async function hasSecondFactor(read: Read, loginId: string): Promise<boolean> {
  const [row] = await read.rows<{ has: boolean }>(sql`select
    exists (select from login_totp where login_id = ${loginId} and disabled_at is null)
    or exists (select from login_passkey where login_id = ${loginId}) as has`);
  return row!.has;
}

/** Takes all second factors away, for somebody who lost them. Ends all sessions. */
export async function resetSecondFactors(change: Change, loginId: string): Promise<void> {
  await change.deleteFrom('loginTotp').where('loginId', '=', loginId).execute();
  await change.deleteFrom('loginPasskey').where('loginId', '=', loginId).execute();
  await change.deleteFrom('loginRecoveryCode').where('loginId', '=', loginId).execute();
  await endSessions(change, loginId, 'second factor removed');
}
