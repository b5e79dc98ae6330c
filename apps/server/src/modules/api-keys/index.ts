export { openApiKeyVerifier } from './api-key-verifier.ts';
export { apiKeysModule } from './module.ts';
export { revokeOwnKeys } from './own-keys.ts';
