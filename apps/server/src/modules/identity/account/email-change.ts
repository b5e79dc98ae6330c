import { HOUR_MS, instantBefore } from '@portal/contract/days';
import * as z from 'zod';
import type { Config } from '../../../config.ts';
import type { Change, Database } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { taskType } from '../../../platform/tasks.ts';
import { makeFreezeLink, sendMail } from '../../mail/index.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { startCoolDown } from '../factors/cool-down.ts';
import {
  type AddressLinkRefusal,
  askForLink,
  endLinks,
  issueToken,
  type LoginLink,
  makeLink,
  readLink,
  takeLink,
} from '../logins/login-links.ts';
import { type Login, loginById, findLogin } from '../logins/logins.ts';
import { noticeFacts, notifyPerson } from '../logins/notices.ts';
import { endOtherSessions, endSessions } from '../sessions/sessions.ts';
import { announce } from '../sessions/session-validity.ts';
import { identityTexts } from '../mail-texts.ts';

/** Validity of the link to the new address, and of the one that undoes the change. */
const CONFIRM_MINUTES = 30;
const UNDO_HOURS = 24;
/** Maximum number of changes a person may request per hour. */
const MAX_AN_HOUR = 5;

/** Sends the link to the new address, or a notice if it has a login already. The requester sees the same either way (S7). */
export const mailEmailChange = taskType({
  name: 'identity.mailEmailChange',
  summary: 'Sent a link to a new e-mail address',
  runner: 'mail',
  input: z.object({ linkId: z.string(), appUrl: z.string() }),
  run: ({ db, activity, input: { linkId, appUrl }, context }) =>
    db.change(activity, async change => {
      const asked = await change
        .selectFrom('loginLink')
        .select(['loginId', 'email'])
        .where('linkId', '=', linkId)
        .where('digest', 'is', null)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', change.now)
        .executeTakeFirst();
      if (!asked) return;
      const { loginId, email } = asked;
      const owner = await findLogin(change, email);
      if (owner && owner.loginId !== loginId) {
        await change.updateTable('loginLink').set({ expiresAt: change.now }).where('linkId', '=', linkId).execute();
        await sendMail(change, {
          topic: 'login.links',
          recipient: email,
          recipientName: owner.fullName,
          loginId: owner.loginId,
          text: identityTexts.written('thisAddressAlreadyBelongsLogin', { username: owner.username, appUrl }),
        });
        return;
      }
      const token = await issueToken(change, linkId, { minutes: CONFIRM_MINUTES });
      if (token === null) return;
      await sendMail(
        change,
        {
          topic: 'login.links',
          recipient: email,
          act: 'Confirm address',
          text: identityTexts.written('confirmNewEMailAddress', { confirmMinutes: CONFIRM_MINUTES }),
          link: `${appUrl}/account/email/confirm?token=${token}`,
        },
        context.box,
      );
    }),
});

/**
 * Requests another e-mail address. A link is sent there, and the old address is notified immediately; nothing changes until the link is used.
 * @returns the reason it was refused, as a sentence; null if it was accepted.
 */
export async function askForEmailChange(
  db: Database,
  config: Config,
  origin: ActivityOrigin,
  { login, email, now }: { login: Login; email: string; now: Date },
): Promise<string | null> {
  const since = instantBefore(now, HOUR_MS);
  const asked = await db.read
    .selectFrom('loginLink')
    .select(({ fn }) => fn.countAll<number>().as('times'))
    .where('loginId', '=', login.loginId)
    .where('purpose', '=', 'change-email')
    .where('madeAt', '>', since)
    .executeTakeFirstOrThrow();
  if (asked.times >= MAX_AN_HOUR) return 'You asked for a new address several times. Try again in an hour.';
  const { userAgent, ...who } = origin;
  await db.change({ ...who, action: 'identity.askForEmailChange', summary: 'Requested a new e-mail address' }, async change => {
    // Only the last request counts.
    await endLinks(change, login.loginId, 'change-email');
    const linkId = await askForLink(change, {
      purpose: 'change-email',
      loginId: login.loginId,
      email,
      minutes: CONFIRM_MINUTES,
    });
    await change.enqueue(mailEmailChange, { linkId, appUrl: config.appUrl });
    await notifyPerson(change, config, {
      loginId: login.loginId,
      userAgent,
      text: identityTexts.written('newEMailAddressRequested', { email, undoHours: UNDO_HOURS }),
    });
  });
  return null;
}

class Refused extends Error {
  state: AddressLinkRefusal;
  constructor(state: AddressLinkRefusal) {
    super(state);
    this.state = state;
  }
}

/** Returns the change a link belongs to, without using the link. */
export async function readEmailLink(
  db: Database,
  token: string,
  purpose: 'change-email' | 'undo-change-email',
  now: Date,
): Promise<{ login: Login; email: string } | { refused: AddressLinkRefusal }> {
  const found = await readLink(db.read, token, purpose, now);
  if (found.state !== 'open') return { refused: found.state };
  const login = await loginById(db.read, found.link.loginId!);
  return login && login.disabledAt === null ? { login, email: found.link.email } : { refused: 'unknown' };
}

