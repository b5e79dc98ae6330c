import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { type ApiKey, type apiKeys, maxApiKeys } from '@portal/contract/api-keys/api-keys';
import { type ApiScope, apiScopeKeys, canGrantScope } from '@portal/contract/api-scopes';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { addressBits, parseAddress, parsePrefix, printAddress, printPrefix, ResourceSyntaxError } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Change } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse, refuseFields } from '../../platform/failure.ts';
import { lockOwnAccount } from '../accounts/index.ts';
import { announceApiKey } from './api-key-notices.ts';
import { apiKeysOf } from './api-key-row.ts';
import { hashOf, newSecret, prefixOf } from './api-key-secret.ts';

type WithSecret = AnswerOf<typeof apiKeys.createApiKey>;

/** The keys of the account; to a technical contact, their own. */
export const listApiKeys = async ({
  read,
  account,
  caller,
  registry: { now },
}: Act<typeof apiKeys.listApiKeys>): Promise<{ rows: ApiKey[] }> => ({
  rows: await apiKeysOf(read, { accountName: account.accountName, now, createdBy: ownOnly(account, caller) }),
});

/** Creates a key and returns it with its secret. @throws Failure as the contract lists */
export async function createApiKey({
  change,
  account,
  caller,
  body,
  registry: { now, config },
}: Act<typeof apiKeys.createApiKey>): Promise<WithSecret> {
  const { label, days } = body;
  const networks = networksIn(body.networks);
  const scopes = apiScopeKeys.filter(scope => body.scopes.includes(scope));
  refuseUnheld(scopes, account);
  const { accountName } = await lockOwnAccount(change, account);
  const [active] = await change.rows<{ count: number; taken: boolean }>(sql`
    select (count(*) filter (where expires_at > ${change.now}::timestamptz))::int as count, coalesce(bool_or(lower(label) = lower(${label})), false) as taken
    from api_key where account_name = ${accountName} and revoked_at is null`);
  if (active!.taken) throw refuse('API_KEY_LABEL_TAKEN', { label }).at('label');
  if (active!.count >= maxApiKeys) throw refuse('TOO_MANY_API_KEYS', { most: String(maxApiKeys) });
  const [{ apiKeyId } = { apiKeyId: '' }] = await change.rows<{ apiKeyId: string }>(sql`
    insert into api_key (account_name, label, scopes, networks, login_id, issuer, subject, created_at, expires_at)
    values (${accountName}, ${label}, ${scopes}::text[], ${networks}::text[]::cidr[], ${caller.loginId}, ${caller.issuer}, ${caller.subject}, ${change.now}::timestamptz,
      ${instantAfter(change.now, days * DAY_MS)}::timestamptz) returning api_key_id::text`);
  const secret = await addSecret(change, apiKeyId, config);
  await change.note({ label, scopes, networks, days });
  await announceApiKey(change, { accountName, apiKeyId, label, act: 'created', by: caller.name, scopes, networks });
  return { apiKey: await keyOf(change, { accountName, now, apiKeyId }), secret };
}

/** Gives a key a new secret; the previous one works for some more hours, older ones stop. @throws Failure as the contract lists */
export async function rotateApiKey({
  change,
  account,
  caller,
  params: { apiKeyId },
  body: { overlapHours },
  registry: { now, config },
}: Act<typeof apiKeys.rotateApiKey>): Promise<WithSecret> {
  const { accountName } = await lockOwnAccount(change, account);
  const key = await usableKey(change, { accountName, now, apiKeyId, createdBy: ownOnly(account, caller) });
  // The new secret has the key's rights, so its recipient must be able to grant all of them.
  refuseUnheld(key.scopes, account);
  const endsAt = instantAfter(change.now, overlapHours * HOUR_MS);
  await change.rows(sql`update api_key_secret set ends_at = case when ends_at is null then ${endsAt}::timestamptz else ${change.now}::timestamptz end
    where api_key_id = ${apiKeyId}::bigint and (ends_at is null or ends_at > ${change.now}::timestamptz)`);
  const secret = await addSecret(change, apiKeyId, config);
  await change.note({ label: key.label, overlapHours });
  await announceApiKey(change, {
    accountName,
    apiKeyId,
    label: key.label,
    act: 'rotated',
    by: caller.name,
    oldSecretUntil: overlapHours === 0 ? null : endsAt,
  });
  return { apiKey: await keyOf(change, { accountName, now, apiKeyId }), secret };
}

/** Changes scopes and allowed addresses of a key. @throws Failure as the contract lists */
export async function changeApiKey({
  change,
  account,
  caller,
  params: { apiKeyId },
  body,
  registry: { now },
}: Act<typeof apiKeys.changeApiKey>): Promise<ApiKey> {
  const networks = networksIn(body.networks);
  const scopes = apiScopeKeys.filter(scope => body.scopes.includes(scope));
  const { accountName } = await lockOwnAccount(change, account);
  const key = await usableKey(change, { accountName, now, apiKeyId, createdBy: ownOnly(account, caller) });
  refuseUnheld(
    scopes.filter(scope => !key.scopes.includes(scope)),
    account,
  );
  if (String(scopes) === String(key.scopes) && String(networks) === String(key.networks))
    throw refuse('NOTHING_TO_DO', { why: 'the key is like this already' });
  await change.rows(
    sql`update api_key set scopes = ${scopes}::text[], networks = ${networks}::text[]::cidr[] where api_key_id = ${apiKeyId}::bigint`,
  );
  await change.note({ label: key.label, scopes, networks });
  await announceApiKey(change, { accountName, apiKeyId, label: key.label, act: 'changed', by: caller.name, scopes, networks });
  return keyOf(change, { accountName, now, apiKeyId });
}

