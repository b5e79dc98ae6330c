import { apiKeys } from '@portal/contract/api-keys/api-keys';
import { implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';

export const apiKeyRoutes = ({ clock, config }: Pick<RouteContext, 'clock' | 'config'>) => {
  const kind = config.sandbox ? 'sandbox' : 'registry';
  return implement(apiKeys, {
    listApiKeys,
    createApiKey: ({ change, account, caller, body }) => createApiKey(change, { account, caller, body, now: clock(), kind }),
    rotateApiKey: ({ change, account, caller, params, body }) =>
      rotateApiKey(change, { account, caller, apiKeyId: params.apiKeyId, overlapHours: body.overlapHours, now: clock(), kind }),
    revokeApiKey,
  });
};
