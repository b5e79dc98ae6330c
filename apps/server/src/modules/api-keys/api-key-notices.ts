import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';
import { apiKeysTexts } from './mail-texts.ts';

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
    text: apiKeysTexts.written('apiKey', {
      label,
      accountName,
      done,
      actor: by,
      details: detailsOf(news).join('\n\n'),
      details2: act === 'revoked' ? '' : unexpected,
    }),
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
    text: apiKeysTexts.written('apiKeyUsedForeignAddress', { label, accountName, address, prefix }),
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
    text: apiKeysTexts.written('apiKeyExpiresSoon', { label, accountName, until: expiresAt.slice(0, 16).replace('T', ' at ') }),
    answerBy: expiresAt,
  });
};
