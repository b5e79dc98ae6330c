import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { tableFile } from '../../../platform/table-file.ts';
import type { Profile } from '../../../profile.ts';
import type { AccountSession, AccountSessions } from './account-session.ts';
import { listAuthenticators } from '../factors/authenticators.ts';
import { authenticationWords } from './authentication-words.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { deviceOf } from '../logins/devices.ts';
import { emailAddressProblem } from '../logins/email-address.ts';
import { askForEmailChange, confirmEmailChange, readEmailLink, undoEmailChange } from './email-change.ts';
import type { Forms } from '../pages/forms.ts';
import { changeNames, nameProblems, type LoginNames } from '../logins/login-names.ts';
import type { AccountFrame } from '../pages/account-frame.ts';
import {
  emailLinkPages,
  emailPart,
  historyPart,
  overviewPart,
  type Part,
  passwordPart,
  type Place,
  type PlaceOf,
  profilePart,
  sessionsPart,
} from './account-pages.ts';
import type { Frame } from '../pages/frame.ts';
import { type LocalTimes, localTimes } from '../pages/local-times.ts';
import { listPasskeys } from '../factors/passkeys.ts';
import { canDropPassword, changePassword, type PasswordRefusal, passwordSetAt, removePassword } from '../passwords/password-change.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { preferencesOf } from './people.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { hasSecondFactor } from '../factors/second-factors.ts';
import type { LoginPrograms } from '../sessions/login-programs.ts';
import { endOtherSessions, endSession, listSessions } from '../sessions/sessions.ts';
import { type HistoryLine, listHistory, streamHistory } from '../sign-in/sign-in-history.ts';

export type AccountRoutesOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  box: SecretBox;
  forms: Forms;
  /** Frame of the login's pages. */
  frame: AccountFrame;
  /** Frame of the pages behind links, which need no session. */
  linkFrame: Frame;
  account: AccountSessions;
  policy: PasswordPolicy;
  clock: () => Date;
  /** Returns the holder of an address, if the registry knows. */
  placeOf: PlaceOf;
  /** Programs that act in a person's name, of all modules. */
  programs: readonly LoginPrograms[];
};

const LINES_A_PAGE = 50;
const ENDED_DAYS = 30;
const again = 'You had to log in again. No changes were made yet. Check your entries and send them again.';

/** Confirmations, by the word in the page's address. */
const doneWords: Readonly<Record<string, string>> = {
  names: 'Your names were saved.',
  email: 'We sent a link to the new address. Open it within 30 minutes to make the change.',
  password: 'Your password was changed. All other sessions were ended.',
  'password-set': 'Your password was set. All other sessions were ended.',
  'password-removed': 'Your password was removed. All other sessions were ended.',
  ended: 'The session was ended.',
  'ended-others': 'All other sessions were ended.',
  'ended-program': 'The program can no longer act in your name.',
};

type Page = Part & { done?: string | null; message?: string | null };
type Query = Record<string, string | undefined>;

