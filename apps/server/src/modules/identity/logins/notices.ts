import type { Config } from '../../../config.ts';
import type { Change } from '../../../platform/database/index.ts';
import { deviceOf } from './devices.ts';
import { notifyPeople } from './notify-people.ts';
import type { MailText } from '../../mail/index.ts';

/** A notice to a person about their login. */
export type Notice = {
  loginId: string;
  /** The event, in whole sentences. */
  text: MailText;
  /** The browser it was done in, if the change's session doesn't have it. */
  userAgent?: string | null | undefined;
  /** Advice in case the person did not do it, if not the usual. */
  ifNotYou?: string;
  /** Whether the notice carries a link that freezes the login; not if it is already frozen or was just unfrozen. */
  offersFreeze?: boolean;
  /** Addresses of the person beside those of the login. */
  alsoTo?: readonly string[];
};

/**
 * Mails every verified address of a person about an event on their login, its time, address and device, and what to do if they did not
 * do it (S8). For a day after a change of the address the old one is notified too. These mails can't be switched off.
 */
export async function notifyPerson(change: Change, config: Pick<Config, 'appUrl' | 'embeddedProvider'>, notice: Notice): Promise<void> {
  const { loginId, text } = notice;
  const { email, emailVerified, fullName } = await change
    .selectFrom('login')
    .select(['email', 'emailVerified', 'fullName'])
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
  const addresses = [...(emailVerified ? [email] : []), ...former.map(link => link.email), ...(notice.alsoTo ?? [])];
  const news = {
    topic: 'login.security' as const,
    accountName: null,
    text,
    mailOnly: await noticeFacts(change, config, notice),
    path: config.embeddedProvider ? '/account/sessions' : undefined,
    act: 'View sessions',
    freezes: notice.offersFreeze === false ? undefined : loginId,
  };
  await notifyPeople(
    change,
    news,
    addresses.map(address => ({ fullName, email: address, loginId })),
  );
}

/** The paragraphs that follow the text of a notice in its mail: when and where it was done, and what to do about it. No one can take them out of the mail. */
export async function noticeFacts(change: Change, { appUrl }: Pick<Config, 'appUrl'>, notice: Omit<Notice, 'text'>): Promise<string[]> {
  const { loginId, userAgent, ifNotYou } = notice;
  const login = await change.selectFrom('login').select('username').where('loginId', '=', loginId).executeTakeFirstOrThrow();
  const line = await change
    .selectFrom('activity')
    .leftJoin('session', 'session.sid', 'activity.sid')
    .select(['activity.address', 'session.userAgent'])
    .where('activityId', '=', change.activityId)
    .executeTakeFirstOrThrow();
  const facts = [
    `Login: ${login.username}`,
    `When: ${change.now.slice(0, 16).replace('T', ' ')} UTC`,
    ...(line.address ? [`Address: ${line.address}`] : []),
    `Device: ${deviceOf(userAgent ?? line.userAgent)}`,
  ];
  const usual = `end all other sessions and change your password immediately:\n${appUrl}/account/sessions\n${appUrl}/account/password\nIf you can’t log in, choose "Forgot password" on the log in page.`;
  return [facts.join('\n'), `If this was not you, ${ifNotYou ?? usual}`];
}
