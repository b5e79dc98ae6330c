import { createHash } from 'node:crypto';
import {
  createLocalJWKSet,
  customFetch,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Config, ProfileClaim } from '../../../config.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { refuse, refuseWith } from '../../../platform/failure.ts';
import { fetchAtMost } from './provider-answer.ts';
import type { ForeignPeople } from './foreign-person.ts';
import type { TokenClaims } from './token-claims.ts';
import { type LoginFacts, LONGEST_TOKEN_SECONDS, type SessionValidity } from '../sessions/session-validity.ts';

type Settings = Pick<Config, 'issuerUri' | 'clientId' | 'apiAudiences' | 'idTokenAlgs' | 'mfaAmr' | 'mfaAcr' | 'claimNames'>;

/** Clocks of two machines may differ by this much. */
const TOLERANCE_SECONDS = 5;
const MAX_TOKENS = 10_000;

/** Source of the issuer's public keys. */
export type IssuerKeys = { keyFor: JWTVerifyGetKey; keysChanged(keys: JSONWebKeySet): void };

/** The keys of the provider in this process. `reload` is called, at most every ten seconds, for an unknown key. */
export function ownKeys(reload: () => Promise<void>, clock: () => Date): IssuerKeys {
  let known = createLocalJWKSet({ keys: [] });
  let asked = 0;
  return {
    keyFor: async (header, token) => {
      try {
        return await known(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || clock().getTime() - asked < 10_000) throw error;
        asked = clock().getTime();
        await reload();
        return known(header, token);
      }
    },
    keysChanged: keys => {
      known = createLocalJWKSet(keys);
    },
  };
}

/** Maximum size of a provider's answer in bytes: its metadata and keys are a few thousand. */
const LARGEST_ANSWER = 200_000;
const call = (url: string, options: RequestInit): Promise<Response> => fetchAtMost(LARGEST_ANSWER, url, options);

/** The keys of a foreign provider, by its discovery document; fetched when first needed and when a token names an unknown key. */
export function foreignKeys(issuer: string): IssuerKeys {
  let found: Promise<JWTVerifyGetKey> | undefined;
  const discover = async (): Promise<JWTVerifyGetKey> => {
    const answer = await call(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    });
    const document = (await answer.json()) as { issuer?: string; jwks_uri?: string };
    if (document.issuer?.replace(/\/$/, '') !== issuer.replace(/\/$/, '') || !document.jwks_uri)
      throw new Error(`The provider at ${issuer} describes itself as ${document.issuer}.`);
    return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: 5000, [customFetch]: call });
  };
  return {
    keyFor: async (header, token) => {
      found ??= discover();
      const keys = await found.catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      return keys(header, token);
    },
    keysChanged: () => {},
  };
}

const rejected = () => refuseWith({ 'www-authenticate': 'Bearer error="invalid_token"' }, 'NOT_SIGNED_IN');
/** Groups are an array of texts; a provider may write a single one as a text. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '');
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns why a token was not verified: it is wrong (the caller's fault), or it could not be checked. */
const isWrong = (error: unknown): boolean =>
  error instanceof errors.JWTExpired ||
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWTInvalid ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSEAlgNotAllowed ||
  error instanceof errors.JOSENotSupported;

