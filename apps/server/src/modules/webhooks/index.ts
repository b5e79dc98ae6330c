export { webhooksModule } from './module.ts';
export { resealWebhookSecrets } from './webhook-secrets.ts';
