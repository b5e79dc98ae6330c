import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SECOND_MS } from '@portal/contract/days';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** Paths below the issuer that change who is signed in. */
const routes = new Set(['authorization', 'resume', 'end_session', 'end_session_confirm']);

export type SessionStateOptions = {
  issuer: string;
  /** Signs the browser state, so that it says nothing about the session behind it. */
  key: Buffer;
  maxAgeSeconds: number;
  /** Returns the HTML of the page that a client frames to learn of a change of the person. */
  checkPage: (cookieName: string) => string;
  /** Origins of the clients, which may frame that page. */
  clientOrigins: readonly string[];
};

/**
 * OpenID Connect Session Management 1.0 on top of the provider, which has none: `session_state` in the answers, a readable cookie with
 * the browser state, and the page clients frame to compare the two every two seconds.
 */
export function manageSessionState(
  provider: Provider,
  { issuer, key, maxAgeSeconds, checkPage, clientOrigins }: SessionStateOptions,
): void {
  const secure = issuer.startsWith('https:');
  const cookieName = secure ? '__Host-op_state' : 'op_state';

  const browserState = ({ oidc }: KoaContextWithOIDC): string => {
    const session = oidc.session as (typeof oidc.session & { destroyed?: boolean }) | undefined;
    return session?.accountId && !session.destroyed
      ? createHmac('sha256', key).update(`${session.uid}|${session.accountId}`).digest('base64url')
      : '';
  };

  provider.on('authorization.success', (ctx: KoaContextWithOIDC, answer?: Record<string, unknown>) => {
    const salt = randomBytes(12).toString('base64url');
    const origin = new URL(ctx.oidc.params!.redirect_uri as string).origin;
    const hash = createHash('sha256')
      .update(`${ctx.oidc.client!.clientId} ${origin} ${browserState(ctx)} ${salt}`)
      .digest('base64url');
    Object.assign(answer!, { session_state: `${hash}.${salt}` });
  });

  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    if (ctx.path === '/session/check' && ctx.method === 'GET') {
      ctx.type = 'html';
      ctx.set(
        'content-security-policy',
        `default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${clientOrigins.join(' ')}; require-trusted-types-for 'script'; trusted-types 'none'`,
      );
      ctx.body = checkPage(cookieName);
      return;
    }
    await next();
    if (!ctx.oidc || !routes.has(ctx.oidc.route) || !ctx.oidc.session) return;
    const state = browserState(ctx);
    if (state === (ctx.cookies.get(cookieName, { signed: false }) ?? '')) return;
    ctx.cookies.set(cookieName, state || null, {
      httpOnly: false,
      sameSite: 'lax',
      // The portal's pages read it too, before they take a session over from another tab.
      path: '/',
      signed: false,
      overwrite: true,
      secure,
      ...(state && { maxAge: maxAgeSeconds * SECOND_MS }),
    });
  });
}
