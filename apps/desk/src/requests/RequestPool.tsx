import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Field, KeyValueList, TextInput } from '@portal/ui';
import { Part } from './Parts.tsx';

type Props = Pick<StaffResourceRequest, 'proposed'> & {
  pool: NonNullable<StaffResourceRequest['pool']>;
  /** The block that staff entered instead of the proposed one. */
  picked: string;
  onPick: (block: string) => void;
};

/** The proposed block with its reason, what is free in the pool, and a field for another block. */
export function RequestPool({ pool, proposed, picked, onPick }: Props) {
  const free =
    pool.sizes.length > 0
      ? {
          key: 'Free blocks',
          value: pool.sizes
            .slice(0, 8)
            .map(({ length, blocks }) => `/${length}: ${blocks}`)
            .join(', '),
        }
      : { key: 'Free numbers', value: pool.available };
  return (
    <Part title="Pool">
      <KeyValueList
        align="left"
        items={[
          { key: 'Proposed', value: proposed ? <span className="mono">{proposed.resource}</span> : 'No block of this size is free' },
          ...(proposed ? [{ key: 'Why', value: proposed.why }] : []),
          free,
        ]}
      />
      <Field label="Another block" optional help="Free, and of the size that was asked for.">
        <TextInput mono value={picked} maxLength={100} autoComplete="off" onChange={event => onPick(event.target.value)} />
      </Field>
    </Part>
  );
}
