export { openApiKeyJudge } from './api-key-judge.ts';
export { apiKeysModule } from './module.ts';
