import { type TopicKey, topicKeys } from '@portal/contract/notifications/topics';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'unsubscribe link';
const signatureOf = (key: Buffer, signed: string): Buffer => createHmac('sha256', key).update(signed).digest();

/** Scope of a link: e-mails of a topic to a person, or only those about certain things (ids, separated by blanks). */
type Stopped = { loginId: string; topic: TopicKey; from: string | null };
const signedOf = ({ loginId, topic, from }: Omit<Stopped, 'topic'> & { topic: string }): string =>
  from === null ? `${loginId} ${topic}` : `${loginId} ${topic} from ${from}`;

/** The address that stops the e-mails of one topic to one person, or a part of them (RFC 8058): it needs no sign-in, and does nothing else. */
export function unsubscribeLink(config: Secrets & { appUrl: string }, stopped: Stopped): string {
  const { loginId, topic, from } = stopped;
  const signature = signatureOf(derivedKeys(config, PURPOSE)[0], signedOf(stopped)).toString('base64url');
  const query = new URLSearchParams({ login: loginId, topic, ...(from !== null && { from }), signature });
  return `${config.appUrl}/account/unsubscribe?${query.toString()}`;
}

/** Returns the scope of a link; null if it is not one of ours. Links made under SECRET_KEY_OLD still work. */
export function readUnsubscribeLink(config: Secrets, query: Record<string, unknown>): Stopped | null {
  const { login, topic, from = null, signature } = query;
  if (typeof login !== 'string' || typeof topic !== 'string' || typeof signature !== 'string') return null;
  if (from !== null && typeof from !== 'string') return null;
  const given = Buffer.from(signature, 'base64url');
  const matches = derivedKeys(config, PURPOSE).some(key => {
    const expected = signatureOf(key, signedOf({ loginId: login, topic, from }));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  const known = topicKeys.find(key => key === topic);
  return matches && known ? { loginId: login, topic: known, from } : null;
}
