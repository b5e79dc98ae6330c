import { Page, useAnswer } from '@portal/app-kit';
import { type PoolView, requestDesk } from '@portal/contract/requests/desk';
import { listings } from '@portal/contract/requests/listings';
import { DateText, EmptyState, formatCount, Link, ResourceName, Sheet, Stack, StateMark } from '@portal/ui';
import { amount, poolNames as names } from '../shell/pool-words.ts';
import { useMay } from '../shell/use-may.ts';
import { ListingsSheet } from './ListingsSheet.tsx';
import styles from './PoolsPage.module.css';

const states = {
  available: { state: 'valid', words: 'Available' },
  held: { state: 'pending', words: 'Held for a request' },
  quarantine: { state: 'warning', words: 'Quarantine' },
  reserved: { state: 'closed', words: 'Reserved' },
} as const;

/** /desk/pools: what the registry can delegate, what it holds for requests, what rests. */
export default function PoolsPage() {
  const pools = useAnswer(requestDesk.listPools, {});
  const may = useMay();
  return (
    <Page
      title="Pools"
      sub="Blocks the registry delegates from. A block is held while its request is reviewed, and is quarantined after a return."
    >
      <Stack gap={16}>
        {pools.map(pool => (
          <Pool key={pool.kind} pool={pool} />
        ))}
        {may(listings.listStaffListings) && <ListingsSheet />}
      </Stack>
    </Page>
  );
}

function Pool({ pool }: { pool: PoolView }) {
  const { kind, sizes, blocks } = pool;
  const sums = (['available', 'held', 'quarantine', 'reserved'] as const).map(state => ({ state, size: BigInt(pool[state]) }));
  const all = sums.reduce((sum, { size }) => sum + size, 0n);
  return (
    <Sheet
      title={names[kind]}
      meta={`${amount(kind, BigInt(pool.available))} available`}
      actions={<Link href={`/desk/pools/${kind}`}>All ranges</Link>}
      flush
    >
      {all === 0n ? (
        <EmptyState title="The pool is empty" picture={false}>
          Import a statistics file of the registry, or add blocks, to delegate from it.
        </EmptyState>
      ) : (
        <>
          <div className={styles.inset}>
            <div className={styles.bar} aria-hidden="true">
              {sums
                .filter(({ size }) => size > 0n)
                .map(({ state, size }) => (
                  <span key={state} className={styles[state]} style={{ flexGrow: Math.max(1, Number((size * 1000n) / all)) }} />
                ))}
            </div>
            <dl className={styles.sums}>
              {sums.map(({ state, size }) => (
                <div key={state}>
                  <dt className={styles[state]}>{states[state].words}</dt>
                  <dd>{amount(kind, size)}</dd>
                </div>
              ))}
            </dl>
            {sizes.length > 0 && (
              <p className="small quiet">
                Free blocks by size: {sizes.map(({ length, blocks: found }) => `${formatCount(found)} × /${length}`).join(', ')}
              </p>
            )}
          </div>
          <ul className={styles.blocks}>
            {blocks.map(({ resource, state, reference, restsUntil }) => (
              <li key={resource}>
                <ResourceName kind={kind} text={resource} />
                <span className="small">
                  {reference && <Link href={`/desk/requests/resources-${reference.replace('REQ-', '')}`}>{reference}</Link>}
                  {restsUntil && (
                    <>
                      until <DateText value={restsUntil} shape="date" />
                    </>
                  )}
                </span>
                <StateMark state={states[state].state}>{states[state].words}</StateMark>
              </li>
            ))}
          </ul>
          {pool.blockCount > blocks.length && (
            <p className={`small quiet ${styles.inset}`}>
              The first {blocks.length} of {formatCount(pool.blockCount)} blocks.
            </p>
          )}
        </>
      )}
    </Sheet>
  );
}
