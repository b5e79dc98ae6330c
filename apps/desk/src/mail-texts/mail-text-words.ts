import { fillWith, namesNewAddress } from '@portal/contract/mail/mail-text-words';
import type { MailTextDetails, MailTextLine } from '@portal/contract/mail/mail-texts';
import { pages } from '@portal/contract/pages';

/** The address of the page of one mail. */
export const hrefOf = (kind: string): string => `${pages.deskMailTexts.path}?mail=${encodeURIComponent(kind)}`;

/** Whether all searched words are in the subject, beginning, topic or key of a mail. */
export function isFound({ subject, begins, topic, kind }: MailTextLine, words: string): boolean {
  const text = `${subject} ${begins} ${topic} ${kind}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/** Mails by topic, in the order of the topics’ names. */
export function groupsOf(lines: readonly MailTextLine[]): { topic: string; receivers: string; lines: readonly MailTextLine[] }[] {
  return [...Map.groupBy(lines, ({ topic }) => topic)]
    .map(([topic, group]) => ({
      topic,
      receivers: group[0]!.receivers,
      lines: group.toSorted((a, b) => a.subject.localeCompare(b.subject)),
    }))
    .toSorted((a, b) => a.topic.localeCompare(b.topic));
}

export type Text = { subject: string; body: string };

/** A text that was written as one, its subject first. */
export function textIn(whole: string): Text {
  const [subject, ...paragraphs] = whole.split('\n\n');
  return { subject: subject!, body: paragraphs.join('\n\n') };
}

/** A text with the samples of its words; where the link of each mail will be stands a note, and what isn’t a word of the mail stays as written. */
export function filledWithSamples(text: Text, words: MailTextDetails['words']): Text {
  const samples = new Map(words.map(({ word, sample }) => [word, word === 'link' ? '(the link of each mail)' : sample]));
  return fillWith(text, word => samples.get(word) ?? `{${word}}`);
}

/** Whether a second person has to approve this text: each of its kind, or one with an address that neither the program’s text nor the one in use has. */
export const waitsForSecondPerson = (
  text: Text,
  { needsSecondPerson, program, text: inUse }: Pick<MailTextDetails, 'needsSecondPerson' | 'program' | 'text'>,
): boolean => needsSecondPerson || namesNewAddress(text, [program, inUse]);
