import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';

const place = { path: '/resources/registry-api/api-key-list', act: 'View API keys' };
const unexpected = 'If you didn’t expect this, revoke the key and check the activity log.';

type News =
  | { act: 'created' | 'changed'; by: string; scopes: readonly ApiScope[]; networks: readonly string[] }
  | { act: 'rotated' | 'extended'; by: string; oldSecretUntil: string | null }
  | { act: 'revoked'; by: string };

type Key = { accountName: string; apiKeyId: string; label: string };

/** The contact who created a key: with the corporate contacts, they are the ones who can change it. */
const creatorOf = ({ accountName, apiKeyId }: Key, change: Change) =>
  change.rows<{ fullName: string; email: string; loginId: string }>(sql`select c.full_name, c.email, c.login_id from api_key k
    join contact c using (account_name, login_id) where k.api_key_id = ${apiKeyId}::bigint and k.account_name = ${accountName} and c.status = 'active'`);

/** Notifies the corporate contacts of an account, and the creator, that an API key was created, changed, rotated or revoked. */
export async function announceApiKey(change: Change, news: News & Key): Promise<void> {
  const { accountName, label, by, act } = news;
  const done = act === 'extended' ? 'changed' : act;
  await notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    persons: await creatorOf(news, change),
    subject: `API key ${label} of ${accountName} was ${done}`,
    body: [`${by} ${done} the API key ${label} of ${accountName}.`, ...detailsOf(news), ...(act === 'revoked' ? [] : [unexpected])],
  });
}

function detailsOf(news: News): string[] {
  if (news.act === 'revoked') return ['Programs that use it are refused from now on.'];
  if ('oldSecretUntil' in news)
    return [
      news.oldSecretUntil === null
        ? 'The secret before no longer works.'
        : `The secret before works until ${news.oldSecretUntil.slice(0, 16).replace('T', ' ')} UTC.`,
    ];
  const { scopes, networks } = news;
  const said = (writes: boolean) => scopes.filter(scope => apiScopes[scope].writes === writes).map(scope => apiScopes[scope].label);
  return [
    ...(said(true).length > 0 ? [`It can change: ${said(true).join(', ')}.`] : []),
    ...(said(false).length > 0 ? [`It can read: ${said(false).join(', ')}.`] : []),
    networks.length > 0 ? `It works from ${networks.join(', ')} only.` : 'It works from any address.',
  ];
}

/** Notifies the corporate contacts and the creator that a key was used from an address that isn't allowed. */
export const announceForeignUse = async (
  change: Change,
  { prefix, address, ...key }: Key & { prefix: string; address: string },
): Promise<void> => {
  const { accountName, label } = key;
  await notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    persons: await creatorOf(key, change),
    subject: `API key ${label} of ${accountName} was used from a foreign address`,
    body: [
      `A program at ${address} called the registry API with the key ${label} (${prefix}…) of ${accountName}. The call was refused, because the key isn’t allowed from there.`,
      'If that isn’t a program of yours, the key has leaked: revoke it or rotate it now.',
    ],
  });
};

/** Notifies the corporate contacts and the creator that a key expires soon. */
export const announceExpiry = async (change: Change, { expiresAt, ...key }: Key & { expiresAt: string }): Promise<void> => {
  const { accountName, label } = key;
  await notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    persons: await creatorOf(key, change),
    subject: `API key ${label} of ${accountName} expires soon`,
    body: [
      `The API key ${label} of ${accountName} expires on ${expiresAt.slice(0, 16).replace('T', ' at ')} UTC. Programs that use it are refused from then on.`,
      'Create a new key and give it to them before.',
    ],
    answerBy: expiresAt,
  });
};
