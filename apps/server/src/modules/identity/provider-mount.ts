import { traceIdOf } from '@portal/contract/trace';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Config } from '../../config.ts';
import type { PageContext } from './pages/frame.ts';

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
 */
export function providerMiddleware(
  provider: () => Provider,
  config: Config,
  headers: (response: ServerResponse) => void,
): ProviderMiddleware {
  const { host, protocol, pathname } = new URL(config.issuerUri);
  let callback: { provider: Provider; handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> } | undefined;
  return (request, response) => {
    const current = provider();
    if (callback?.provider !== current) callback = { provider: current, handle: current.callback() };
    const original = (request as { originalUrl?: string }).originalUrl ?? request.url!;
    const address = peerAddress(request, config.behindProxy);
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    if (address === null) delete request.headers['x-forwarded-for'];
    else request.headers['x-forwarded-for'] = address;
    delete request.headers['x-forwarded-host'];
    if (traceIdOf(request.headers.traceparent as string | undefined) === undefined)
      request.headers.traceparent = `00-${crypto.randomUUID().replaceAll('-', '')}-${crypto.randomUUID().replaceAll('-', '').slice(16)}-01`;
    const rest = original.slice(pathname.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    Object.assign(request, { originalUrl: original });
    headers(response);
    void callback.handle(request, response);
  };
}

/** The caller's address: the peer's, or behind a proxy the first the proxies name. */
function peerAddress(request: IncomingMessage, behindProxy: boolean): string | null {
  const forwarded = behindProxy
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')[0]!
        .trim()
    : '';
  return forwarded || request.socket.remoteAddress || null;
}
