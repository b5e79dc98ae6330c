import type { KindTotals } from '@portal/contract/resources/resource-kinds';
import { formatCount, formatShare, Icon, Link, Stat } from '@portal/ui';
import { useId } from 'react';
import { holdingOf } from './holding.ts';
import styles from './HoldingTile.module.css';

const names = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' } as const;

/** AS numbers that are drawn one by one. */
const DOTS = 36n;

/** The account's holding of one kind: the count and the registered share, drawn to scale; opens its page. */
export function HoldingTile({ totals }: { totals: KindTotals }) {
  const hatch = useId();
  const { kind } = totals;
  const { count, unit, beside, used } = holdingOf(totals);
  return (
    <Link href={`/resources/${kind}`} className={styles.tile}>
      <div className={styles.head}>
        <h2>{names[kind]}</h2>
        <Icon name="chevron-right" />
      </div>
      <Stat value={formatCount(count)} unit={`${unit}, ${beside}`} />
      {count > 0n && kind !== 'asn' && (
        <>
          <svg className={styles.bar} viewBox="0 0 300 30" preserveAspectRatio="none" aria-hidden="true">
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0v6" className={styles.line} />
            </pattern>
            <rect className={styles[kind]} x="0.5" y="0.5" width={Math.max(0, used * 299)} height="29" />
            <rect className={styles.free} fill={`url(#${hatch})`} x={0.5 + used * 299} y="0.5" width={299 - used * 299} height="29" />
          </svg>
          <p className={styles.legend}>
            {totals.registrations === 0 ? (
              <span>No networks registered in it</span>
            ) : (
              <>
                <span>Registered {formatShare(used)}</span>
                <span>Free {formatShare(1 - used)}</span>
                <span>
                  {formatCount(totals.registrations)} {totals.registrations === 1 ? 'registration' : 'registrations'}
                </span>
              </>
            )}
          </p>
        </>
      )}
      {count > 0n && kind === 'asn' && (
        <p className={styles.dots}>
          {Array.from({ length: Number(count > DOTS ? DOTS : count) }, (_, dot) => (
            <i key={dot} aria-hidden="true" />
          ))}
          {count > DOTS && <span>and {formatCount(count - DOTS)} more</span>}
        </p>
      )}
      {count === 0n && <p className={styles.none}>None delegated to this account.</p>}
    </Link>
  );
}
