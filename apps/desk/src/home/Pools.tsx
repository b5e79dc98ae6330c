import type { DeskHome } from '@portal/contract/staff/desk-home';
import { pages } from '@portal/contract/pages';
import { EmptyState, Link, Sheet } from '@portal/ui';
import { amount, poolNames } from '../shell/pool-words.ts';
import styles from './Home.module.css';
import { lastsWords } from './home-words.ts';

const states = ['available', 'held', 'quarantine', 'reserved'] as const;
const stateWords: Record<(typeof states)[number], string> = {
  available: 'free',
  held: 'held',
  quarantine: 'in quarantine',
  reserved: 'reserved',
};

/** Free space by kind, and how long it lasts at the rate of the last year. */
export function Pools({ pools }: { pools: NonNullable<DeskHome['pools']> }) {
  const filled = pools.filter(pool => states.some(state => pool[state] !== '0'));
  return (
    <Sheet flush title="Pools" actions={<Link href={pages.deskPools.path}>Open pools</Link>}>
      {filled.length === 0 ? (
        <EmptyState title="The pools are empty" picture={false}>
          Import a statistics file of the registry, or add blocks, to delegate from them.
        </EmptyState>
      ) : (
        <ul>
          {filled.map(pool => {
            const all = states.reduce((sum, state) => sum + BigInt(pool[state]), 0n);
            const words = states
              .filter(state => pool[state] !== '0')
              .map(state => `${amount(pool.kind, BigInt(pool[state]))} ${stateWords[state]}`);
            return (
              <li key={pool.kind} className={styles.pool}>
                <Link href={`${pages.deskPools.path}/${pool.kind}`} className={styles.strong}>
                  {poolNames[pool.kind]}
                </Link>
                {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded */}
                <span className={styles.bar} role="img" aria-label={words.join(', ')} title={words.join(', ')} data-kind={pool.kind}>
                  {states.map(state => (
                    <i key={state} data-state={state} style={{ inlineSize: `${Number((BigInt(pool[state]) * 1000n) / all) / 10}%` }} />
                  ))}
                </span>
                <span className={styles.poolWords}>
                  <b>{amount(pool.kind, BigInt(pool.available))}</b> <span>free, {lastsWords(pool)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Sheet>
  );
}
