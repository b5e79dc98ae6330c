import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Database } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import { newTotpSecret, stepOf } from './totp.ts';

/** An authenticator app being added: what its owner enters into it. It is enrolled only once one of its codes is confirmed. */
export type AuthenticatorEnrolment = {
  /** Sent back by the form; useless without the person's session. */
  enrolment: string;
  /** Base 32, for typing. */
  secret: string;
  /** `otpauth://totp/…`, for the QR code and for phones. */
  uri: string;
};

/** An authenticator app whose code was right, not stored yet. */
export type NewAuthenticator = { loginId: string; secret: string; lastStep: number };

const ENROLMENT_SECONDS = 600;
const enrolments = (db: Database): OidcPayloads => new OidcPayloads(db, 'AuthenticatorEnrolment');
const sealName = (loginId: string): string => `authenticator enrolment ${loginId}`;

/** Returns the address that authenticator apps read from a QR code (Key URI format); issuer and account appear in their list. */
const keyUri = (secret: string, { email, product }: { email: string; product: string }): string =>
  new TOTP({ issuer: product, label: email, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).toString();

/** Starts adding an authenticator app, which can be confirmed for ten minutes. */
export async function beginAuthenticator(
  db: Database,
  box: SecretBox,
  person: { loginId: string; email: string; product: string },
): Promise<AuthenticatorEnrolment> {
  const enrolment = randomBytes(16).toString('base64url');
  const secret = newTotpSecret();
  const sealed = box.seal(sealName(person.loginId), secret).toString('base64');
  await enrolments(db).upsert(enrolment, { loginId: person.loginId, sealed } as never, ENROLMENT_SECONDS);
  return { enrolment, secret, uri: keyUri(secret, person) };
}

/** The enrolment of a form that is shown again; null when it has expired. */
export async function findEnrolment(
  db: Database,
  box: SecretBox,
  person: { loginId: string; email: string; product: string },
  enrolment: string,
): Promise<AuthenticatorEnrolment | null> {
  const found = (await enrolments(db).find(enrolment)) as { loginId: string; sealed: string; consumed?: boolean } | undefined;
  if (!found || found.consumed || found.loginId !== person.loginId) return null;
  const secret = box.open(sealName(person.loginId), Buffer.from(found.sealed, 'base64')).toString();
  return { enrolment, secret, uri: keyUri(secret, person) };
}

/**
 * Confirms the app with a code it shows; then it can be stored, once (`addAuthenticator`). `wrong`: another code may be tried; `over`: ten minutes
 * have passed, or it is already confirmed.
 */
export async function confirmAuthenticator(
  db: Database,
  box: SecretBox,
  { loginId, enrolment, code, now }: { loginId: string; enrolment: string; code: string; now: Date },
): Promise<NewAuthenticator | 'wrong' | 'over'> {
  const found = await findEnrolment(db, box, { loginId, email: '', product: '' }, enrolment);
  if (!found) return 'over';
  const lastStep = stepOf(Secret.fromBase32(found.secret).bytes, code.replaceAll(/\s/g, ''), now);
  if (lastStep === null) return 'wrong';
  return enrolments(db)
    .consume(enrolment)
    .then(
      () => ({ loginId, secret: found.secret, lastStep }),
      () => 'over' as const,
    );
}
