import type { MailTextDetails } from '@portal/contract/mail/mail-texts';
import { Letter } from '../shell/Letter.tsx';
import { filledWithSamples } from './mail-text-words.ts';

/** A text as people would read it, with invented values. Greeting, button and footer are added when it is sent. */
export function SampleLetter({ text, words }: { text: MailTextDetails['text']; words: MailTextDetails['words'] }) {
  const { subject, body } = filledWithSamples(text, words);
  return <Letter subject={subject} text={body} />;
}
