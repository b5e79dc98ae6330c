import { type TopicKey, topicKeys } from '@portal/contract';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'unsubscribe link';
const signatureOf = (key: Buffer, signed: string): Buffer => createHmac('sha256', key).update(signed).digest();

/** The address that stops the e-mails of one topic to one person (RFC 8058): it needs no sign-in, and does nothing else. */
export function unsubscribeLink(config: Secrets & { appUrl: string }, loginId: string, topic: TopicKey): string {
  const signature = signatureOf(derivedKeys(config, PURPOSE)[0], `${loginId} ${topic}`).toString('base64url');
  return `${config.appUrl}/account/unsubscribe?${new URLSearchParams({ login: loginId, topic, signature }).toString()}`;
}

/** Whose e-mails about what a link stops; null when it is not one of ours. Links made under SECRET_KEY_OLD still work. */
export function readUnsubscribeLink(config: Secrets, query: Record<string, unknown>): { loginId: string; topic: TopicKey } | null {
  const { login, topic, signature } = query;
  if (typeof login !== 'string' || typeof topic !== 'string' || typeof signature !== 'string') return null;
  const given = Buffer.from(signature, 'base64url');
  const matches = derivedKeys(config, PURPOSE).some(key => {
    const expected = signatureOf(key, `${login} ${topic}`);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  const known = topicKeys.find(key => key === topic);
  return matches && known ? { loginId: login, topic: known } : null;
}
