import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { AccountFrame, AccountPage } from '../pages/account-frame.ts';
import type { AccountSession, AccountSessions } from './account-session.ts';
import type { Forms } from '../pages/forms.ts';

/** The provider's own session as the base of pages for browsers without scripts, for reading only (docs/decisions/0095-plain-pages.md). */
export type PlainSessions = {
  /** The reader behind a request; null if it was already answered by sending the browser to sign in and back. */
  readerOf(request: FastifyRequest, reply: FastifyReply): Promise<PlainReader | null>;
  /** Answers with a page in the look of the login's pages. */
  answer(to: { request: FastifyRequest; reply: FastifyReply }, status: number, page: AccountPage): FastifyReply;
};

export type PlainReader = { caller: Caller; login: AccountPage['login'] };

export function plainSessions({
  account,
  frame,
  forms,
  config,
}: {
  account: AccountSessions;
  frame: AccountFrame;
  forms: Forms;
  config: Pick<Config, 'issuerUri' | 'mfaAmr'>;
}): PlainSessions {
  return {
    async readerOf(request, reply) {
      const session = await account.requireSession(request, reply, { fresh: false });
      return session && { caller: callerOf(session, config), login: session.login };
    },
    answer: ({ request, reply }, status, page) =>
      forms.answer(reply, status, frame(forms.context(request), page)).header('cache-control', 'no-store'),
  };
}

/** The caller of reads, with the rights of a contact even if the person is registry staff. */
function callerOf(
  { loginId, login, sid, amr, authTime }: AccountSession,
  { issuerUri, mfaAmr }: Pick<Config, 'issuerUri' | 'mfaAmr'>,
): Caller {
  return {
    loginId,
    issuer: issuerUri,
    subject: loginId,
    name: login.fullName,
    email: login.email,
    sid,
    amr,
    acr: null,
    authTime,
    expiresAt: authTime,
    mfa: amr.some(method => mfaAmr.includes(method)),
    staff: false,
    staffPermissions: new Set(),
  };
}
