import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { corporateColleagues } from '../../accounts/index.ts';
import { type FreezeLink, takeFreezeLink } from '../../mail/index.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { endErasure, lockOpenErasureOf } from '../erasure/erasures.ts';
import { startCoolDown } from '../factors/cool-down.ts';
import { endLinks } from '../logins/login-links.ts';
import { type Login, loginById } from '../logins/logins.ts';
import { notifyPerson } from '../logins/notices.ts';
import { endSessions } from '../sessions/sessions.ts';
import { announce } from '../sessions/session-validity.ts';
import { notifyPeople } from '../logins/notify-people.ts';
import { identityTexts } from '../mail-texts.ts';
import type { MailText } from '../../mail/index.ts';

type Tools = { db: Database; config: Pick<Config, 'appUrl' | 'embeddedProvider'> };

/** Number of days for which an expired link is distinguished from an unknown one. */
export const FREEZE_LINK_DAYS = 30;

/**
 * Freezes the login of a link (S30): every session ends, and sign-in is impossible until a new password is chosen by a link to the
 * address the login had before any change of the last day, or registry staff unfreeze it. The person, and the corporate contacts of every account
 * they act for, are notified. An open request to erase the person is taken back, whoever filed it: who took the login over may have asked for it, or
 * registry staff were deceived. That the login is frozen already is no reason to go on with it.
 * @returns the result; `used` if the link was used concurrently.
 */
export async function freezeLogin(
  { db, config }: Tools,
  { traceId, address, userAgent }: ActivityOrigin,
  link: FreezeLink,
): Promise<'frozen' | 'frozen already' | 'erasure taken back' | 'used'> {
  // Without a session: opening the link proves only that the person reads the mail.
  const line = { action: 'identity.freezeLogin', summary: 'Froze a login by the link in an e-mail', traceId, address };
  return db.change(line, async change => {
    if (!(await takeFreezeLink(change, link.freezeLinkId))) return 'used';
    const { loginId, accountName, mailedTo } = link;
    if (accountName !== null) await change.concerns(accountName);
    // Before locking the login: setting a new password locks its link first too.
    const [former] = await change.rows<{ email: string }>(sql`select email from login_link where login_id = ${loginId}
      and purpose = 'undo-change-email' and used_at is null and expires_at > ${change.now} order by made_at limit 1`);
    await endLinks(change, loginId, 'change-email');
    await endLinks(change, loginId, 'reset-password');
    const frozen = await change
      .updateTable('login')
      .set(eb => ({ frozenAt: change.now, frozenEmail: former ? former.email : eb.ref('email') }))
      .where('loginId', '=', loginId)
      .where('frozenAt', 'is', null)
      .returning(['username', 'fullName', 'frozenEmail'])
      .executeTakeFirst();
    await change.note({ login: (await loginById(change, loginId))!.username, mailedTo, userAgent });
    const erasure = await lockOpenErasureOf(change, loginId);
    if (erasure) {
      await change.note({ erasure: erasure.erasureId });
      await endErasure(change, erasure.erasureId, {
        state: 'withdrawn',
        endedBy: null,
        note: 'Taken back by the link in an e-mail',
        config,
      });
    }
    if (!frozen) return erasure ? 'erasure taken back' : 'frozen already';
    await announce(change, { login: loginId });
    await endSessions(change, loginId, 'login frozen');
    const back = config.embeddedProvider
      ? `To unfreeze it, choose a new password: "Forgot password" on the log in page sends a link to ${frozen.frozenEmail}. You then can’t make changes for ${coolDownHours} hours. Registry staff can also help.`
      : 'Registry staff can unfreeze it.';
    await notifyPerson(change, config, {
      loginId,
      userAgent,
      text: identityTexts.written('loginFrozen', { mailedTo }),
      ifNotYou: `that is what the link is for. ${back}`,
      offersFreeze: false,
    });
    await notifyColleagues(change, loginId, accountName =>
      identityTexts.written('colleagueFrozen', { fullName: frozen.fullName, mailedTo, accountName }),
    );
    return 'frozen';
  });
}

/** Returns whether a link to the login's own address would unfreeze it: not if the address was changed just before the freeze. */
export const mayUnfreeze = ({ frozenAt, frozenEmail, email }: Pick<Login, 'frozenAt' | 'frozenEmail' | 'email'>): boolean =>
  frozenAt === null || frozenEmail?.toLowerCase() === email.toLowerCase();

/** Unfreezes a login and notifies colleagues; its registry changes wait a day (S27). Returns whether it was frozen. */
export async function unfreeze(change: Change, loginId: string): Promise<boolean> {
  const unfrozen = await change
    .updateTable('login')
    .set({ frozenAt: null, frozenEmail: null })
    .where('loginId', '=', loginId)
    .where('frozenAt', 'is not', null)
    .returning('fullName')
    .executeTakeFirst();
  if (!unfrozen) return false;
  await announce(change, { login: loginId });
  // One that began while it was frozen never counted.
  await endSessions(change, loginId, 'login frozen');
  await startCoolDown(change, loginId, 'frozen');
  await notifyColleagues(change, loginId, accountName =>
    identityTexts.written('colleagueUnfrozen', { fullName: unfrozen.fullName, coolDownHours, accountName }),
  );
  return true;
}

/** Unfreezes the login of a person who was identified by registry staff or an operator. Returns whether it was frozen. */
export async function unfreezeLogin(change: Change, config: Tools['config'], loginId: string): Promise<boolean> {
  if (!(await unfreeze(change, loginId))) return false;
  await notifyPerson(change, config, {
    loginId,
    text: identityTexts.written('loginUnfrozen', { coolDownHours }),
  });
  return true;
}

/** Notifies the corporate contacts of every account a person acts for, with a text for each. */
async function notifyColleagues(change: Change, loginId: string, textFor: (accountName: string) => MailText): Promise<void> {
  const colleagues = await corporateColleagues(change, loginId);
  for (const accountName of new Set(colleagues.map(colleague => colleague.accountName))) {
    const page = { path: '/member-account-settings/activity-logs', act: 'View activity' };
    const whom = colleagues.filter(colleague => colleague.accountName === accountName);
    await notifyPeople(change, { topic: 'contacts.access', accountName, text: textFor(accountName), ...page }, whom);
  }
}

/** Deletes old links. Leaves a line in the log if it deleted any. */
export async function sweepFreezeLinks(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, FREEZE_LINK_DAYS * DAY_MS);
  const old = await db.read.selectFrom('freezeLink').select('freezeLinkId').where('expiresAt', '<', before).limit(1).executeTakeFirst();
  if (!old) return;
  const line = ownActivity('identity.deleteExpiredLinks', 'Forgot expired links');
  await db.change(line, change => change.deleteFrom('freezeLink').where('expiresAt', '<', before).execute());
}
