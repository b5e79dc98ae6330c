import { SECOND_MS } from '@portal/contract/days';
import { newTraceId } from '@portal/contract/trace';
import { importJWK, SignJWT } from 'jose';
import { acrOf, type Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import { portalTokenAlg } from '../sessions/clients.ts';
import { findLogin } from '../logins/logins.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { recordSession } from '../sessions/sessions.ts';
import { ensureSigningKeys, signingKeys } from '../sessions/signing-keys.ts';

/**
 * A bearer for a demo person, as if they had just signed in; it ends with `login disable`, log-out or after TOKEN_SECONDS.
 * @throws Error outside demo mode, with a foreign provider, and for people who aren't demo people.
 */
export async function mintToken(
  db: Database,
  config: Config,
  name: string,
  { mfa = false, clock = () => new Date() }: { mfa?: boolean; clock?: () => Date } = {},
): Promise<string> {
  if (!config.demoMode) throw new Error('Tokens are printed in demo mode only: sign in at the portal instead.');
  if (!config.embeddedProvider) throw new Error(`Tokens come from ${config.issuerUri} (ISSUER_URI), not from here.`);
  const login = await findLogin(db.read, name);
  if (!login) throw new Error(`There is no login "${name}". Give a user name or an e-mail address.`);
  if (login.demoRole === null) throw new Error(`"${login.username}" is not a demo person.`);
  if (login.disabledAt !== null) throw new Error(`The login "${login.username}" is disabled.`);
  const traceId = newTraceId();
  const box = openSecretBox(config);
  await ensureSigningKeys(db, box, traceId);
  const key = (await signingKeys(db.read, box)).find(({ alg, retired }) => alg === portalTokenAlg(config) && !retired)!;
  const sid = crypto.randomUUID();
  const amr = mfa ? ['pwd', 'otp', 'mfa'] : ['pwd'];
  const issuedAt = Math.floor(clock().getTime() / 1000);
  const expiresAt = issuedAt + config.tokenSeconds;
  const line = {
    action: 'identity.mintToken',
    summary: 'Made a token for a demo person',
    traceId,
    login: { issuer: config.issuerUri, subject: login.loginId },
    sid,
    amr,
  };
  await db.change(line, change =>
    recordSession(change, {
      sid,
      loginId: login.loginId,
      grantId: null,
      amr,
      address: null,
      until: new Date(expiresAt * SECOND_MS).toISOString(),
    }),
  );
  return new SignJWT({
    sid,
    amr,
    acr: acrOf(mfa ? 'mfa' : '1fa'),
    auth_time: issuedAt,
    azp: config.clientId,
    userid: login.username,
    name: login.displayName,
    email: login.email,
    email_verified: login.emailVerified,
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT' })
    .setIssuer(config.issuerUri)
    .setSubject(login.loginId)
    .setAudience(config.clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(key.privateJwk, key.alg));
}
