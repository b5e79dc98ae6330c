import { isOfTypes } from '@portal/contract/admission';
import { type ApiScope, permissionsOfScopes } from '@portal/contract/api-scopes';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { newTraceId } from '@portal/contract/trace';
import { sql } from 'kysely';
import type { AdmittedKey, KeyCall } from '../../platform/admission.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ActivityInfo } from '../../platform/database/index.ts';
import { refuse, refuseWith } from '../../platform/failure.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { membershipAsJson, membershipFrom } from '../accounts/index.ts';
import { announceForeignUse } from './api-key-notices.ts';
import { hashOf, keyKinds, kindOf, secretIn } from './api-key-secret.ts';
import { openApiKeyUse } from './api-key-use.ts';
import { openCallLimits } from './call-limits.ts';

/** Interval in which the corporate contacts are notified of at most one foreign use of a key. */
const ALARM_EVERY_MS = HOUR_MS;

type Row = {
  apiKeyId: string;
  accountName: string;
  label: string;
  prefix: string;
  scopes: ApiScope[];
  loginId: string;
  issuer: string;
  subject: string;
  name: string;
  email: string;
  expiresAt: string;
  endsAt: string | null;
  revokedAt: string | null;
  blocked: boolean;
  fromAllowedAddress: boolean;
  membership: Parameters<typeof membershipFrom>[0];
};

const refused = (why: string) => refuseWith({ 'www-authenticate': 'Bearer error="invalid_token"' }, 'API_KEY_REFUSED', { why });

export type ApiKeyVerifier = {
  /**
   * Finds the calling key, and its creator's membership of the account. Key, creator and membership are read from the database on every call, so that a revoked
   * key stops in every process immediately. @throws Failure API_KEY_REFUSED, TOO_MANY_REQUESTS, ACCOUNT_NOT_FOUND, API_KEY_ADDRESS, API_KEY_SCOPE
   */
  verify: (call: KeyCall) => Promise<AdmittedKey>;
  /** Counts an answered call. */
  noteCall: (call: { apiKeyId: string; address: string; refused: boolean }) => void;
  /** Stores the counts so far. */
  storeUse: () => Promise<void>;
  close: () => Promise<void>;
};

