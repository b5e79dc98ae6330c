import * as z from 'zod/mini';
import { type ApiScope, apiScopeKeys } from '../api-scopes.ts';
import { corporateOrTechnical, endpoint, group } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Keys an account can have that are neither revoked nor expired. */
export const maxApiKeys = 50;
/** Days a key can be valid. */
export const maxApiKeyDays = 731;
/** Networks a key can be limited to. */
export const maxApiKeyNetworks = 20;
/** Hours the secret before a rotation can stay valid. */
export const maxRotationHours = 168;
/** Days of use that a list shows, today included. */
export const apiKeyUseDays = 14;
/** Days a key that was revoked or has expired stays in the list. */
export const apiKeyKeptDays = 90;

const Scope = z.enum(apiScopeKeys as [ApiScope, ...ApiScope[]]);

/**
 * `active`: it works. `rotating`: it works, and so does the secret from before the last rotation. `expired`: past its end date. `revoked`: by a
 * contact. `creator-gone`: its creator is no longer a corporate or technical contact who can sign in, so it doesn't work.
 */
export const apiKeyStates = ['active', 'rotating', 'expired', 'revoked', 'creator-gone'] as const;

export const ApiKey = z.object({
  apiKeyId: z.string(),
  label: z.string(),
  /** The beginning of its secret, by which it is recognised: `mr_live_7Qm2Kx41`. */
  prefix: z.string(),
  state: z.enum(apiKeyStates),
  /** The contact who created it: it can do no more than this person. */
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  scopes: z.array(Scope),
  /** Addresses it can be used from, as prefixes; empty: any. */
  networks: z.array(z.string()),
  /** Until when the secret from before the last rotation works; null if it doesn't. */
  oldSecretUntil: z.nullable(z.iso.datetime()),
  /** The beginning of that secret, when it was replaced, and the last call with it since; null without one. */
  oldSecret: z.nullable(
    z.object({
      prefix: z.string(),
      replacedAt: z.iso.datetime(),
      lastUse: z.nullable(z.object({ at: z.iso.datetime(), address: z.string() })),
    }),
  ),
  revokedAt: z.nullable(z.iso.datetime()),
  /** Null if never used. Up to date within seconds. */
  lastUse: z.nullable(z.object({ at: z.iso.datetime(), address: z.string() })),
  /** Calls of each of the last days (UTC), today last, refused ones included. */
  calls: z.array(z.int()),
  /** Of those, the refused ones. */
  refusedCalls: z.int(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const Scopes = z.array(Scope).check(z.minLength(1, { error: 'Choose at least one scope' }), z.maxLength(apiScopeKeys.length));
/** Addresses and prefixes a key can be used from; empty: any. */
const Networks = z._default(z.array(oneLine(50, 1)).check(z.maxLength(maxApiKeyNetworks, { error: 'Enter at most 20 prefixes' })), []);

const withSecret = z.object({
  apiKey: ApiKey,
  /** Shown once and stored nowhere. Null in the answer to a repeated call: rotate the key if it was lost. */
  secret: z.nullable(z.string()),
});

/** Keys with which programs use the registry API. */
export const apiKeys = group('apiKeys', {
  listApiKeys: endpoint({
    method: 'GET',
    path: '/api/:account/api-keys',
    summary:
      'The API keys of the account with their use, active ones first; to technical contacts, their own. Revoked and expired ones are listed for 90 days.',
    access: corporateOrTechnical,
    answer: z.object({ rows: z.array(ApiKey) }),
  }),
  createApiKey: endpoint({
    method: 'POST',
    path: '/api/:account/api-keys',
    summary: 'Create an API key. Its secret is answered once.',
    access: corporateOrTechnical,
    effect: 'keys',
    body: z.object({
      label: oneLine(40, 3),
      scopes: Scopes,
      days: z.int().check(z.minimum(1, { error: 'Enter 1 to 731 days' }), z.maximum(maxApiKeyDays, { error: 'Enter 1 to 731 days' })),
      networks: Networks,
    }),
    answer: withSecret,
    errors: ['INVALID_REQUEST', 'NO_PERMISSION', 'TOO_MANY_API_KEYS', 'API_KEY_LABEL_TAKEN'],
    activity: 'Created an API key',
    onceOnly: ['secret'],
  }),
  rotateApiKey: endpoint({
    method: 'POST',
    path: '/api/:account/api-keys/:apiKeyId/rotation',
    summary: 'Give an API key a new secret, answered once. The one before stays valid for the given hours.',
    access: corporateOrTechnical,
    effect: 'keys',
    body: z.object({
      /** 0: the previous secret stops working immediately. */
      overlapHours: z._default(
        z.int().check(z.minimum(0), z.maximum(maxRotationHours, { error: 'The old secret can stay valid for at most 168 hours' })),
        24,
      ),
    }),
    answer: withSecret,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'NO_PERMISSION'],
    activity: 'Rotated an API key',
    onceOnly: ['secret'],
  }),
  changeApiKey: endpoint({
    method: 'POST',
    path: '/api/:account/api-keys/:apiKeyId',
    summary: 'Change the scopes and allowed addresses of an API key. It applies to the next call.',
    access: corporateOrTechnical,
    effect: 'keys',
    body: z.object({ scopes: Scopes, networks: Networks }),
    answer: ApiKey,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'ALREADY_RESOLVED', 'NO_PERMISSION', 'NOTHING_TO_DO'],
    activity: 'Changed an API key',
  }),
  keepOldSecret: endpoint({
    method: 'POST',
    path: '/api/:account/api-keys/:apiKeyId/old-secret',
    summary: 'Set how long the secret from before the last rotation keeps working, or end it immediately.',
    access: corporateOrTechnical,
    effect: 'keys',
    body: z.object({
      /** From now; 0: it stops working immediately. */
      hours: z.int().check(z.minimum(0), z.maximum(maxRotationHours, { error: 'The old secret can stay valid for at most 168 hours' })),
    }),
    answer: ApiKey,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Changed how long an old secret works',
  }),
  revokeApiKey: endpoint({
    method: 'POST',
    path: '/api/:account/api-keys/:apiKeyId/revocation',
    summary: 'Revoke an API key: calls with it are refused immediately. This can’t be undone.',
    access: corporateOrTechnical,
    effect: 'protection',
    answer: ApiKey,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Revoked an API key',
  }),
});
