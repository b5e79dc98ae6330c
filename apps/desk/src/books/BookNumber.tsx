import { groupDigits } from '@portal/ui';
import styles from './Books.module.css';

/** An amount that opens the documents behind it; plain where it is zero. */
export function BookNumber({ amount, of, onOpen }: { amount: string; of: string; onOpen: () => void }) {
  if (/^-?0+(\.0+)?$/.test(amount)) return groupDigits(amount);
  return (
    <button type="button" className={styles.number} aria-label={`${groupDigits(amount)}: documents of ${of}`} onClick={onOpen}>
      {groupDigits(amount)}
    </button>
  );
}
