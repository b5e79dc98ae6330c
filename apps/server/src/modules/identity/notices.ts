import type { Config } from '../../config.ts';
import type { Change } from '../../platform/database/index.ts';
import { sendMail } from '../mail/index.ts';
import { deviceOf } from './devices.ts';

/** What a person is told about their login. */
export type Notice = {
  loginId: string;
  /** Such as `Your password was changed`. */
  subject: string;
  /** What happened, in whole sentences. */
  body: string;
  /** Of the browser it was done in, when the change's session does not tell. */
  userAgent?: string | null | undefined;
  /** Further addresses that must know: the one that was just given up. */
  also?: readonly string[];
};

/**
 * Mails every verified address of a person what happened to their login, when, from which address and device, and what to do if it was
 * somebody else (S8). For a day after a change of the address the old one is told too. Nobody can switch it off.
 */
export async function tellPerson(change: Change, { appUrl }: Pick<Config, 'appUrl'>, notice: Notice): Promise<void> {
  const { loginId, subject, body, userAgent, also = [] } = notice;
  const login = await change
    .selectFrom('login')
    .select(['email', 'emailVerified', 'displayName', 'username'])
    .where('loginId', '=', loginId)
    .executeTakeFirstOrThrow();
  const former = await change
    .selectFrom('loginLink')
    .select('email')
    .where('loginId', '=', loginId)
    .where('purpose', '=', 'undo-change-email')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', change.now)
    .execute();
  const line = await change
    .selectFrom('activity')
    .leftJoin('session', 'session.sid', 'activity.sid')
    .select(['activity.address', 'session.userAgent'])
    .where('activityId', '=', change.activityId)
    .executeTakeFirstOrThrow();
  const words = [
    `Hello ${login.displayName},`,
    body,
    [
      `Login: ${login.username}`,
      `When: ${change.now.slice(0, 16).replace('T', ' ')} UTC`,
      ...(line.address ? [`Address: ${line.address}`] : []),
      `Device: ${deviceOf(userAgent ?? line.userAgent)}`,
    ].join('\n'),
    `If this was not you, end all other sessions and change your password at once:\n${appUrl}/account/sessions\n${appUrl}/account/password\nIf you cannot log in any more, choose "Forgot password" on the log in page, or write to us: ${appUrl}`,
  ].join('\n\n');
  const own = login.emailVerified ? [login.email] : [];
  const recipients = new Map([...own, ...former.map(({ email }) => email), ...also].map(email => [email.toLowerCase(), email]));
  for (const recipient of recipients.values()) await sendMail(change, { recipient, subject, body: words });
}
