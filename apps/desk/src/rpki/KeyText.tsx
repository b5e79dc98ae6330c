import { Mono } from '@portal/ui';
import styles from './Rpki.module.css';

/** A key identifier, 40 hexadecimal digits: on one line, or in two halves. */
export function KeyText({ keyIdentifier }: { keyIdentifier: string }) {
  return (
    <span className={styles.key}>
      <Mono nowrap={false}>
        <span className="nw">{keyIdentifier.slice(0, 20)}</span>
        <wbr />
        <span className="nw">{keyIdentifier.slice(20)}</span>
      </Mono>
    </span>
  );
}
