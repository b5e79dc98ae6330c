import { apiKeys } from '@portal/contract/api-keys/api-keys';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { changeApiKey, createApiKey, keepOldSecret, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';

export const apiKeyRoutes: readonly Implementation[] = [
  implement(apiKeys, {
    listApiKeys,
    createApiKey,
    changeApiKey,
    keepOldSecret,
    rotateApiKey,
    revokeApiKey,
  }),
];
