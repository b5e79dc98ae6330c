import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { useRefusal } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { resourcePools } from '@portal/contract/resources/pools';
import { Field, formatCount, KeyValueList, TextInput } from '@portal/ui';
import { Part } from './Parts.tsx';
import styles from './Request.module.css';

const AsDots = optionalPart(() => import('./AsDots.tsx'), 'AsDots');
const PoolMap = optionalPart(() => import('./PoolMap.tsx'), 'PoolMap');

type Props = Pick<StaffResourceRequest, 'proposed' | 'accountName'> & {
  pool: NonNullable<StaffResourceRequest['pool']>;
  /** The block that staff entered instead of the proposed one. */
  picked: string;
  /** Null for those who can’t approve it. */
  onPick: ((block: string) => void) | null;
};

/** The part of the pool around the proposed block as a map, or the AS numbers around the proposed one as dots, the reason for it, what is free, and a field for another block. */
export function RequestPool({ pool, proposed, accountName, picked, onPick }: Props) {
  const takenLength = Number(/\/(\d+)$/.exec(picked || (proposed?.resource ?? ''))?.[1] ?? 0);
  const mayRead = useRefusal(resourcePools.getPoolMap) === null;
  const isAsn = pool.kind === 'asn';
  const hasMap = mayRead && proposed !== null;
  return (
    <Part title="Pool">
      <div className={styles.pool} data-map={hasMap || undefined}>
        {hasMap && isAsn && <AsDots proposed={proposed.resource} picked={picked} onPick={onPick} />}
        {hasMap && !isAsn && (
          <PoolMap
            kind={pool.kind as 'ipv4' | 'ipv6'}
            proposed={proposed.resource}
            accountName={accountName}
            picked={picked}
            onPick={onPick}
          />
        )}
        <div className={styles.poolFacts}>
          <div>
            <p className="small strong">Proposed</p>
            {proposed ? (
              <>
                <p className={`mono ${styles.proposed}`}>{proposed.resource}</p>
                <p className="small muted">{proposed.why}</p>
              </>
            ) : (
              <p>{isAsn ? 'No AS number is free' : 'No block of this size is free'}</p>
            )}
          </div>
          {pool.sizes.length > 0 ? (
            <FreeSizes sizes={pool.sizes} takenLength={takenLength} />
          ) : (
            <KeyValueList align="left" items={[{ key: 'Free numbers', value: pool.available }]} />
          )}
          {onPick && (
            <Field
              label={isAsn ? 'Another AS number' : 'Another block'}
              optional
              help={isAsn ? 'A free one, such as AS65541.' : 'Free, and of the size that was asked for.'}
            >
              <TextInput mono value={picked} maxLength={100} autoComplete="off" onChange={event => onPick(event.target.value)} />
            </Field>
          )}
        </div>
      </div>
    </Part>
  );
}

/** Sizes and blocks of a size that are drawn. */
const MAX_SIZES = 8;
const MAX_DRAWN = 16;

/** Free blocks by size, smallest first, one mark each; the size that is taken from is marked. */
function FreeSizes({ sizes, takenLength }: { sizes: readonly { length: number; blocks: number }[]; takenLength: number }) {
  // A block of a larger size is split where none of this size is free.
  const from = sizes.find(({ length }) => length <= takenLength)?.length;
  return (
    <div>
      <p className="small strong">Free blocks by size</p>
      <ul className={styles.freeSizes}>
        {sizes.slice(0, MAX_SIZES).map(({ length, blocks }) => (
          <li key={length} data-taken={length === from || undefined}>
            <span className="mono">/{length}</span>
            <span className={styles.freeBlocks} aria-hidden="true">
              {Array.from({ length: Math.min(blocks, MAX_DRAWN) }, (_, place) => (
                <i key={place} data-taken={(length === from && place === 0) || undefined} />
              ))}
            </span>
            <span>
              {length === from ? `${formatCount(blocks)} → ${formatCount(blocks - 1)}` : formatCount(blocks)}
              {length === from && length < takenLength && ', split'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
