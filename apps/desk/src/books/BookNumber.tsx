import { groupDigits } from '@portal/ui';
import styles from './Books.module.css';

/** An amount that opens the documents behind it; nothing where it is zero and none are. */
export function BookNumber({ amount, of, onOpen }: { amount: string; of: string; onOpen: () => void }) {
  return (
    <button type="button" className={styles.number} aria-label={`${groupDigits(amount)}: documents of ${of}`} onClick={onOpen}>
      {groupDigits(amount)}
    </button>
  );
}
