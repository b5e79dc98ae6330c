import { importJWK, SignJWT } from 'jose';
import { z } from 'zod';
import { circuitBreaker } from '../../../platform/circuit-breaker.ts';
import type { Change } from '../../../platform/database/index.ts';
import type { OutsideSystem } from '../../../platform/module.ts';
import { taskType } from '../../../platform/tasks.ts';
import { openClients, type TokenAlg } from './clients.ts';
import { signingKeys } from './signing-keys.ts';

/** Settings for notifying other systems that a session ended. */
type OtherSystems = {
  issuer: string;
  logoutUriOf(clientId: string): string | null;
  /** The algorithm of its identity tokens (OpenID Connect Back-Channel Logout 1.0, 2.4). */
  tokenAlgOf: (clientId: string) => TokenAlg;
  /** Calls a system, unless it did not answer a moment ago. */
  whileItAnswers: <T>(clientId: string, call: () => Promise<T>) => Promise<T>;
};

/** The systems of CLIENTS_FILE that receive notice of ended sessions; null with a foreign provider, which notifies them itself. */
export const otherSystems: OutsideSystem<OtherSystems | null> = {
  name: 'other systems that sign in here',
  open: ({ config }) => {
    if (!config.embeddedProvider) return null;
    const { metadata, tokenAlgOf } = openClients(config);
    const uris = new Map(metadata.map(client => [client.client_id, client.backchannel_logout_uri]));
    uris.delete(config.clientId);
    const breakers = new Map([...uris.keys()].map(clientId => [clientId, circuitBreaker(clientId)]));
    return {
      issuer: config.issuerUri,
      logoutUriOf: clientId => uris.get(clientId) ?? null,
      tokenAlgOf,
      whileItAnswers: (clientId, call) => breakers.get(clientId)!(call),
    };
  },
};

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Validity of a logout token in seconds: as short as clock differences allow (OpenID Connect Back-Channel Logout 1.0, 4). */
const LIFE_SECONDS = 120;
const CALL_MS = 5_000;
/** Retried for some hours; after that, a system notices at the next renewal. */
const ATTEMPTS = 10;

/**
 * Sends a system the logout token of a session that ended here without a log-out (the provider handles those): a frozen or disabled
 * login, a new password, a session ended from the list. The call is retried until the system accepts it.
 */
export const notifyOtherSystem = taskType({
  name: 'identity.notifyOtherSystem',
  summary: 'Notifying another system of an ended session',
  runner: 'systems',
  input: z.object({ clientId: z.string(), loginId: z.string(), sid: z.string() }),
  run: async ({ db, input: { clientId, loginId, sid }, context }) => {
    const systems = context.outside(otherSystems);
    const uri = systems?.logoutUriOf(clientId);
    // No longer listed, or without a logout address.
    if (!systems || !uri) return;
    const key = (await signingKeys(db.read, context.box)).find(({ alg, retired }) => alg === systems.tokenAlgOf(clientId) && !retired);
    if (!key) throw new Error('There is no key to sign a logout token with.');
    const token = await new SignJWT({ sid, events: { [event]: {} } })
      .setProtectedHeader({ alg: key.alg, typ: 'logout+jwt', kid: key.kid })
      .setIssuer(systems.issuer)
      .setAudience(clientId)
      .setSubject(loginId)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${LIFE_SECONDS}s`)
      .sign(await importJWK(key.privateJwk, key.alg));
    // Sent only to the address in the operator's file (S36).
    const answer = await systems.whileItAnswers(clientId, () =>
      fetch(uri, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
        redirect: 'manual',
        signal: AbortSignal.timeout(CALL_MS),
      }),
    );
    await answer.body?.cancel();
    if (answer.status !== 200 && answer.status !== 204) throw new Error(`${clientId} answered ${answer.status} to a logout token.`);
  },
});

/** A stored session of the provider: what each system got. */
export type Authorizations = Record<string, { sid?: string; grantId?: string }>;

/** Notifies the systems that people continued to in these sessions; the portal notices itself. */
export async function notifyOtherSystems(change: Change, loginId: string, ended: readonly Authorizations[]): Promise<void> {
  const given = ended.flatMap(authorizations =>
    Object.entries(authorizations).flatMap(([clientId, { sid }]) => (sid === undefined ? [] : [{ clientId, sid }])),
  );
  if (given.length === 0) return;
  const sids = given.map(({ sid }) => sid);
  const ofPortal = new Set((await change.selectFrom('session').select('sid').where('sid', 'in', sids).execute()).map(({ sid }) => sid));
  for (const { clientId, sid } of given)
    if (!ofPortal.has(sid)) await change.enqueue(notifyOtherSystem, { clientId, loginId, sid }, { attempts: ATTEMPTS });
}
