import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of every secret (Standard Webhooks), followed by base64 of 32 random bytes. */
const KIND = 'whsec_';

/** Returns a new secret to sign with: `whsec_` and base64. */
export const newWebhookSecret = (): string => `${KIND}${randomBytes(32).toString('base64')}`;

/**
 * The headers of a signed event (Standard Webhooks 1.0): HMAC-SHA256 over id, timestamp (seconds since 1970) and content, once for each valid secret.
 * @param secrets the newest first
 */
export function signedHeaders(
  secrets: readonly string[],
  { eventId, content, now }: { eventId: string; content: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map(
    secret =>
      `v1,${createHmac('sha256', Buffer.from(secret.slice(KIND.length), 'base64'))
        .update(`${eventId}.${timestamp}.${content}`)
        .digest('base64')}`,
  );
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
