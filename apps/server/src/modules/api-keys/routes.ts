import { apiKeys } from '@portal/contract/api-keys/api-keys';
import { implement } from '../../platform/endpoints.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';

export const apiKeyRoutes = (clock: () => Date) =>
  implement(apiKeys, {
    listApiKeys: ({ read, account }) => listApiKeys(read, account, clock()),
    createApiKey: ({ change, account, caller, body }) => createApiKey(change, { account, caller, body, now: clock() }),
    rotateApiKey: ({ change, account, caller, params, body }) =>
      rotateApiKey(change, { account, caller, apiKeyId: params.apiKeyId, overlapHours: body.overlapHours, now: clock() }),
    revokeApiKey: ({ change, account, caller, params }) =>
      revokeApiKey(change, { account, caller, apiKeyId: params.apiKeyId, now: clock() }),
  });
