import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Config } from '../../../config.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import { endSession } from '../sessions/sessions.ts';
import type { Database } from '../../../platform/database/index.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Tokens of this age are accepted, and remembered so that each counts once. */
const LIFE_SECONDS = 300;

export type LogoutOptions = {
  db: Database;
  config: Config;
  keyFor: JWTVerifyGetKey;
  clock: () => Date;
  endedHere: (sid: string) => void;
};

class WrongToken extends Error {}

/**
 * Receives a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6) and ends the session it names. One without a
 * `sid` is refused: register the portal with `backchannel_logout_session_required`. Returns the HTTP status: 200, or 400 for an invalid token. Other
 * failures are thrown.
 */
export async function receiveLogoutToken(
  { db, config, keyFor, clock, endedHere }: LogoutOptions,
  token: string,
  line: { traceId: string; address?: string | null },
): Promise<200 | 400> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyFor, {
      issuer: config.issuerUri,
      audience: config.clientId,
      algorithms: config.idTokenAlgs,
      clockTolerance: 5,
      maxTokenAge: LIFE_SECONDS,
      currentDate: clock(),
      requiredClaims: ['jti', 'iat', 'events'],
    });
    const { events, nonce, sid, sub, jti } = payload;
    // Some issuers omit the type, which is only recommended (2.4); an identity token is recognised by its missing events.
    const type = protectedHeader.typ?.toLowerCase();
    if (type !== 'logout+jwt' && (config.embeddedProvider || (type !== undefined && type !== 'jwt'))) throw new WrongToken();
    if (nonce !== undefined || typeof events !== 'object' || events === null || !(event in events)) throw new WrongToken();
    if (typeof sid !== 'string') throw new WrongToken();
    if (!(await first(db, jti!))) throw new WrongToken();
    const activity = {
      action: 'identity.signOut',
      summary: 'Logged out',
      ...line,
      sid,
      login: typeof sub === 'string' ? { issuer: config.issuerUri, subject: sub } : null,
    };
    await db.change(activity, change => endSession(change, sid, 'logged out', { loggedOut: true }));
    endedHere(sid);
    return 200;
  } catch (error) {
    if (error instanceof WrongToken || error instanceof errors.JOSEError) return 400;
    throw error;
  }
}

/** Returns whether a token id is seen for the first time. */
async function first(db: Database, jti: string): Promise<boolean> {
  const seen = new OidcPayloads(db, 'LogoutToken');
  await seen.upsert(jti, {}, LIFE_SECONDS + 60);
  return seen.consume(jti).then(
    () => true,
    () => false,
  );
}
