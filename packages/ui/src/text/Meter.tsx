import { classNames } from './class-names.ts';
import { formatShare } from './Count.tsx';
import styles from './Meter.module.css';

/** The used share of a block, 0 to 1, drawn and written. */
export function Meter({ share, kind = 'ipv4', label }: { share: number; kind?: 'ipv4' | 'ipv6' | 'asn' | 'valid'; label?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span className={styles.meter}>
      <i className={styles.track} aria-hidden="true">
        <i className={classNames(styles.fill, styles[kind])} style={{ width: `${percent}%` }} />
      </i>
      {label && <span className="vh">{label} </span>}
      {formatShare(Math.min(1, Math.max(0, share)))}
    </span>
  );
}
