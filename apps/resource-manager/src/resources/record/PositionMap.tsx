import { useAccount } from '@portal/app-kit';
import { useQuery } from '@tanstack/react-query';
import { reading, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { type AddressMap, resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parentPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { Link, Sheet } from '@portal/ui';
import { shareOf } from '../amounts.ts';
import styles from './PositionMap.module.css';

type Part = { from: number; share: number; kind: AddressMap['blocks'][number]['kind']; label: string };

/** A small map of where the numbers lie: in their delegation, and enlarged among their neighbours; for the account's own space only the second. */
export function PositionMap({ record, kind }: { record: ResourceRecord; kind: 'ipv4' | 'ipv6' }) {
  const account = useAccount().accountName;
  const { call } = useKit();
  const holding = record.holdings.find(each => each.relation !== 'inside');
  const range = parseRange(record.resource);
  const outer = holding ? parseRange(holding.resource) : null;
  // Two lengths up, but within the delegation.
  const near = outer && holding?.own && holding.relation === 'around' ? nearOf(record.resource, holding.resource) : null;
  const { data: map } = useQuery({
    ...reading(call, resources.getAddressMap, { account, query: { kind, within: near ?? record.resource } }),
    enabled: near !== null && record.on === null,
  });
  if (!outer || !holding || holding.relation !== 'around') return null;
  const place = (inner: { first: bigint; last: bigint }, whole: { first: bigint; last: bigint }) => ({
    from: shareOf(inner.first - whole.first, whole.last - whole.first + 1n),
    share: shareOf(inner.last - inner.first + 1n, whole.last - whole.first + 1n),
  });
  const around = near && map ? parseRange(near) : null;
  const parts: Part[] =
    around && map
      ? map.blocks.map(block => ({
          ...place(
            { first: around.first + BigInt(block.offset), last: around.first + BigInt(block.offset) + BigInt(block.size) - 1n },
            around,
          ),
          kind: block.kind,
          label: block.label,
        }))
      : [];
  const at = parts.findIndex(part => part.label === record.resource);
  const beside = at < 0 ? [] : [parts[at - 1], parts[at + 1]].filter(part => part !== undefined && part.kind !== 'reserved');
  return (
    <Sheet
      title="Where it lies"
      actions={
        holding.own && (
          <Link className="small" href={`${pages[kind].path}?${new URLSearchParams({ selected: record.resource })}`}>
            Address map
          </Link>
        )
      }
    >
      <figure className={styles.figure} data-kind={kind}>
        <figcaption>
          <Link href={recordAddress(holding.resource)} className="mono">
            {holding.resource}
          </Link>
          <span className="quiet small">{holding.own ? 'your delegation' : 'the delegation'}</span>
        </figcaption>
        <Bar label={`${record.resource} in ${holding.resource}`} parts={[]} mark={place(range, outer)} />
        {around && near && (
          <>
            <span className="quiet small mono">{near}</span>
            <Bar label={`${record.resource} among its neighbours in ${near}`} parts={parts} mark={place(range, around)} />
          </>
        )}
      </figure>
      {beside.length > 0 && (
        <p className="small muted">
          Next to it:{' '}
          {beside.map((part, index) => (
            <span key={part!.label}>
              {index > 0 && ', '}
              <Link className="mono" href={recordAddress(part!.label)}>
                {part!.label}
              </Link>
              {part!.kind === 'free' && ' free'}
            </span>
          ))}
        </p>
      )}
    </Sheet>
  );
}

/** The prefix two lengths shorter than the smallest around the numbers, if it still lies in the delegation. */
function nearOf(resource: string, holding: string): string | null {
  const inner = enclosingPrefix(parseRange(resource));
  const outer = enclosingPrefix(parseRange(holding));
  const length = Math.max(outer.length, inner.length - 2, 0);
  return length >= inner.length ? null : printPrefix(parentPrefix(inner, length));
}

function Bar({ label, parts, mark }: { label: string; parts: readonly Part[]; mark: { from: number; share: number } }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
    <div className={styles.bar} role="img" aria-label={label}>
      {parts.map(part => (
        <i key={part.label} data-kind={part.kind} style={{ left: `${100 * part.from}%`, width: `${100 * part.share}%` }} />
      ))}
      <b style={{ left: `${100 * mark.from}%`, width: `max(3px, ${100 * mark.share}%)` }} />
    </div>
  );
}
