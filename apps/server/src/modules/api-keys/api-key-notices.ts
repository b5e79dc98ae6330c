import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';
import type { Change } from '../../platform/database/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';

const place = { path: '/resources/registry-api/api-key-list', act: 'View API keys' };
const unexpected = 'If you didn’t expect this, revoke the key and check the activity log.';

type News =
  | { act: 'created' | 'changed'; by: string; scopes: readonly ApiScope[]; networks: readonly string[] }
  | { act: 'rotated' | 'extended'; by: string; oldSecretUntil: string | null }
  | { act: 'revoked'; by: string };

/** Notifies the corporate contacts of an account that an API key was created, changed, rotated or revoked. */
export async function announceApiKey(change: Change, news: News & { accountName: string; label: string }): Promise<void> {
  const { accountName, label, by, act } = news;
  const done = act === 'extended' ? 'changed' : act;
  await notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
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

/** Notifies the corporate contacts that a key was used from an address that isn't allowed. */
export const announceForeignUse = (
  change: Change,
  { accountName, label, prefix, address }: { accountName: string; label: string; prefix: string; address: string },
): Promise<void> =>
  notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    subject: `API key ${label} of ${accountName} was used from a foreign address`,
    body: [
      `A program at ${address} called the registry API with the key ${label} (${prefix}…) of ${accountName}. The call was refused, because the key isn’t allowed from there.`,
      'If that isn’t a program of yours, the key has leaked: revoke it or rotate it now.',
    ],
  });

/** Notifies the corporate contacts that a key expires soon. */
export const announceExpiry = (
  change: Change,
  { accountName, label, expiresAt }: { accountName: string; label: string; expiresAt: string },
): Promise<void> =>
  notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    subject: `API key ${label} of ${accountName} expires soon`,
    body: [
      `The API key ${label} of ${accountName} expires on ${expiresAt.slice(0, 16).replace('T', ' at ')} UTC. Programs that use it are refused from then on.`,
      'Create a new key and give it to them before.',
    ],
    answerBy: expiresAt,
  });
