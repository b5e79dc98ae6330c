import { CopyButton } from '@portal/ui';
import { hexOf } from './cast-ballot.ts';
import styles from './Tracker.module.css';

const parts = (text: string, length: number): string[] => text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];

/** A tracker in both forms: in Base64, and in the hexadecimal that `belenios-tool` prints. The gaps are drawn, and not copied. */
export function Tracker({ tracker }: { tracker: string }) {
  const hex = hexOf(tracker);
  return (
    <div className={styles.tracker}>
      <p className={styles.text} data-testid="tracker">
        {parts(tracker, 4).map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
          <span key={place}>{part}</span>
        ))}
        <CopyButton text={tracker} label="Copy the tracker" />
      </p>
      <p className={styles.hex}>
        <span className="vh">In hexadecimal, as belenios-tool prints it: </span>
        {parts(hex, 8).map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
          <span key={place}>{part}</span>
        ))}
        <CopyButton text={hex} label="Copy the tracker in hexadecimal" />
      </p>
    </div>
  );
}
