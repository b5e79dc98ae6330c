import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Field, formatCount, KeyValueList, TextInput } from '@portal/ui';
import { Part } from './Parts.tsx';
import styles from './Request.module.css';

type Props = Pick<StaffResourceRequest, 'proposed'> & {
  pool: NonNullable<StaffResourceRequest['pool']>;
  /** The block that staff entered instead of the proposed one. */
  picked: string;
  /** Null for those who can’t approve it. */
  onPick: ((block: string) => void) | null;
};

/** The proposed block with its reason, what is free in the pool, and a field for another block. */
export function RequestPool({ pool, proposed, picked, onPick }: Props) {
  const takenLength = Number(/\/(\d+)$/.exec(picked || (proposed?.resource ?? ''))?.[1] ?? 0);
  return (
    <Part title="Pool">
      <KeyValueList
        align="left"
        items={[
          { key: 'Proposed', value: proposed ? <span className="mono">{proposed.resource}</span> : 'No block of this size is free' },
          ...(proposed ? [{ key: 'Why', value: proposed.why }] : []),
          ...(pool.sizes.length === 0 ? [{ key: 'Free numbers', value: pool.available }] : []),
        ]}
      />
      {pool.sizes.length > 0 && <FreeSizes sizes={pool.sizes} takenLength={takenLength} />}
      {onPick && (
        <Field label="Another block" optional help="Free, and of the size that was asked for.">
          <TextInput mono value={picked} maxLength={100} autoComplete="off" onChange={event => onPick(event.target.value)} />
        </Field>
      )}
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
