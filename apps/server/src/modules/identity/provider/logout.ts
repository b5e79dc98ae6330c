import { setTimeout as wait } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Log } from '../../../platform/log.ts';
import type { Clients } from '../sessions/clients.ts';
import type { SignInPages } from '../sign-in/sign-in-pages.ts';
import { pageContextOf, traceOf } from '../protocol/provider-mount.ts';

/** Time limit, in ms, for another system to accept a log-out. */
const CALL_MS = 5000;
/** How long, in ms, the person who logs out waits for other systems to answer. */
const PATIENCE_MS = 1000;

/** The pages of log-out. */
export const logoutPages = (pages: SignInPages): NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']> => ({
  enabled: true,
  logoutSource: (ctx, form) => {
    const hint = ctx.oidc.entities.IdTokenHint?.payload;
    // Only a client of this very person may sign out without asking: a foreign page has no valid hint (S11).
    const certain = hint !== undefined && hint.sub === ctx.oidc.session?.accountId;
    const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(form)![1]!;
    ctx.body = pages.signOut(pageContextOf(ctx), { action: ctx.oidc.urlFor('end_session_confirm'), xsrf, certain });
  },
  postLogoutSuccessSource: ctx => {
    ctx.body = pages.signedOut(pageContextOf(ctx));
  },
});

export type LogoutCallOptions = {
  clients: Clients;
  /** The portal's own end of back-channel logout, called in process. */
  receiveLogout: (body: URLSearchParams) => Promise<Response>;
  log: Log;
};

/**
 * The only calls the provider makes: logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.5), to the portal in process and to the
 * addresses listed in CLIENTS_FILE, private ones included because the operator listed them. Redirects are not followed (S36). The person
 * waits at most a second for a system that does not answer; the call continues in the background, and its failure is logged.
 */
export const logoutCalls =
  ({ clients, receiveLogout, log }: LogoutCallOptions): NonNullable<Configuration['fetch']> =>
  async (url, init) => {
    const target = new Request(url).url;
    const body = init?.body as URLSearchParams;
    if (target === clients.portalLogoutUri) return receiveLogout(body);
    if (![...clients.logoutUris].some(uri => new URL(uri).href === target))
      throw new Error(`The provider calls nobody but its clients, and not ${target}.`);
    const call = fetch(target, { method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(CALL_MS) });
    const answered = await Promise.race([call, wait(PATIENCE_MS, null, { ref: false })]);
    if (answered) return answered;
    void call.then(
      ({ status }) => {
        if (status !== 200 && status !== 204) log.warn('another system did not accept a log-out', { target, status });
      },
      (error: unknown) => log.warn('another system could not be told of a log-out', { target, error }),
    );
    return new Response(null, { status: 204 });
  };

/** Logs which systems did not accept a log-out; the others did, and the session here is over. */
export function logFailedCalls(provider: Provider, { clients, log }: { clients: Clients; log: Log }): void {
  provider.on('backchannel.error', (ctx: KoaContextWithOIDC, error, { clientId }) => {
    const facts = { traceId: traceOf(ctx), client: clientId, error };
    if (clients.otherSystem(clientId) === null) log.error('a session could not be ended', facts);
    else log.warn('another system could not be told of a log-out', facts);
  });
}
