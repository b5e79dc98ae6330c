import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RedirectAsJson, redirectAsJson } from '@portal/contract/shell/own-provider';
import { newTraceId, traceIdOf } from '@portal/contract/trace';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Config } from '../../../config.ts';
import { openCallerAddress } from '../../../platform/http/caller-address.ts';
import { html } from '../../../platform/http/html.ts';
import type { PageContext } from '../pages/frame.ts';

type Context = { get(name: string): string };

/** Trace id of a request at the provider: the caller's, or one made for it by `providerMiddleware`. */
export const traceOf = (ctx: Context): string => traceIdOf(ctx.get('traceparent')) ?? '0'.repeat(32);

/** The caller's address, as `providerMiddleware` found it. */
export const addressOf = (ctx: Context): string | null => ctx.get('x-forwarded-for') || null;

export const pageContextOf = (ctx: Context): PageContext => ({ cookie: ctx.get('cookie') || undefined, traceId: traceOf(ctx) });

export type ProviderMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Puts a provider at the path of its issuer in a raw Node server. The provider builds its addresses from the Host header; here it only
 * ever sees the configured one, whatever the caller sent.
 * @param tokenOf returns the token that the forms of a sign-in carry
 */
export function providerMiddleware(
  provider: () => Provider,
  config: Config,
  headers: (response: ServerResponse) => void,
  tokenOf: (uid: string) => string,
): ProviderMiddleware {
  const { host, protocol, pathname } = new URL(config.issuerUri);
  const callerOf = openCallerAddress(config.behindProxy);
  let mounted: Mounted | undefined;
  return (request, response) => {
    const current = provider();
    if (mounted?.provider !== current) mounted = mount(current, tokenOf, `${config.appUrl}/auth-callback#`);
    const original = (request as { originalUrl?: string }).originalUrl ?? request.url!;
    const rest = original.slice(pathname.length);
    const ready = request.method === 'GET' ? mounted.ready.get(rest) : undefined;
    if (ready) {
      headers(response);
      response.writeHead(200, { ...ready.headers, 'access-control-allow-origin': request.headers.origin ?? '*' }).end(ready.body);
      return;
    }
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.headers['x-forwarded-for'] = callerOf(request);
    delete request.headers['x-forwarded-host'];
    if (traceIdOf(request.headers.traceparent as string | undefined) === undefined) {
      const id = newTraceId();
      request.headers.traceparent = `00-${id}-${id.slice(16)}-01`;
    }
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    Object.assign(request, { originalUrl: original });
    headers(response);
    void mounted.handle(request, response);
  };
}

type Mounted = {
  provider: Provider;
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  ready: ReadonlyMap<string, { headers: Record<string, string>; body: Buffer }>;
};

/** Public answers of the provider that are constant while it has the same keys: its metadata (RFC 8414) and the keys themselves. */
const sameForAll = new Set(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/jwks']);

/** Caches constant answers as bytes, from the first answer on. */
function mount(provider: Provider, tokenOf: (uid: string) => string, wayBack: string): Mounted {
  const ready = new Map<string, { headers: Record<string, string>; body: Buffer }>();
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.method !== 'GET' || ctx.status !== 200 || !sameForAll.has(ctx.url)) return;
    const body = Buffer.from(JSON.stringify(ctx.body));
    ready.set(ctx.url, {
      headers: { 'content-type': ctx.response.get('content-type'), vary: ctx.response.get('vary'), 'content-length': String(body.length) },
      body,
    });
  });
  provider.use(redirectsAsData(tokenOf));
  provider.use(leadsByPage(wayBack));
  return { provider, handle: provider.callback(), ready };
}

/**
 * Answers a script of this origin that asks for it with the address of a redirect, which `fetch` hides, in place of the redirect: a silent
 * sign-in costs one request less. The code in it is useless without the verifier of the browser that asked (PKCE). Where a sign-in begins with a
 * password, the answer includes the token of its form, so the form already in the browser need not be loaded again.
 */
function redirectsAsData(tokenOf: (uid: string) => string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.get('accept') !== redirectAsJson || ctx.get('sec-fetch-site') !== 'same-origin') return;
    const location = ctx.response.get('location');
    if (!location) return;
    ctx.remove('location');
    ctx.status = 200;
    const uid = ctx.oidc?.session?.accountId === undefined ? ctx.oidc?.entities.Interaction?.uid : undefined;
    const begun: RedirectAsJson = { location, ...(uid !== undefined && { signIn: { uid, csrf: tokenOf(uid) } }) };
    ctx.body = begun;
  };
}

/**
 * Answers the last form of a sign-in with a page that leads to the portal in place of a redirect: after a form, browsers always reload the document
 * behind a redirect, and the callback page is in their cache (apps/portal/src/sign-in-form.ts).
 */
function leadsByPage(wayBack: string) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const location: string | undefined = ctx.response.get('location');
    if (!location?.startsWith(wayBack) || ctx.get('sec-fetch-mode') !== 'navigate') return;
    ctx.remove('location');
    ctx.status = 200;
    ctx.type = 'html';
    ctx.body =
      html`<!doctype html><html lang="en"><meta http-equiv="refresh" content="0;url=${location}"><title>Signing in</title></html>`.markup;
  };
}
