import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { type PoolMap as Surroundings, resourcePools } from '@portal/contract/resources/pools';
import {
  type AddressRange,
  enclosingPrefix,
  parseResource,
  prefixAt,
  printPrefix,
  printRange,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { DateText, formatCount, Link, SkeletonLines } from '@portal/ui';
import { AddressMap, type BlockKind, type MapBlock, type MapLayout } from '@portal/ui/map/AddressMap';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { mapTextOf } from './pool-map-text.ts';
import styles from './PoolMap.module.css';

type Kind = 'ipv4' | 'ipv6';
type Block = Surroundings['blocks'][number];
type Place = { start: bigint; size: bigint };

/** Narrower maps have half the row, in px. */
const NARROW = 480;
const kinds: Record<Block['state'], BlockKind> = {
  available: 'free',
  held: 'held',
  quarantine: 'reserved',
  reserved: 'reserved',
  delegated: 'delegated',
};

/**
 * The pool around the proposed block: where the space would come from, and who has what is beside it. A press on free space chooses the block there, of the requested size.
 * @param picked the block that staff entered; @param onPick null for those who can’t approve the case
 */
export function PoolMap({
  kind,
  proposed,
  accountName,
  picked,
  onPick,
}: {
  kind: Kind;
  proposed: string;
  accountName: string;
  picked: string;
  onPick: ((block: string) => void) | null;
}) {
  const { call } = useKit();
  const [pressed, setPressed] = useState<Block | 'none' | null>(null);
  const own = rangeIn(proposed, kind);
  const chosen = rangeIn(picked, kind) ?? own;
  const near = useQuery(reading(call, resourcePools.getPoolMap, { kind, query: { resource: proposed } }));
  const isFar = near.data !== undefined && chosen !== null && !isInside(near.data, chosen);
  // A block elsewhere has a map of its own.
  const far = useQuery({ ...reading(call, resourcePools.getPoolMap, { kind, query: { resource: picked } }), enabled: isFar });
  const { data: map, error } = isFar ? far : near;
  const origin = map ? (rangeIn(map.within, kind)?.first ?? 0n) : 0n;
  const blocks = useMemo(
    () => (map ? [...blocksOf(map, accountName), ...outsideOf(map, kind, origin)] : []),
    [map, accountName, kind, origin],
  );
  const size = own ? own.last - own.first + 1n : 1n;
  const text = useMemo(() => mapTextOf(kind, origin, accountName, size), [kind, origin, accountName, size]);
  if (error) return <FailureBanner failure={error} />;
  if (!map || !own) return <SkeletonLines lines={8} label="Loading the map of the pool" />;
  const length = enclosingPrefix(own).length;
  const place = chosen && { start: chosen.first - origin, size: chosen.last - chosen.first + 1n };
  const cells = (1n << BigInt(map.sizeLog2)) / size;
  const free = map.blocks.filter(({ state }) => state === 'available').reduce((sum, block) => sum + BigInt(block.size) / size, 0n);
  const take = (start: bigint, here: Block | undefined): void => {
    const fits = here?.state === 'available' && BigInt(here.offset) <= start && start + size <= BigInt(here.offset) + BigInt(here.size);
    setPressed(fits ? null : (here ?? 'none'));
    if (!fits || !onPick) return;
    const block = printPrefix(prefixAt(kind, origin + start, length));
    onPick(block === proposed ? '' : block);
  };
  const pick = (offset: bigint): void =>
    take(
      offset - (offset % size),
      map.blocks.find(block => BigInt(block.offset) <= offset && offset < BigInt(block.offset) + BigInt(block.size)),
    );
  return (
    <div className={styles.pool}>
      <p className={styles.head}>
        <span className="mono strong">{map.within}</span>
        <span>
          one cell is a /{length}, {formatCount(free)} of {formatCount(cells)} free
        </span>
      </p>
      <AddressMap
        kind={kind}
        cover={{ label: map.within, sizeLog2: map.sizeLog2 }}
        blocks={blocks}
        text={text}
        narrowUpTo={NARROW}
        onPoint={pick}
        onOpen={id => {
          const block = map.blocks.find(({ resource }) => resource === id);
          // The first place in the block that a prefix of the size can have.
          if (!block) setPressed('none');
          else take(((BigInt(block.offset) + size - 1n) / size) * size, block);
        }}
        overlay={layout => place && <Proposed layout={layout} place={place} />}
        legend={
          <span>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <rect className={styles.proposed} x="1" y="1" width="12" height="12" />
            </svg>
            {picked === '' ? 'This request' : 'Your choice'} <b>1 × /{length}</b>
          </span>
        }
      />
      <output className={styles.pressed}>
        {pressed !== null ? <Pressed pressed={pressed} length={length} /> : onPick && 'Press free space to choose another block.'}
      </output>
      {map.more > 0 && <p className="small muted">{formatCount(map.more)} more ranges of this part of the pool aren’t drawn.</p>}
    </div>
  );
}

/** Why the pressed place can't be chosen. */
function Pressed({ pressed, length }: { pressed: Block | 'none'; length: number }): ReactNode {
  if (pressed === 'none') return 'These numbers are in no pool of this registry.';
  const { resource, state, accountName, reference, until } = pressed;
  const name = <span className="mono nw">{resource}</span>;
  if (state === 'available')
    return (
      <>
        {name} is free, but smaller than a /{length}.
      </>
    );
  if (state === 'delegated')
    return (
      <>
        {name} is delegated to{' '}
        {accountName === null ? 'another holder' : <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>}.
      </>
    );
  if (state === 'held')
    return (
      <>
        {name} is held for{' '}
        {reference === null ? 'a request' : <Link href={`/desk/requests/resources-${reference.replace('REQ-', '')}`}>{reference}</Link>}.
      </>
    );
  return (
    <>
      {name} is {state === 'quarantine' ? 'in quarantine' : 'reserved'}
      {until !== null && (
        <>
          {' '}
          until <DateText value={until} shape="date" />
        </>
      )}
      .
    </>
  );
}

/** The chosen block over the rows that it lies in. */
function Proposed({ layout, place: { start, size } }: { layout: MapLayout; place: Place }) {
  const { rows, rowLog2, left, rowWidth, blockHeight } = layout;
  const rowSize = 1n << BigInt(rowLog2);
  const x = (offset: bigint): number => left + (Number((offset * 10_000n) / rowSize) / 10_000) * rowWidth;
  return (
    <g aria-hidden="true">
      {rows.flatMap(row => {
        const from = start > row.start ? start : row.start;
        const to = start + size < row.start + rowSize ? start + size : row.start + rowSize;
        return from >= to
          ? []
          : [
              <rect
                key={row.index}
                className={styles.proposed}
                x={x(from - row.start) + 0.5}
                y={row.y + 0.5}
                width={Math.max(3, x(to - row.start) - x(from - row.start) - 1.5)}
                height={blockHeight}
              />,
            ];
      })}
    </g>
  );
}

/** Returns the blocks to draw; those of the account that asks have a shade of their own. */
const blocksOf = (map: Surroundings, accountName: string): MapBlock[] =>
  map.blocks.map(block => ({
    id: block.resource,
    label: block.resource,
    kind: block.state === 'delegated' && block.accountName === accountName ? 'customers' : kinds[block.state],
    name: block.state === 'delegated' ? (block.accountName ?? undefined) : (block.reference ?? undefined),
    start: BigInt(block.offset),
    size: BigInt(block.size),
  }));

/** Returns what of the drawn prefix is in no pool of this registry: the gaps between its blocks. After the last one of those that fit, nothing is known. */
function outsideOf(map: Surroundings, kind: Kind, origin: bigint): MapBlock[] {
  const gaps: MapBlock[] = [];
  let from = 0n;
  const leaveOut = (to: bigint): void => {
    const label = printRange({ family: kind, first: origin + from, last: origin + to - 1n });
    if (from < to) gaps.push({ id: label, label, kind: 'outside', start: from, size: to - from });
  };
  for (const { offset, size } of map.blocks) {
    leaveOut(BigInt(offset));
    from = BigInt(offset) + BigInt(size);
  }
  if (map.more === 0) leaveOut(1n << BigInt(map.sizeLog2));
  return gaps;
}

function rangeIn(text: string, kind: Kind): AddressRange | null {
  try {
    const range = parseResource(text.trim());
    return range.family === 'asn' || range.family !== kind ? null : range;
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

function isInside({ within }: Surroundings, { family, first, last }: AddressRange): boolean {
  const outer = rangeIn(within, family);
  return outer !== null && outer.first <= first && last <= outer.last;
}
