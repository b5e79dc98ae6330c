import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'reply address';
/** `ticket-20001.` and 80 bits of an HMAC in hexadecimal, because mail systems may change the case of an address. */
const signed = /([a-z]{1,20}-\d{1,15})\.([0-9a-f]{20})(?![0-9a-f])/gi;
const signatureOf = (key: Buffer, thread: string): Buffer => createHmac('sha256', key).update(thread).digest().subarray(0, 10);

/** Signs the name of a conversation, so that only recipients of its mail can name it. */
const sign = (secrets: Secrets, thread: string): string =>
  `${thread}.${signatureOf(derivedKeys(secrets, PURPOSE)[0], thread).toString('hex')}`;

/** How the mail of a conversation is addressed: where answers go, its message id, and the id that all of its mail refers to. */
export type MailThread = { replyTo: string | null; messageId: string; root: string };

/**
 * Addresses the mail of a conversation.
 * @param mailIn the address whose mail is read, such as `support@registry.example`; empty: none
 */
export function threadOfMail(
  secrets: Secrets,
  thread: string,
  { mailIn, host, mailId }: { mailIn: string; host: string; mailId: number },
): MailThread {
  const name = sign(secrets, thread);
  const [mailbox, domain] = mailIn.split('@');
  return {
    replyTo: mailIn === '' ? null : `${mailbox}+${name}@${domain}`,
    messageId: `<${name}.${mailId}@${host}>`,
    root: `<${name}@${host}>`,
  };
}

/** Returns the conversation that a text names, an address or the ids in a header, if we signed it; null otherwise. Names signed under SECRET_KEY_OLD still count. */
export function threadIn(secrets: Secrets, text: string): string | null {
  for (const [, name = '', digits = ''] of text.matchAll(signed)) {
    const thread = name.toLowerCase();
    const given = Buffer.from(digits, 'hex');
    if (derivedKeys(secrets, PURPOSE).some(key => timingSafeEqual(signatureOf(key, thread), given))) return thread;
  }
  return null;
}
