import type { Read } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';

/** Sign-in activities that need attention, and their stable names in the log (S38). */
export const securityAlertActivities: Readonly<Record<string, string>> = {
  'identity.addAuthenticator': 'second-factor-added',
  'identity.addPasskey': 'second-factor-added',
  'identity.removeAuthenticator': 'second-factor-removed',
  'identity.removePasskey': 'second-factor-removed',
  'operator.resetMfa': 'second-factors-reset',
  'identity.switchCodesOff': 'codes-switched-off',
  'identity.useRecoveryCode': 'recovery-code-used',
  'identity.replaceRecoveryCodes': 'recovery-codes-replaced',
  'identity.resetPassword': 'password-reset',
  'identity.changePassword': 'password-changed',
  'identity.removePassword': 'password-removed',
  'identity.changeEmail': 'email-changed',
  'identity.undoEmailChange': 'email-change-undone',
  'identity.codeReused': 'code-used-twice',
  'identity.rotateKeys': 'signing-keys-replaced',
  'identity.freezeLogin': 'login-frozen',
  'operator.unfreezeLogin': 'login-thawed',
  'identity.frozenLogins.unfreezeLogin': 'login-thawed',
  'operator.rotateKeys': 'signing-keys-replaced',
  'operator.disableLogin': 'login-disabled',
  'operator.enableLogin': 'login-enabled',
  'operator.addStaff': 'staff-added',
};
/** Number of failed sign-ins in one run that is more than mistyping. */
const MANY_FAILURES = 20;
const MAX_A_TURN = 5000;

/**
 * Logs the sign-in events that need attention: one line of level warn each, message `security event`, `event` its name, with
 * person and address but no secrets. Alarms of the registry watch for them. They follow the seals of the activity log, so none is missed while
 * another is still being written.
 * @param reportedUpTo position of the last seal that was processed; null begins with the newest one
 * @returns the position to continue from
 */
export async function reportSecurityEvents(read: Read, log: Log, reportedUpTo: number | null): Promise<number> {
  const newest = await read.selectFrom('activitySeal').select('position').orderBy('position', 'desc').limit(1).executeTakeFirst();
  const last = newest?.position ?? 0;
  if (reportedUpTo === null || reportedUpTo >= last) return last;
  const rows = await read
    .selectFrom('activitySeal')
    .innerJoin('activity', 'activity.activityId', 'activitySeal.activityId')
    .select(['position', 'activity.activityId', 'action', 'happenedAt', 'loginSubject', 'sid', 'address', 'traceId', 'details', 'refusal'])
    .where('position', '>', reportedUpTo)
    .where('position', '<=', last)
    .where('action', 'in', [...Object.keys(securityAlertActivities), 'identity.signIn', 'identity.signInFailed'])
    .orderBy('position')
    .limit(MAX_A_TURN)
    .execute();
  let failures = 0;
  for (const { activityId, action, happenedAt, loginSubject, sid, address, traceId, details, refusal } of rows) {
    if (refusal !== null) continue;
    if (action === 'identity.signInFailed') failures++;
    const newDevice = action === 'identity.signIn' && (details as { newDevice?: boolean }).newDevice === true;
    const event = newDevice ? 'sign-in-from-new-place' : securityAlertActivities[action];
    if (event)
      log.warn('security event', { event, activity: activityId, at: happenedAt, login: loginSubject, session: sid, address, traceId });
  }
  if (failures >= MANY_FAILURES) log.warn('security event', { event: 'many-failed-sign-ins', count: failures });
  return rows.length === MAX_A_TURN ? rows.at(-1)!.position : last;
}