/** Opens the verifier of calls that programs make with API keys. */
export function openApiKeyVerifier({ db, clock, log, config }: Pick<ModuleContext, 'db' | 'clock' | 'log' | 'config'>): ApiKeyVerifier {
  const use = openApiKeyUse(db, { clock, log });
  const own = config.sandbox ? 'sandbox' : 'registry';
  const limitOf = openCallLimits(config.apiCallsPerSecond);
  /** Known keys by hash: only those are counted before the database is asked. */
  const met = new Map<string, string>();
  const meet = (digest: string, apiKeyId: string): void => {
    if (met.size >= 10_000) met.delete(met.keys().next().value!);
    met.set(digest, apiKeyId);
  };

  const verify = async (call: KeyCall): Promise<AdmittedKey> => {
    if (call.authorization === undefined) throw refuseWith({ 'www-authenticate': 'Bearer' }, 'API_KEY_MISSING');
    const secret = secretIn(call.authorization);
    if (secret === null) throw refused(`it is mistyped or incomplete. Keys begin with ${keyKinds[own]}`);
    // A sandbox has the keys of its copy: one revoked since must not work there, and a test must not reach the registry.
    if (kindOf(secret) !== own)
      throw refused(
        own === 'sandbox'
          ? `it is a key of the registry. Create one in the sandbox, which begins with ${keyKinds.sandbox}`
          : `it is a key of the sandbox. Keys of the registry begin with ${keyKinds.registry}`,
      );
    const hash = hashOf(secret);
    const digest = hash.toString('base64');
    const known = met.get(digest);
    if (known !== undefined) count(known, call);
    const row = await findKey(hash, call.address);
    if (!row) throw refused('it doesn’t exist');
    if (known === undefined) {
      meet(digest, row.apiKeyId);
      count(row.apiKeyId, call);
    }
    const why = whyNot(row, clock());
    if (why !== null) throw refused(why);
    if (!row.fromAllowedAddress) {
      await alarm(row, call.address);
      throw refuse('API_KEY_ADDRESS', { address: call.address });
    }
    const admitted = admittedKey(row, call, clock());
    if (row.endsAt !== null) use.noteOld({ apiKeyId: row.apiKeyId, address: call.address });
    return admitted;
  };

  /** @throws Failure TOO_MANY_REQUESTS */
  const count = (apiKeyId: string, call: KeyCall): void => {
    const { allowed, retrySeconds, headers } = limitOf(apiKeyId);
    call.onKey(apiKeyId, headers);
    if (!allowed) throw refuseWith(headers, 'TOO_MANY_REQUESTS', { seconds: String(retrySeconds) });
  };

  const findKey = async (hash: Buffer, address: string): Promise<Row | undefined> => {
    const [row] = await db.read.rows<Row>(sql`
      select k.api_key_id::text, k.account_name, k.label, s.prefix, k.scopes, k.login_id, k.issuer, k.subject, l.full_name as name, l.email, k.expires_at, s.ends_at,
        k.revoked_at, l.disabled_at is not null or l.frozen_at is not null as blocked,
        cardinality(k.networks) = 0 or ${address}::inet <<= any (k.networks::inet[]) as from_allowed_address,
        ${membershipAsJson(sql`k.login_id`, sql`k.account_name`)} as membership
      from api_key_secret s join api_key k using (api_key_id) join login l using (login_id) where s.hash = ${hash}`);
    return row;
  };

  /** Notifies the corporate contacts of a foreign use, once an hour for a key. */
  const alarm = async ({ apiKeyId, accountName, label, prefix }: Row, address: string): Promise<void> => {
    const line: ActivityInfo = {
      action: 'apiKeys.noticeForeignUse',
      summary: 'Refused an API key from a foreign address',
      traceId: newTraceId(),
      accountName,
      sid: `api-key-${apiKeyId}`,
      amr: ['api-key'],
      address,
    };
    const before = instantBefore(clock(), ALARM_EVERY_MS);
    const [keyRow] = await db.read.rows(
      sql`select from api_key where api_key_id = ${apiKeyId}::bigint and (alarmed_at is null or alarmed_at < ${before}::timestamptz)`,
    );
    if (!keyRow) return;
    await db.change(line, async change => {
      const [first] = await change.rows(sql`update api_key set alarmed_at = ${change.now}::timestamptz
        where api_key_id = ${apiKeyId}::bigint and (alarmed_at is null or alarmed_at < ${before}::timestamptz) returning api_key_id`);
      if (!first) return;
      await change.note({ label, address });
      await announceForeignUse(change, { accountName, apiKeyId, label, prefix, address });
    });
    log.warn('security event', { event: 'api-key-foreign-address', apiKeyId, address });
  };

  return { verify, noteCall: use.note, storeUse: use.store, close: use.close };
}

/** Admits a valid key to its account, with its scopes. @throws Failure ACCOUNT_NOT_FOUND, API_KEY_SCOPE, and the one of a key that is refused */
function admittedKey(row: Row, call: KeyCall, now: Date): AdmittedKey {
  if (row.accountName !== call.accountName) throw refuse('ACCOUNT_NOT_FOUND', { account: call.accountName });
  const caller = callerOf(row, now);
  const account = membershipFrom(row.membership);
  if (!account || account.accountStatus === 'closed' || !isOfTypes({ orTechnical: true }, account.contactTypes))
    throw refused('its creator is no longer a corporate or technical contact of the account');
  if (!row.scopes.includes(call.scope)) throw refuse('API_KEY_SCOPE', { scope: call.scope });
  const allowed = permissionsOfScopes(row.scopes);
  return {
    apiKeyId: row.apiKeyId,
    caller,
    // Least privilege: handlers' special rights of corporate contacts aren't for programs.
    account: {
      ...account,
      contactTypes: [],
      permissions: new Set([...account.permissions].filter(permission => allowed.has(permission))),
    },
  };
}

const callerOf = ({ loginId, issuer, subject, name, email, apiKeyId, expiresAt }: Row, now: Date): Caller => ({
  loginId,
  issuer,
  subject,
  name,
  email,
  sid: `api-key-${apiKeyId}`,
  amr: ['api-key'],
  acr: null,
  // A fresh second factor was given when the key was made, which decided what it may do unattended.
  authTime: Math.floor(now.getTime() / 1000),
  expiresAt: Math.floor(Date.parse(expiresAt) / 1000),
  mfa: true,
  staff: false,
  staffPermissions: new Set(),
});

function whyNot({ revokedAt, expiresAt, endsAt, blocked }: Row, now: Date): string | null {
  if (revokedAt !== null) return 'it was revoked';
  if (Date.parse(expiresAt) <= now.getTime()) return 'it has expired';
  if (endsAt !== null && Date.parse(endsAt) <= now.getTime()) return 'it was replaced by a new secret';
  return blocked ? 'the login of its creator is blocked' : null;
}
