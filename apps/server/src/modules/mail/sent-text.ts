import type { Change } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { type Message, sendMail as storeMail } from './mail.ts';
import type { MailText } from './mail-text.ts';
import { writtenText } from './written-text.ts';

/** A mail of a declared kind. */
export type Mail = Omit<Message, 'subject' | 'body' | 'kind'> & {
  text: MailText;
  /** Paragraphs of the program that follow the text, and that no one can take out of the mail. */
  more?: readonly string[] | undefined;
};

/** Writes a mail in the change that needs it; it is delivered if and only if the change commits. Its words are those of registry staff, or else of the program. */
export async function sendMail(change: Change, mail: Mail & { link?: undefined }): Promise<void>;
/** @param box seals the link. */
export async function sendMail(change: Change, mail: Mail, box: SecretBox): Promise<void>;
export async function sendMail(change: Change, { text, more = [], ...message }: Mail, box?: SecretBox): Promise<void> {
  const { subject, body } = await writtenText(change, text, message.topic);
  await storeMail(change, { ...message, kind: text.kind.key, subject, body: [body, ...more].join('\n\n') }, box!);
}
