import type { Webhook } from '@portal/contract/webhooks/webhooks';
import { SecretOnce } from '../shell/SecretOnce.tsx';

/** The secret of a webhook that was just made, and how a receiver uses it. */
export function WebhookSecret({ webhook, secret }: { webhook: Webhook; secret: string | null }) {
  return (
    <SecretOnce
      label={webhook.label}
      rotates="the secret"
      secret={secret}
      about="It is shown this once. Your receiver checks signatures with it."
    >
      <p className="small muted">
        Events are signed as Standard Webhooks describes, so its libraries can check them: give them the secret, the headers webhook-id,
        webhook-timestamp and webhook-signature, and the body as it came.
      </p>
    </SecretOnce>
  );
}