/** Sets how long the secret before the last rotation works; one that has ended stays ended. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function keepOldSecret({
  change,
  account,
  caller,
  params: { apiKeyId },
  body: { hours },
  registry: { now },
}: Act<typeof apiKeys.keepOldSecret>): Promise<ApiKey> {
  const { accountName } = await lockOwnAccount(change, account);
  const key = await usableKey(change, { accountName, now, apiKeyId, createdBy: ownOnly(account, caller) });
  if (key.oldSecretUntil === null) throw refuse('ALREADY_RESOLVED', { what: `The old secret of ${key.label}` });
  const endsAt = instantAfter(change.now, hours * HOUR_MS);
  await change.rows(sql`update api_key_secret set ends_at = ${endsAt}::timestamptz
    where api_key_id = ${apiKeyId}::bigint and ends_at > ${change.now}::timestamptz`);
  await change.note({ label: key.label, hours });
  const oldSecretUntil = hours === 0 ? null : endsAt;
  await announceApiKey(change, { accountName, apiKeyId, label: key.label, act: 'extended', by: caller.name, oldSecretUntil });
  return keyOf(change, { accountName, now, apiKeyId });
}

/** Revokes a key: the next call with it is refused, whichever process gets it. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function revokeApiKey({
  change,
  account,
  caller,
  params: { apiKeyId },
  registry: { now },
}: Act<typeof apiKeys.revokeApiKey>): Promise<ApiKey> {
  const { accountName } = await lockOwnAccount(change, account);
  const key = await keyOf(change, { accountName, now, apiKeyId, createdBy: ownOnly(account, caller) });
  if (key.state === 'revoked') throw refuse('ALREADY_RESOLVED', { what: `The key ${key.label}` });
  await change.rows(sql`update api_key set revoked_at = ${change.now}::timestamptz where api_key_id = ${apiKeyId}::bigint`);
  await change.note({ label: key.label });
  await announceApiKey(change, { accountName, apiKeyId, label: key.label, act: 'revoked', by: caller.name });
  return keyOf(change, { accountName, now, apiKeyId });
}

async function addSecret(change: Change, apiKeyId: string, { sandbox }: Pick<Config, 'sandbox'>): Promise<string> {
  const secret = newSecret(sandbox ? 'sandbox' : 'registry');
  await change.rows(sql`insert into api_key_secret (api_key_id, prefix, hash, made_at)
    values (${apiKeyId}::bigint, ${prefixOf(secret)}, ${hashOf(secret)}, ${change.now}::timestamptz)`);
  return secret;
}

type Asked = { accountName: string; now: Date; apiKeyId: string; createdBy?: string | undefined };

/** The login whose keys alone the caller sees and changes; undefined for corporate contacts, who see all. Keys of others look non-existent. */
const ownOnly = ({ contactTypes }: AdmittedAccount, { loginId }: Caller): string | undefined =>
  contactTypes.includes('corporate') ? undefined : loginId;

/** @throws Failure NOT_FOUND */
async function keyOf(change: Change, asked: Asked): Promise<ApiKey> {
  const [key] = isRowId(asked.apiKeyId) ? await apiKeysOf(change, asked) : [];
  if (!key) throw refuse('NOT_FOUND', { what: 'The API key' });
  return key;
}

/** @throws Failure NOT_FOUND, ALREADY_RESOLVED for a key that is revoked or has expired */
async function usableKey(change: Change, asked: Asked): Promise<ApiKey> {
  const key = await keyOf(change, asked);
  if (key.state === 'revoked' || key.state === 'expired') throw refuse('ALREADY_RESOLVED', { what: `The key ${key.label}` });
  return key;
}

/** @throws Failure NO_PERMISSION for scopes whose permissions the person doesn't hold */
function refuseUnheld(scopes: readonly ApiScope[], { permissions }: AdmittedAccount): void {
  if (!scopes.every(scope => canGrantScope(scope, permissions))) throw refuse('NO_PERMISSION').at('scopes');
}

/** Normalises the prefixes, each once; an address is a prefix of full length. @throws Failure INVALID_REQUEST for each invalid one */
function networksIn(given: readonly string[]): string[] {
  const problems: { field: string; message: string }[] = [];
  const networks = given.flatMap((text, index) => {
    try {
      return [networkOf(text.trim())];
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      problems.push({
        field: `networks.${index}`,
        message: `${error.message}${error.suggestion === undefined ? '. Enter an address or a prefix, such as 192.0.2.0/24' : ''}`,
      });
      return [];
    }
  });
  if (problems.length > 0) throw refuseFields(problems);
  return [...new Set(networks)];
}

function networkOf(text: string): string {
  if (text.includes('/')) return printPrefix(parsePrefix(text));
  const address = parseAddress(text);
  return `${printAddress(address)}/${addressBits(address.family)}`;
}
