import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { type PoolRange, type RangeState, resourcePools } from '@portal/contract/resources/pools';
import { maxAsNumber, parseAsRange, printAsNumber, printAsRange } from '@portal/number-resources';
import { Button, ButtonRow, formatCount, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import styles from './AsDots.module.css';

/** AS numbers that are drawn at most, which begin at a multiple of it, and of one row. Rows without any number of the registry are left out at both ends. */
const DRAWN = 64;
const ROW = 16;
/** Free numbers that can be chosen below the picture. */
const OFFERED = 6;

type DotState = RangeState | 'elsewhere';
type Dot = { asn: number; state: DotState };

const stateWords: Record<DotState, string> = {
  delegated: 'delegated',
  available: 'free',
  held: 'held for a request',
  quarantine: 'in quarantine',
  reserved: 'reserved',
  elsewhere: 'not in a pool of this registry',
};
const order: readonly DotState[] = ['delegated', 'available', 'held', 'quarantine', 'reserved', 'elsewhere'];

/**
 * The AS numbers around the proposed one, each a dot: which are free, delegated or kept back. Free ones can be chosen instead.
 * @param picked the number that staff entered @param onPick null for those who can’t approve the case
 */
export function AsDots({ proposed, picked, onPick }: { proposed: string; picked: string; onPick: ((asn: string) => void) | null }) {
  const { call } = useKit();
  const own = numberIn(picked) ?? numberIn(proposed);
  const first = own === null ? 0 : own - (own % DRAWN);
  const last = Math.min(maxAsNumber, first + DRAWN - 1);
  const query = { q: printAsRange({ family: 'asn', first, last }), offset: 0, limit: 100 };
  const { data, error } = useQuery({ ...reading(call, resourcePools.listPoolRanges, { kind: 'asn', query }), enabled: own !== null });
  const dots = useMemo(() => (data ? dotsOf(data.rows, own ?? first, { first, last }) : []), [data, own, first, last]);
  if (own === null) return null;
  if (error) return <FailureBanner failure={error} />;
  if (!data) return <SkeletonLines lines={4} label="Loading the AS numbers around it" />;
  const within = printAsRange({ family: 'asn', first: dots[0]!.asn, last: dots.at(-1)!.asn });
  const others = dots.filter(({ asn }) => asn !== own);
  const counts = order.flatMap(state => {
    const count = others.filter(dot => dot.state === state).length;
    return count === 0 ? [] : [{ state, count }];
  });
  const free = others.filter(({ state }) => state === 'available').slice(0, OFFERED);
  return (
    <div className={styles.around}>
      <p className={styles.head}>
        <span className="mono strong">{within}</span>
        <span>
          one dot is an AS number, {formatCount(counts.find(({ state }) => state === 'available')?.count ?? 0)} of{' '}
          {formatCount(dots.length)} free
        </span>
      </p>
      <div
        className={styles.dots}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
        role="img"
        aria-label={`${within}: ${counts.map(({ state, count }) => `${formatCount(count)} ${stateWords[state]}`).join(', ')}. Chosen: ${printAsNumber(own)}`}
      >
        {dots.map(({ asn, state }) => (
          <i
            key={asn}
            data-state={state}
            data-own={asn === own || undefined}
            title={`${printAsNumber(asn)}: ${asn === own ? 'this request' : stateWords[state]}`}
          />
        ))}
      </div>
      <Legend states={counts.map(({ state }) => state)} isPicked={picked !== ''} />
      {onPick && free.length > 0 && (
        <ButtonRow>
          <span className="small muted">Free near it:</span>
          {free.map(({ asn }) => (
            <Button key={asn} size="s" aria-label={`Choose ${printAsNumber(asn)}`} onClick={() => onPick(printAsNumber(asn))}>
              <span className="mono">{printAsNumber(asn)}</span>
            </Button>
          ))}
        </ButtonRow>
      )}
    </div>
  );
}

const Legend = ({ states, isPicked }: { states: readonly DotState[]; isPicked: boolean }): ReactNode => (
  <p className={styles.legend}>
    <span>
      <i data-own aria-hidden="true" /> {isPicked ? 'Your choice' : 'This request'}
    </span>
    {states.map(state => (
      <span key={state}>
        <i data-state={state} aria-hidden="true" /> {stateWords[state].charAt(0).toUpperCase() + stateWords[state].slice(1)}
      </span>
    ))}
  </p>
);

/** The first AS number in a text; null if it has none. */
function numberIn(text: string): number | null {
  const number = /^(?:AS)?(\d{1,10})(?:\s*-|$)/i.exec(text.trim())?.[1];
  return number === undefined || Number(number) > maxAsNumber ? null : Number(number);
}

/** Returns every number from the first to the last, with the state of the range that it is in; without rows of numbers of others at both ends. */
function dotsOf(rows: readonly PoolRange[], own: number, { first, last }: { first: number; last: number }): Dot[] {
  const ranges = rows.map(({ resource, state }) => ({ ...parseAsRange(resource), state }));
  const dots = Array.from({ length: last - first + 1 }, (_, place): Dot => {
    const asn = first + place;
    return { asn, state: ranges.find(range => range.first <= asn && asn <= range.last)?.state ?? 'elsewhere' };
  });
  const isDrawn = ({ asn, state }: Dot): boolean => asn === own || state !== 'elsewhere';
  const from = dots.findIndex(isDrawn);
  const to = dots.findLastIndex(isDrawn);
  return dots.slice(from - (from % ROW), to - (to % ROW) + ROW);
}
