import { Page, useAnswer } from '@portal/app-kit';
import { requestDesk, type PoolView } from '@portal/contract/requests/desk';
import { DateText, EmptyState, formatCount, KeyValueList, Link, ResourceName, Sheet, Stack, StateMark } from '@portal/ui';
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

/** IPv6 is counted in /32. */
const amount = (kind: PoolView['kind'], size: string): string =>
  kind === 'ipv6'
    ? `${(Number(BigInt(size) >> 90n) / 64).toLocaleString('en', { maximumFractionDigits: 2 }).replaceAll(',', '\u00a0')} × /32`
    : formatCount(BigInt(size));

function Pool({ pool }: { pool: PoolView }) {
  const { kind, sizes, blocks } = pool;
  const sums = (['available', 'held', 'quarantine', 'reserved'] as const).map(state => ({ state, size: BigInt(pool[state]) }));
  const all = sums.reduce((sum, { size }) => sum + size, 0n);
  return (
    <Sheet title={names[kind]} meta={`${amount(kind, pool.available)} available`}>
      {all === 0n ? (
        <EmptyState title="The pool is empty" picture={false}>
          Import a statistics file of the registry, or add blocks, to delegate from it.
        </EmptyState>
      ) : (
        <Stack gap={12}>
          <div className={styles.bar} aria-hidden="true">
            {sums
              .filter(({ size }) => size > 0n)
              .map(({ state, size }) => (
                <span key={state} className={styles[state]} style={{ flexGrow: Math.max(1, Number((size * 1000n) / all)) }} />
              ))}
          </div>
          <KeyValueList items={sums.map(({ state, size }) => ({ key: states[state].words, value: amount(kind, String(size)) }))} />
          {sizes.length > 0 && (
            <p className="small quiet">
              Free blocks by size: {sizes.map(({ length, blocks: found }) => `/${length}: ${found}`).join(', ')}
            </p>
          )}
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
            <p className="small quiet">
              The first {blocks.length} of {formatCount(pool.blockCount)} blocks.
            </p>
          )}
        </Stack>
      )}
    </Sheet>
  );
}
