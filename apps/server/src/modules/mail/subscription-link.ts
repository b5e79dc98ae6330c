import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRowId } from '@portal/contract/row-ids';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'subscription link';
const signatureOf = (key: Buffer, subscriberId: string): Buffer => createHmac('sha256', key).update(subscriberId).digest();

/** The address where a subscriber without a login chooses services or unsubscribes (RFC 8058): it is in each of their e-mails, and does nothing else. */
export function subscriptionLink(config: Secrets & { appUrl: string }, subscriberId: string): string {
  const signature = signatureOf(derivedKeys(config, PURPOSE)[0], subscriberId).toString('base64url');
  return `${config.appUrl}/status/subscription?${new URLSearchParams({ subscriber: subscriberId, signature }).toString()}`;
}

/** Returns the subscriber of a link; null if it is not one of ours. Links made under SECRET_KEY_OLD still work. */
export function readSubscriptionLink(config: Secrets, { subscriber, signature }: Record<string, unknown>): string | null {
  if (typeof subscriber !== 'string' || typeof signature !== 'string' || !isRowId(subscriber)) return null;
  const given = Buffer.from(signature, 'base64url');
  const matches = derivedKeys(config, PURPOSE).some(key => {
    const expected = signatureOf(key, subscriber);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  return matches ? subscriber : null;
}
