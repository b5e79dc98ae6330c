import { Page, useAnswer } from '@portal/app-kit';
import { requestDesk, type PoolView } from '@portal/contract/requests/desk';
import { DateText, EmptyState, formatCount, Link, ResourceName, Sheet, Stack, StateMark } from '@portal/ui';
import { ListingsSheet } from './ListingsSheet.tsx';
import styles from './PoolsPage.module.css';

const names: Record<PoolView['kind'], string> = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' };
const states = {
  available: { state: 'valid', words: 'Available' },
  held: { state: 'pending', words: 'Held for a request' },
  quarantine: { state: 'warning', words: 'Quarantine' },
  reserved: { state: 'closed', words: 'Reserved' },
} as const;

/** /desk/pools: what the registry can delegate, what it holds for requests, what rests. */
export default function PoolsPage() {
  const pools = useAnswer(requestDesk.listPools, {});
  return (
    <Page
      title="Pools"
      sub="Blocks the registry delegates from. A block is held while its request is reviewed, and is quarantined after a return."
    >
      <Stack gap={16}>
        {pools.map(pool => (
          <Pool key={pool.kind} pool={pool} />
        ))}
        <ListingsSheet />
      </Stack>
    </Page>
  );
}

const decimals = (count: number): string => count.toLocaleString('en', { maximumFractionDigits: 2 }).replaceAll(',', '\u00a0');

/** The size of a part of a pool: addresses of IPv4 with their number of /24, IPv6 in /32, or in /48 where it is less than that, AS numbers as they are. */
function amount(kind: PoolView['kind'], size: bigint): string {
  if (size === 0n) return '0';
  if (kind === 'asn') return formatCount(size);
  if (kind === 'ipv4')
    return size < 256n ? `${formatCount(size)} addresses` : `${formatCount(size)} addresses (${decimals(Number(size) / 256)} × /24)`;
  return size >> 96n > 0n ? `${decimals(Number(size >> 90n) / 64)} × /32` : `${formatCount(size >> 80n)} × /48`;
}

function Pool({ pool }: { pool: PoolView }) {
  const { kind, sizes, blocks } = pool;
  const sums = (['available', 'held', 'quarantine', 'reserved'] as const).map(state => ({ state, size: BigInt(pool[state]) }));
  const all = sums.reduce((sum, { size }) => sum + size, 0n);
  return (
    <Sheet title={names[kind]} meta={`${amount(kind, BigInt(pool.available))} available`} flush>
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
                  {reference && <Link href={`/desk/requests?request=resources-${reference.replace('REQ-', '')}`}>{reference}</Link>}
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
