import type { MailTextDetails } from '@portal/contract/mail/mail-texts';
import styles from './MailTexts.module.css';
import { filledWithSamples } from './mail-text-words.ts';

/** A text as people would read it, with invented values. Greeting, button and footer are added when it is sent. */
export function Letter({ text, words }: { text: MailTextDetails['text']; words: MailTextDetails['words'] }) {
  const { subject, body } = filledWithSamples(text, words);
  return (
    <div className={styles.letter}>
      <h3 dir="auto">{subject}</h3>
      {body.split('\n\n').map((paragraph, index) => (
        <p dir="auto" key={`${index} ${paragraph.length}`}>
          {paragraph}
        </p>
      ))}
    </div>
  );
}
