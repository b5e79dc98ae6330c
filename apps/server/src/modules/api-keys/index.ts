export { openApiKeyVerifier } from './api-key-verifier.ts';
export { apiKeysModule } from './module.ts';
