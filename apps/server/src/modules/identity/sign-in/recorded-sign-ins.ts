import { SECOND_MS } from '@portal/contract/days';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Config } from '../../../config.ts';
import type { Change, Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { unavailability } from '../../../platform/unavailability.ts';
import type { Clients } from '../sessions/clients.ts';
import type { SignInPages } from './sign-in-pages.ts';
import { addressOf, pageContextOf, traceOf } from '../protocol/provider-mount.ts';
import { notifyAboutNewDevice } from './new-device.ts';
import { redeem } from '../protocol/oidc-payloads.ts';
import { isActive, isFirstToWithdraw, withdraw, withdrawGrant } from '../sessions/provider-sessions.ts';
import { endedSince, endSessionOfGrant, recordSessionUse, recordSession } from '../sessions/sessions.ts';

export type RecordOptions = { db: Database; config: Config; clients: Clients; pages: SignInPages; log: Log; clock: () => Date };

/** All sessions of the person, or this one, were ended while the provider was working. */
class EndedMeanwhile extends Error {}

/** Another call that used the same code or token has written the line already. */
class NotedAlready extends Error {}

/**
 * Writes the line of a sign-in, and the portal's `sid`, before the code reaches the browser; and ends the session whose code was used twice.
 * A sign-in that can't be recorded fails; one whose session was ended meanwhile starts again.
 */
export function recordSignIns(provider: Provider, recording: RecordOptions): void {
  const { db, pages, log } = recording;
  provider.on('authorization.success', ctx => {
    ctx.state.admitted = true;
  });
  provider.on('grant.revoked', (ctx, grantId) => {
    ctx.state.revokedGrant = grantId;
  });
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    if (ctx.path === '/token') {
      const late = await redeem(db, ctx, next);
      if (late) ctx.state.revokedGrant ??= ctx.oidc.entities.Grant?.jti;
    } else await next();
    const { admitted, revokedGrant } = ctx.state as { admitted?: boolean; revokedGrant?: string };
    try {
      if (admitted)
        await record(recording, ctx).catch((error: unknown) => {
          if (error instanceof EndedMeanwhile) return startOver(recording, ctx);
          throw error;
        });
      // The page that compares sessions is served before the provider looks at the request.
      const tokens = (ctx as Partial<KoaContextWithOIDC>).oidc?.route === 'token';
      if (tokens && revokedGrant) await endReused(recording, ctx, revokedGrant);
    } catch (error) {
      log.error('a sign-in could not be recorded', { traceId: traceOf(ctx), error });
      const { paused, retrySeconds } = unavailability(error) ?? { paused: false, retrySeconds: 5 };
      ctx.status = 503;
      ctx.set('retry-after', String(retrySeconds));
      ctx.remove('location');
      ctx.type = 'html';
      ctx.body = pages.unavailable(pageContextOf(ctx), { paused, again: null });
    }
  });
}

/** Withdraws what was granted, and makes the browser ask again. */
async function startOver({ db }: RecordOptions, ctx: KoaContextWithOIDC): Promise<void> {
  const { session, client, params } = ctx.oidc;
  await withdraw(db, { uid: session!.uid, grantId: session!.grantIdFor(client!.clientId) });
  const asked = Object.entries(params!).filter((param): param is [string, string] => typeof param[1] === 'string');
  ctx.redirect(`${ctx.oidc.urlFor('authorization')}?${new URLSearchParams(asked).toString()}`);
  ctx.status = 303;
}

/** Writes the line of a sign-in and the session of the portal. @throws EndedMeanwhile */
async function record({ db, config, clients, clock }: RecordOptions, ctx: KoaContextWithOIDC): Promise<void> {
  const { session, client, result } = ctx.oidc;
  const loginId = session!.accountId!;
  const sid = session!.sidFor(client!.clientId)!;
  const signedIn = result?.login !== undefined;
  const stillOpen = async (change: Change): Promise<void> => {
    const sids = Object.values(session!.authorizations ?? {}).flatMap(given => given.sid ?? []);
    const ended = signedIn
      ? await endedSince(change, loginId, { sessionsEnded: result.login!.sessionsEnded as number | undefined, sids })
      : !(await isActive(change, session!.uid));
    if (ended) throw new EndedMeanwhile();
  };
  const amr = session!.amr ?? [];
  const address = addressOf(ctx);
  const how = amr.includes('mfa') ? 'with a second factor' : null;
  const line = { action: 'identity.signIn', traceId: traceOf(ctx), login: { issuer: config.issuerUri, subject: loginId }, amr, address };
  const system = clients.otherSystem(client!.clientId);
  // The other system keeps its own session; here only the person's history grows.
  if (system !== null) {
    const summary = ['Signed in', how, `to go on to ${system}`].filter(Boolean).join(' ');
    if (signedIn)
      await db.change({ ...line, summary }, async change => {
        await stillOpen(change);
        await change.note({ client: client!.clientId });
      });
    else if (!(await isActive(db.unrecorded, session!.uid))) throw new EndedMeanwhile();
    return;
  }
  // Renewed by the portal, or opened again: the person is present.
  const use = { sid, address, at: clock() };
  const known = signedIn ? 'unknown' : await recordSessionUse(db, use);
  if (known === 'ended') throw new EndedMeanwhile();
  if (known === 'open') return;
  const userAgent = ctx.get('user-agent').slice(0, 300) || null;
  const until = new Date((session!.loginTs! + config.sessionAbsoluteSeconds) * SECOND_MS).toISOString();
  const grantId = session!.grantIdFor(client!.clientId) ?? null;
  await db.change({ ...line, summary: ['Signed in', how].filter(Boolean).join(' '), sid }, async change => {
    await stillOpen(change);
    await change.note({ userAgent });
    await notifyAboutNewDevice(change, config, { sid, loginId, address, userAgent });
    await recordSession(change, { sid, loginId, grantId, amr, address, userAgent, until });
  });
  await recordSessionUse(db, use);
}

/**
 * Handles a code or refresh token that was used twice, at the same time or later: another party has seen it. Everything it bought is withdrawn, also
 * from the call that was first (RFC 9700, 4.14), with one line in the activity log.
 */
async function endReused({ db, clients }: RecordOptions, ctx: KoaContextWithOIDC, grantId: string): Promise<void> {
  const system = clients.otherSystem(ctx.oidc.client?.clientId);
  const line = {
    action: 'identity.codeReused',
    summary:
      system === null
        ? 'Ended a session whose sign-in code was used twice'
        : `Withdrew the tokens of ${system}: a code or refresh token was used twice`,
    traceId: traceOf(ctx),
    address: addressOf(ctx),
  };
  await withdrawGrant(db.unrecorded, grantId);
  const withdrawn = db.change(line, async change => {
    if (!(await isFirstToWithdraw(change, grantId))) throw new NotedAlready();
    if (system !== null) await change.note({ client: ctx.oidc.client!.clientId });
    await endSessionOfGrant(change, grantId, 'code used twice');
  });
  await withdrawn.catch((error: unknown) => {
    if (!(error instanceof NotedAlready)) throw error;
  });
}