type Tools = { db: Database; config: Config; box: SecretBox };

/**
 * Gives the login the confirmed address. Both addresses are notified, the old one with a link that undoes it within 24 hours; the login goes into
 * its cool-down, and other sessions end.
 * @param keepSid session of the browser that confirms, when it is signed in as this person.
 * @returns the reason it was refused; null if it was changed.
 */
export async function confirmEmailChange(
  { db, config, box }: Tools,
  origin: ActivityOrigin,
  token: string,
  keepSid: string | null,
): Promise<AddressLinkRefusal | null> {
  const { userAgent, ...who } = origin;
  return unlessRefused(() =>
    db.change({ ...who, action: 'identity.changeEmail', summary: 'Changed the e-mail address' }, async change => {
      const link = await opened(change, token, 'change-email');
      await change.note({ userAgent });
      const before = (await loginById(change, link.loginId!))!;
      await setAddress(change, before.loginId, link.email);
      await startCoolDown(change, before.loginId, 'email-changed');
      const what = {
        loginId: before.loginId,
        userAgent,
        text: identityTexts.written('eMailAddressChanged', { email: before.email, email2: link.email, undoHours: UNDO_HOURS }),
      };
      await notifyPerson(change, config, what);
      if (before.emailVerified) {
        const undo = await makeLink(change, {
          purpose: 'undo-change-email',
          loginId: before.loginId,
          email: before.email,
          minutes: UNDO_HOURS * 60,
        });
        const more = await noticeFacts(change, config, {
          ...what,
          ifNotYou: `undo it within ${UNDO_HOURS} hours, which ends all sessions of the login:\n{link}`,
        });
        const mail = {
          topic: 'login.security' as const,
          recipient: before.email,
          recipientName: before.fullName,
          loginId: before.loginId,
          text: what.text,
          more,
          act: 'Undo the change',
          link: `${config.appUrl}/account/email/undo?token=${undo.token}`,
          freezeLinkId: await makeFreezeLink(change, { loginId: before.loginId, accountName: null, mailedTo: before.email }),
        };
        await sendMail(change, mail, box);
      }
      await endLinks(change, before.loginId, 'reset-password');
      await endOtherSessions(change, before.loginId, keepSid, 'e-mail address changed');
    }),
  );
}

/** Restores the old address of the login and ends all its sessions. Returns why not, or null on success. */
export async function undoEmailChange({ db, config }: Tools, origin: ActivityOrigin, token: string): Promise<AddressLinkRefusal | null> {
  const { userAgent, ...who } = origin;
  return unlessRefused(() =>
    db.change({ ...who, action: 'identity.undoEmailChange', summary: 'Undid a change of the e-mail address' }, async change => {
      const link = await opened(change, token, 'undo-change-email');
      await change.note({ userAgent });
      const { loginId, email: given, fullName } = (await loginById(change, link.loginId!))!;
      const notice = {
        loginId,
        userAgent,
        text: identityTexts.written('eMailAddressChangedBack', { email: link.email, given }),
      };
      // The person who loses the address is notified as well.
      const more = await noticeFacts(change, config, notice);
      if (given.toLowerCase() !== link.email.toLowerCase())
        await sendMail(change, {
          topic: 'login.security',
          recipient: given,
          recipientName: fullName,
          loginId,
          text: notice.text,
          more,
        });
      await setAddress(change, loginId, link.email);
      await startCoolDown(change, loginId, 'email-changed');
      await endLinks(change, loginId, 'change-email');
      await endLinks(change, loginId, 'reset-password');
      // Later changes are undone with this one; earlier ones can still be undone.
      await change
        .updateTable('loginLink')
        .set({ expiresAt: change.now })
        .where('loginId', '=', loginId)
        .where('purpose', '=', 'undo-change-email')
        .where('usedAt', 'is', null)
        .where('madeAt', '>=', link.madeAt)
        .execute();
      await notifyPerson(change, config, notice);
      await endSessions(change, loginId, 'change of the e-mail address taken back');
    }),
  );
}

/** @throws Refused, which rolls back the whole change, its log line included. */
async function opened(change: Change, token: string, purpose: 'change-email' | 'undo-change-email'): Promise<LoginLink> {
  const found = await takeLink(change, token, purpose);
  if (found.state !== 'open') throw new Refused(found.state);
  return found.link;
}

/** @throws Refused when another login has the address. */
async function setAddress(change: Change, loginId: string, email: string): Promise<void> {
  try {
    await change.updateTable('login').set({ email, emailVerified: true }).where('loginId', '=', loginId).execute();
  } catch (error) {
    // Of two people who confirm it concurrently, one gets it.
    if ((error as { code?: string }).code === '23505') throw new Refused('taken');
    throw error;
  }
  await announce(change, { login: loginId });
}

async function unlessRefused(run: () => Promise<void>): Promise<AddressLinkRefusal | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.state;
    throw error;
  }
}
