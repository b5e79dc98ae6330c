import type { TopicKey } from '@portal/contract/notifications/topics';
import type { Read } from '../../platform/database/index.ts';
import { type FilledText, fillText, type MailText, problemsOf } from './mail-text.ts';

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
 * Returns the text of a mail as it is sent: that of registry staff, or else of the program. A changed text that this release can't fill any more, or that
 * leaves out a word that has become required, gives way to the program's, because a mail has to go out and has to say what it is sent for; so does one
 * whose words leave nothing of the subject, and one of a kind that was declared for another topic.
 */
export async function writtenText(read: Read, { kind, values, longest }: MailText, topic: TopicKey): Promise<FilledText> {
  // Who may change a text follows from its topic, so it counts for no other.
  const changed = topic === kind.topic ? await changedText(read, kind.key) : null;
  const filled = changed !== null && problemsOf(kind, changed).length === 0 ? fillText(changed, values, longest) : null;
  return filled !== null && filled.subject !== '' && filled.body !== '' ? filled : fillText(kind, values, longest);
}
