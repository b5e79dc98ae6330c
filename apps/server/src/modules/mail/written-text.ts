import type { Read } from '../../platform/database/index.ts';
import { type FilledText, fillText, type MailText, wordsIn } from './mail-text.ts';

/** The text of registry staff, by its newest version; null where that of the program is used. */
async function changedText(read: Read, kind: string): Promise<{ subject: string; body: string } | null> {
  const newest = await read
    .selectFrom('mailTextVersion')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.subject == null ? null : { subject: newest.subject, body: newest.body! };
}

/**
 * Returns the text of a mail as it is sent: that of registry staff, or else of the program. A changed text with a word that this release doesn't fill any more gives way to
 * the program's, because a mail has to go out.
 */
export async function writtenText(read: Read, { kind, values, longest }: MailText): Promise<FilledText> {
  const changed = await changedText(read, kind.key);
  const fits = changed !== null && wordsIn(`${changed.subject} ${changed.body}`).every(word => word in kind.words);
  return fillText(fits ? changed : kind, values, longest);
}
