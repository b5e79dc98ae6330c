export { hashOf, hasOwnChecksum, secretWith } from './api-key-secret.ts';
export { openApiKeyVerifier } from './api-key-verifier.ts';
export { apiKeysModule } from './module.ts';
export { revokeOwnKeys } from './own-keys.ts';
