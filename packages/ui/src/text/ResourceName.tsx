import { classNames } from './class-names.ts';
import { Link } from './Link.tsx';
import styles from './ResourceName.module.css';

/** The three kinds of number resource; each keeps its colour everywhere. */
export type ResourceKind = 'ipv4' | 'ipv6' | 'asn';

/** The mark of a kind: a square for addresses, a dot for AS numbers. */
export function KindMark({ kind }: { kind: ResourceKind }) {
  return <span className={classNames(styles.mark, styles[kind])} aria-hidden="true" />;
}

/** A prefix, range or AS number with the mark of its kind. It never breaks inside; a range breaks at its dash. */
export function ResourceName({
  kind,
  text,
  href,
  strong,
}: {
  kind: ResourceKind;
  text: string;
  href?: string | undefined;
  strong?: boolean;
}) {
  const parts = text.split(/\s*[-–]\s*/);
  const words =
    parts.length === 2 ? (
      <>
        <span className={styles.part}>{parts[0]} –</span> <span className={styles.part}>{parts[1]}</span>
      </>
    ) : (
      <span className={styles.part}>{text}</span>
    );
  const className = classNames(styles.name, strong && styles.strong);
  const body = (
    <>
      <span className={styles.part}>
        <KindMark kind={kind} />
      </span>
      {words}
    </>
  );
  return href ? (
    <Link href={href} className={className} translate="no">
      {body}
    </Link>
  ) : (
    <span className={className} translate="no">
      {body}
    </span>
  );
}