/** Verifies an identity token: signed by a key of the issuer, for one of our audiences, in its time, and no token of another kind. */
export function tokenVerifier(settings: Settings, keys: IssuerKeys, clock: () => Date): (token: string) => Promise<TokenClaims> {
  const audiences = [settings.clientId, ...settings.apiAudiences];
  return async token => {
    let payload: JWTPayload;
    let type: string | undefined;
    try {
      const verified = await jwtVerify(token, keys.keyFor, {
        issuer: settings.issuerUri,
        audience: audiences,
        algorithms: settings.idTokenAlgs,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: clock(),
        requiredClaims: ['sub', 'exp', 'iat', 'aud'],
        // Even if a foreign provider allows more: ended sessions are remembered for this long.
        maxTokenAge: LONGEST_TOKEN_SECONDS,
      });
      payload = verified.payload;
      type = verified.protectedHeader.typ;
    } catch (error) {
      if (isWrong(error)) throw rejected();
      throw refuse('UNAVAILABLE');
    }
    const { azp, aud, iat, amr, acr, auth_time: authTime, sub, exp } = payload;
    // Logout tokens (logout+jwt) and access tokens (at+jwt) of the same issuer are no proof of sign-in.
    if ((type !== undefined && type.toUpperCase() !== 'JWT') || 'events' in payload) throw rejected();
    if ((Array.isArray(aud) && aud.length > 1) || azp !== undefined) {
      if (typeof azp !== 'string' || !audiences.includes(azp)) throw rejected();
    }
    if (iat! > clock().getTime() / 1000 + TOLERANCE_SECONDS) throw rejected();
    if (!text(sub)) throw rejected();
    const methods = Array.isArray(amr) ? amr.filter(method => typeof method === 'string') : [];
    const level = text(acr);
    const claim = (ours: ProfileClaim): unknown => payload[settings.claimNames[ours] ?? ours];
    return {
      issuer: settings.issuerUri,
      subject: sub!,
      sid: text(payload.sid),
      amr: methods,
      acr: level,
      authTime: typeof authTime === 'number' && authTime > 0 ? authTime : null,
      mfa: methods.some(method => settings.mfaAmr.includes(method)) || (level !== null && settings.mfaAcr.includes(level)),
      issuedAt: iat!,
      expiresAt: Math.min(exp!, iat! + LONGEST_TOKEN_SECONDS),
      profile: {
        nickname: text(claim('nickname')),
        displayName: text(claim('display_name')),
        fullName: text(claim('full_name')),
        name: text(claim('name')),
        email: text(claim('email')),
        emailVerified: claim('email_verified') === true,
      },
      groups: textsIn(claim('groups')),
    };
  };
}

/** The login of a person of another provider, brought to what its new token says: names, address, and groups. */
async function meet(foreign: ForeignPeople, claims: TokenClaims, known: LoginFacts | null): Promise<LoginFacts> {
  return foreign.applyGroups(claims, known ? await foreign.meetAgain(claims, known) : await foreign.firstSight(claims));
}

/**
 * Checks the bearer of a call. Verified tokens are remembered until they expire, so the usual call costs neither a signature nor SQL;
 * session and login are checked every time (`SessionValidity`).
 * @param foreign stores the logins of people from a foreign provider; null where there is none.
 * @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE
 */
export function bearerVerifier(
  verify: (token: string) => Promise<TokenClaims>,
  validity: SessionValidity,
  clock: () => Date,
  foreign: ForeignPeople | null,
): (authorization: string | undefined) => Promise<Caller> {
  const verified = new Map<string, TokenClaims>();
  const remember = (key: string, claims: TokenClaims): void => {
    if (verified.size >= MAX_TOKENS) verified.delete(verified.keys().next().value!);
    verified.set(key, claims);
  };
  return async authorization => {
    if (authorization === undefined) throw refuseWith({ 'www-authenticate': 'Bearer' }, 'NOT_SIGNED_IN');
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization)?.[1];
    if (token === undefined) throw rejected();
    const key = createHash('sha256').update(token).digest('base64');
    let claims = verified.get(key);
    const isNew = claims === undefined;
    if (claims) {
      verified.delete(key);
      if (claims.expiresAt + TOLERANCE_SECONDS <= clock().getTime() / 1000) throw rejected();
    } else claims = await verify(token);
    remember(key, claims);
    const validityNow = validity.of(claims.issuer, claims.subject, claims.sid);
    let facts = validityNow instanceof Promise ? await validityNow : validityNow;
    if (foreign && (!facts || isNew))
      facts = await meet(foreign, claims, facts).catch((error: unknown) => {
        // Retried at the next call.
        verified.delete(key);
        throw error;
      });
    if (!facts) throw rejected();
    return {
      loginId: facts.loginId,
      issuer: claims.issuer,
      subject: claims.subject,
      name: facts.name,
      email: facts.email,
      sid: claims.sid,
      amr: claims.amr,
      acr: claims.acr,
      authTime: claims.authTime,
      expiresAt: claims.expiresAt,
      mfa: claims.mfa,
      staff: facts.staff,
      // Read by admission, on every call.
      staffPermissions: new Set(),
    };
  };
}