/** Registers the login's pages under `/account`: overview, profile, e-mail, password, sessions, sign-in history. */
export function accountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const { db, config, profile, box, forms, frame, account, policy, clock, placeOf } = options;
  const links = emailLinkPages(options.linkFrame);

  const answer = (request: FastifyRequest, reply: FastifyReply, status: number, { login }: AccountSession, page: Page) => {
    const { done } = request.query as Query;
    const said = request.method === 'GET' && done !== undefined && Object.hasOwn(doneWords, done) ? (doneWords[done] ?? null) : null;
    return forms.answer(reply, status, frame(forms.context(request), { done: said, ...page, login }));
  };
  const timesOf = async ({ loginId }: AccountSession): Promise<LocalTimes> =>
    localTimes(await preferencesOf(db.read, loginId), profile.timeZone);
  const from = (request: FastifyRequest): ActivityOrigin => ({
    traceId: request.traceId,
    address: request.address,
    userAgent: request.headers['user-agent']?.slice(0, 300),
  });
  const originOf = (request: FastifyRequest, { loginId, sid, amr }: AccountSession): ActivityOrigin => ({
    ...from(request),
    login: { issuer: config.issuerUri, subject: loginId },
    sid,
    amr,
  });
  const whose = ({ loginId }: AccountSession) => ({ issuer: config.issuerUri, loginId });
  /** Adds the place of each; an address that occurs often is looked up once. */
  const withPlaces = async <Row extends { address: string | null }>(rows: readonly Row[]): Promise<(Row & { place: Place | null })[]> => {
    const addresses = [...new Set(rows.flatMap(({ address }) => address ?? []))];
    const places = new Map(await Promise.all(addresses.map(async address => [address, await placeOf(address)] as const)));
    return rows.map(row => ({ ...row, place: (row.address && places.get(row.address)) || null }));
  };

  app.get('/account', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { loginId, login } = session;
    const now = clock();
    const [times, setAt, passkeys, authenticators, codes, coolDown, history, sessions] = await Promise.all([
      timesOf(session),
      passwordSetAt(db.read, loginId),
      listPasskeys(db.read, loginId),
      listAuthenticators(db.read, loginId),
      recoveryCodesLeft(db.read, loginId),
      coolDownOf(db.read, loginId, now),
      listHistory(db.read, whose(session), { before: null, most: LINES_A_PAGE }),
      listSessions(db.read, loginId, { now, endedDays: 0 }),
    ]);
    const overview = {
      login,
      times,
      passwordSetAt: setAt,
      passkeys,
      authenticators,
      recoveryCodesLeft: codes,
      coolDown,
      lastSignIn: signInBefore(history.lines, session),
      openSessions: sessions.open.length,
    };
    return answer(request, reply, 200, session, overviewPart(overview));
  });

  app.get('/account/profile', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    const page = { ...session, names: { ...session.login, ...typed }, wrong: {} };
    return answer(request, reply, 200, session, { ...profilePart(page), message: typed && again });
  });

  app.post('/account/profile', async (request, reply) => {
    const session = await account.requireSession(request, reply, {
      fresh: false,
      back: '/account/profile',
      keep: ['fullName', 'displayName', 'nickname'],
    });
    if (!session) return reply;
    const nameIn = (name: keyof LoginNames): string => forms.field(request, name).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
    const names = { fullName: nameIn('fullName'), displayName: nameIn('displayName'), nickname: nameIn('nickname') };
    const wrong = nameProblems(names);
    if (Object.keys(wrong).length > 0)
      return answer(request, reply, 422, session, { ...profilePart({ ...session, names, wrong }), message: 'Your names weren’t saved.' });
    const line = { ...originOf(request, session), action: 'identity.changeNames', summary: 'Changed names' };
    await db.change(line, change => changeNames(change, session.loginId, names));
    return reply.redirect('/account/profile?done=names', 303);
  });

  const showEmail = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    session: AccountSession,
    {
      typed,
      wrong = {},
      message = null,
    }: { typed?: Query | null; wrong?: { email?: string | null; again?: string | null }; message?: string | null } = {},
  ) => {
    const now = clock().toISOString();
    const open = await db.read
      .selectFrom('loginLink')
      .select(['purpose', 'email', 'expiresAt as until'])
      .where('loginId', '=', session.loginId)
      .where('purpose', 'in', ['change-email', 'undo-change-email'])
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .orderBy('madeAt', 'desc')
      .execute();
    const part = emailPart({
      ...session,
      times: await timesOf(session),
      pending: open.find(({ purpose }) => purpose === 'change-email') ?? null,
      former: open.filter(({ purpose }) => purpose === 'undo-change-email'),
      typed: { email: typed?.email ?? '', again: typed?.again ?? '' },
      wrong,
    });
    return answer(request, reply, status, session, { ...part, message });
  };

  app.get('/account/email', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: (request.query as Query).change !== undefined });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    return showEmail(request, reply, 200, session, { typed, message: typed && again });
  });

  app.post('/account/email', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/email', keep: ['email', 'again'] });
    if (!session) return reply;
    const typed = { email: forms.field(request, 'email', 300).trim(), again: forms.field(request, 'again', 300).trim() };
    const wrong = {
      email:
        emailAddressProblem(typed.email) ??
        (typed.email.toLowerCase() === session.login.email.toLowerCase() ? 'This is your current address.' : null),
      again: typed.email.toLowerCase() === typed.again.toLowerCase() ? null : 'The two addresses don’t match.',
    };
    const message = 'No link was sent.';
    if (wrong.email || wrong.again) return showEmail(request, reply, 422, session, { typed, wrong, message });
    const refused = await askForEmailChange(db, config, originOf(request, session), {
      login: session.login,
      email: typed.email,
      now: clock(),
    });
    if (refused !== null) return showEmail(request, reply, 429, session, { typed, message: refused });
    return reply.redirect('/account/email?done=email', 303);
  });

  for (const [path, purpose] of [
    ['/account/email/confirm', 'change-email'],
    ['/account/email/undo', 'undo-change-email'],
  ] as const) {
    const csrfOf = (token: string): string => forms.tokenOf(`${purpose} ${token}`);
    app.get(path, async (request, reply) => {
      const context = forms.context(request);
      const { token = '' } = request.query as Query;
      const found = await readEmailLink(db, token, purpose, clock());
      if ('refused' in found) return forms.answer(reply, 410, links.refused(context, found.refused));
      const page = { ...found, token, csrf: csrfOf(token) };
      return forms.answer(reply, 200, purpose === 'change-email' ? links.confirm(context, page) : links.undo(context, page));
    });
    app.post(path, async (request, reply) => {
      const context = forms.context(request);
      const token = forms.field(request, 'token', 100);
      const found = await readEmailLink(db, token, purpose, clock());
      if ('refused' in found || !forms.carriesToken(request, `${purpose} ${token}`))
        return forms.answer(reply, 410, links.refused(context, 'refused' in found ? found.refused : 'unknown'));
      const { login, email } = found;
      const here = await account.sessionOf(request, reply);
      const own = here?.loginId === login.loginId ? here : null;
      const origin: ActivityOrigin = own
        ? originOf(request, own)
        : { ...from(request), login: { issuer: config.issuerUri, subject: login.loginId } };
      const tools = { db, config, box };
      const refused =
        purpose === 'change-email'
          ? await confirmEmailChange(tools, origin, token, own?.sid ?? null)
          : await undoEmailChange(tools, origin, token);
      if (refused !== null) return forms.answer(reply, 410, links.refused(context, refused));
      return forms.answer(reply, 200, purpose === 'change-email' ? links.confirmed(context, email) : links.undone(context, email));
    });
  }

  const showPassword = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    session: AccountSession,
    { wrong = null, message = null }: { wrong?: PasswordRefusal | null; message?: string | null } = {},
  ) => {
    const { loginId } = session;
    const [times, setAt, secondFactor, canDrop] = await Promise.all([
      timesOf(session),
      passwordSetAt(db.read, loginId),
      hasSecondFactor(db.read, loginId),
      canDropPassword(db.read, loginId),
    ]);
    const part = passwordPart({ ...session, times, setAt, rules: policy.words(secondFactor), wrong, canDrop });
    return answer(request, reply, status, session, { ...part, message });
  };
  const passwordTools = { db, config, policy, clock };

  app.get('/account/password', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: (request.query as Query).change !== undefined });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    const message = typed && 'You had to log in again. No changes were made yet. Enter your passwords again.';
    return showPassword(request, reply, 200, session, { message });
  });

  app.post('/account/password', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/password' });
    if (!session) return reply;
    const had = await passwordSetAt(db.read, session.loginId);
    const given = { current: forms.field(request, 'current'), password: forms.field(request, 'password') };
    const wrong = await changePassword(passwordTools, originOf(request, session), session, given);
    if (wrong?.waitSeconds !== undefined) void reply.header('retry-after', String(wrong.waitSeconds));
    if (wrong)
      return showPassword(request, reply, wrong.waitSeconds === undefined ? 422 : 429, session, {
        wrong,
        message: 'Your password wasn’t changed.',
      });
    return reply.redirect(`/account/password?done=${had === null ? 'password-set' : 'password'}`, 303);
  });

  app.post('/account/password/remove', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/password' });
    if (!session) return reply;
    if (await removePassword(passwordTools, originOf(request, session), session))
      return reply.redirect('/account/password?done=password-removed', 303);
    return showPassword(request, reply, 409, session, {
      message: 'The password wasn’t removed. Without it you need two passkeys, or one passkey and recovery codes.',
    });
  });

  app.get('/account/sessions', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { open, ended } = await listSessions(db.read, session.loginId, { now: clock(), endedDays: ENDED_DAYS });
    const now = clock();
    const programs = (await Promise.all(options.programs.map(({ list }) => list(db.read, { loginId: session.loginId, now })))).flat();
    const placed = await withPlaces(programs.map(program => ({ ...program, address: program.lastUse?.address ?? null })));
    const part = sessionsPart({
      ...session,
      programs: placed,
      times: await timesOf(session),
      // This one first.
      open: (await withPlaces(open)).sort((a, b) => Number(b.sid === session.sid) - Number(a.sid === session.sid)),
      ended: await withPlaces(ended.slice(0, LINES_A_PAGE)),
    });
    return answer(request, reply, 200, session, part);
  });

  app.post('/account/sessions/end', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const sid = forms.field(request, 'sid', 100);
    const own = await db.read
      .selectFrom('session')
      .select('sid')
      .where('sid', '=', sid)
      .where('loginId', '=', session.loginId)
      .where('endedAt', 'is', null)
      .executeTakeFirst();
    if (own) {
      const line = { ...originOf(request, session), action: 'identity.endSession', summary: 'Ended a session' };
      await db.change(line, async change => {
        await change.note({ ended: sid });
        await endSession(change, sid, 'ended by you');
      });
    }
    return reply.redirect(own ? '/account/sessions?done=ended' : '/account/sessions', 303);
  });

  app.post('/account/sessions/end-program', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const programId = forms.field(request, 'program', 100);
    const mine = { loginId: session.loginId, name: session.login.fullName, programId };
    let hasEnded = false;
    for (const { end } of options.programs) hasEnded ||= await end(db, originOf(request, session), mine);
    return reply.redirect(hasEnded ? '/account/sessions?done=ended-program' : '/account/sessions', 303);
  });

  app.post('/account/sessions/end-others', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const line = { ...originOf(request, session), action: 'identity.endOtherSessions', summary: 'Ended all other sessions' };
    await db.change(line, change => endOtherSessions(change, session.loginId, session.sid, 'ended by you'));
    return reply.redirect('/account/sessions?done=ended-others', 303);
  });

  app.get('/account/history', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const asked = (request.query as Query).before ?? '';
    const before = /^\d{1,15}$/.test(asked) ? Number(asked) : null;
    const { lines, older } = await listHistory(db.read, whose(session), { before, most: LINES_A_PAGE });
    const part = historyPart({
      times: await timesOf(session),
      lines: await withPlaces(lines),
      newer: before !== null,
      olderThan: older ? lines.at(-1)!.activityId : null,
    });
    return answer(request, reply, 200, session, part);
  });

  app.get('/account/history.csv', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const file = tableFile(
      'sign-in-history',
      'csv',
      ['at', 'what', 'action', 'address', 'device', 'with'],
      spelledOut(streamHistory(db.read, whose(session))),
    );
    return reply
      .type(file.contentType)
      .header('content-disposition', `attachment; filename="${file.fileName}"`)
      .send(Readable.from(file.chunks));
  });
}

/** The sign-in before that of the present session. */
const signInBefore = (lines: readonly HistoryLine[], { authTime }: AccountSession): HistoryLine | null =>
  // The line of a sign-in is written within seconds of it.
  lines.find(({ action, at }) => action === 'identity.signIn' && Date.parse(at) / 1000 < authTime - 1) ?? null;

async function* spelledOut(batches: AsyncIterable<HistoryLine[]>) {
  for await (const lines of batches)
    yield lines.map(({ userAgent, amr, ...line }) => ({
      ...line,
      device: deviceOf(userAgent),
      with: amr ? authenticationWords(amr) : null,
    }));
}
