import PostalMime, { type Address } from 'postal-mime';
import { textOfMail } from './mail-text.ts';

/** A mail as it was read: plain data. `from` is its one sender, in lower case; null without one, or with several. */
export type ReadMail = {
  /** The last one that a mail server added comes first. Names are in lower case. */
  headers: { key: string; value: string }[];
  from: string | null;
  recipients: string[];
  messageId: string;
  inReplyTo: string;
  references: string;
  subject: string;
  /** For a ticket, without what it quotes. */
  text: string;
  /** Its files, without the pictures of its HTML. */
  files: { name: string | null; content: Uint8Array<ArrayBuffer> }[];
};

const addressesOf = (some: readonly Address[] | undefined): string[] => (some ?? []).flatMap(({ address }) => address ?? []);

/** Reads a mail from outside; null for what is none. */
export async function read({ source }: { source: Uint8Array<ArrayBuffer> }): Promise<ReadMail | null> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'arraybuffer' }).catch(() => null);
  if (!mail) return null;
  const { from, messageId = '', inReplyTo = '', references = '', subject = '' } = mail;
  return {
    headers: mail.headers.map(({ key, value }) => ({ key, value })),
    from: (from && 'address' in from ? from.address?.toLowerCase() : undefined) ?? null,
    recipients: [...addressesOf(mail.to), ...addressesOf(mail.cc)],
    messageId,
    inReplyTo,
    references,
    subject,
    text: textOfMail(mail),
    files: mail.attachments
      .filter(({ related, disposition }) => !related && disposition !== 'inline')
      .map(({ filename, content }) => ({ name: filename, content: new Uint8Array(content as ArrayBuffer) })),
  };
}
