import { smtpPost, storedPost } from '../../adapters/post.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import type { Attachment } from './attachment.ts';
import type { MailThread } from './reply-address.ts';

/** Outgoing mail: an SMTP server, or a stand-in that only reports delivery. */
export type Post = {
  /** Returns the mail server's reply if it refused the message permanently (RFC 5321, 5yz). @throws Error if it may be retried */
  deliver(message: Outgoing): Promise<{ refusal: string } | undefined>;
  /** True if people read their mail at /dev/mail (demo mode without an SMTP server), so that links are kept for a day. */
  keepsLinks: boolean;
  close?(): void;
};
type Outgoing = {
  mailId: number;
  recipient: string;
  subject: string;
  /** The mail as text. */
  body: string;
  html: string;
  /** One-click unsubscribe address; null if these e-mails can't be switched off. */
  unsubscribe: string | null;
  attachments: readonly Attachment[];
  /** The conversation it belongs to. */
  thread?: MailThread | null;
};

/** The mail server of SMTP_URL. */
export const mailServer: OutsideSystem<Post> = {
  name: 'mail server',
  open: ({ config, profile }) => {
    const host = new URL(config.appUrl).hostname;
    // In two parts: a name with commas or brackets is no list of addresses.
    const from = () => config.mailFrom || { name: profile.registryName, address: `no-reply@${host}` };
    return config.smtpUrl ? smtpPost(config.smtpUrl, { from, host }) : storedPost(config);
  },
  close: post => post.close?.(),
};
