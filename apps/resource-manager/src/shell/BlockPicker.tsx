import { reading, useAccount, useKit, useRefusal } from '@portal/app-kit';
import { resources } from '@portal/contract/resources/resources';
import { routedSpace } from '@portal/contract/routes/routed-space';
import { enclosingPrefix, parseRange, prefixAt, prefixOfRange, printPrefix, ResourceSyntaxError } from '@portal/number-resources';
import { Checkbox, Field, formatCount, Segmented, Select, SkeletonLines, TextInput } from '@portal/ui';
import { AddressMap, type MapLayout } from '@portal/ui/map/AddressMap';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { mapText, poolText } from './amounts.ts';
import { blocksOf } from './map-blocks.ts';
import { routingLane } from './routing-lane.ts';
import styles from './BlockPicker.module.css';

/** A holding, and why nothing of it can be chosen as a whole; null if it can. */
type PickableHolding = { resource: string; against: string | null };
type Part = { start: bigint; size: bigint; label: string };

/** Sizes that fit on one line; more are a list. */
const MAX_SIZES = 6;
/** Room for the names of the parts at the right of the map, in px. */
const MARGIN = 122;
/** Narrower maps have half the row and no names at their right, in px. */
const NARROW = 520;

type Aside = { chosen: string; kept: string | null };
const handOver: Aside = { chosen: 'moves', kept: 'you keep' };

type Picking = {
  /** IPv4 holdings, at least one. */
  holdings: readonly PickableHolding[];
  /** The effect on the chosen block, in a word, for the legend. */
  moves: string;
  /** Words beside the parts of the map; null leaves those that stay without. */
  aside?: Aside;
  /** Prefix length of the largest block that is offered. */
  largest?: number;
  /** All resources of the form. */
  chosen: readonly string[];
  /** Prefix length of the smallest block. */
  smallest: number;
  /** One block only, of the smallest size at first. */
  single?: boolean;
  /** Prefix length of the block where the form asks for it, and for the address: the map alone is drawn. */
  given?: number;
  onChange: (resources: string[]) => void;
};

/**
 * Chooses a block on the picture of a holding: a size, and where it begins, by a press on the map, with the keyboard, or typed. A press replaces what is chosen of the holding, unless several parts
 * are wanted.
 */
export function BlockPicker({
  holdings,
  moves,
  aside = handOver,
  largest = 0,
  chosen,
  smallest,
  single = false,
  given,
  onChange,
}: Picking) {
  const first =
    holdings.find(row => chosen.some(text => isInside(row.resource, text))) ?? holdings.find(row => row.against === null) ?? holdings[0]!;
  const [holding, setHolding] = useState(first.resource);
  const row = holdings.find(({ resource }) => resource === holding);
  const cover = enclosingPrefix(parseRange(holding));
  const longest = Math.max(cover.length, Math.min(32, smallest));
  const shortest = Math.min(longest, Math.max(cover.length, largest));
  const inHolding = chosen.filter(text => isInside(holding, text));
  const current = inHolding.at(-1);
  const [size, setSize] = useState(() => lengthOf(current) ?? Math.max(shortest, Math.min(longest, single ? smallest : smallest - 2)));
  const length = Math.min(longest, Math.max(shortest, given ?? size));
  const [several, setSeveral] = useState(inHolding.length > 1);
  const [typed, setTyped] = useState<string | null>(null);
  const against = row?.against ?? null;

  const replaceWith = (prefix: string) => {
    setTyped(null);
    const others = chosen.filter(other => (several ? !overlaps(other, prefix) : !isInside(holding, other)));
    onChange(several && chosen.includes(prefix) ? [...others] : [...others, prefix]);
  };
  const pick = (offset: bigint, wanted = length) => {
    if (against !== null) return;
    const prefix = printPrefix(prefixAt('ipv4', cover.first + offset, wanted));
    if (isInside(holding, prefix)) replaceWith(prefix);
  };
  const resize = (wanted: number) => {
    setSize(wanted);
    if (current) pick(parseRange(current).first - cover.first, wanted);
  };
  const apply = () => {
    const words = typed?.trim() ?? '';
    if (words === '') return setTyped(null);
    const range = rangeOf(words.includes('/') ? words : `${words}/${length}`);
    if (!range || !isInside(holding, words.includes('/') ? words : `${words}/${length}`)) return;
    const prefix = prefixOfRange(range);
    if (prefix) setSize(prefix.length);
    replaceWith(prefix ? printPrefix(prefix) : words);
  };

  return (
    <div className={styles.picker}>
      <div className={styles.tools}>
        {holdings.length > 1 && (
          <HoldingChoice
            holdings={holdings}
            value={holding}
            onChange={next => {
              setHolding(next);
              setTyped(null);
            }}
          />
        )}
        {given === undefined && (
          <>
            <SizeChoice longest={longest} shortest={shortest} length={length} onChange={resize} />
            <FirstAddress
              holding={holding}
              length={length}
              value={typed ?? current?.split('/')[0] ?? ''}
              typed={typed}
              onType={setTyped}
              onApply={apply}
            />
          </>
        )}
      </div>
      {against !== null && <p className="small muted">{`${holding}: ${against}.`}</p>}
      <HoldingMap
        holding={holding}
        chosen={inHolding}
        moves={moves}
        aside={aside}
        isPool={given !== undefined}
        onPoint={pick}
        onOpen={prefix => {
          const wanted = Math.min(longest, Math.max(shortest, prefix.length));
          setSize(wanted);
          pick(prefix.first - cover.first, wanted);
        }}
      />
      {!single && <SeveralParts checked={several} onChange={setSeveral} />}
    </div>
  );
}

const SeveralParts = ({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) => (
  <Checkbox checked={checked} onChange={event => onChange(event.target.checked)} help="Select a block on the map to add or remove it.">
    Several parts
  </Checkbox>
);

type OfHolding = { holdings: readonly PickableHolding[]; value: string; onChange: (holding: string) => void };

const HoldingChoice = ({ holdings, value, onChange }: OfHolding) => (
  <Field label="Holding">
    <Select value={value} options={holdings.map(({ resource }) => resource)} onChange={event => onChange(event.target.value)} />
  </Field>
);

/** The size of a block: a few side by side, more in a list. */
function SizeChoice({
  longest,
  shortest,
  length,
  onChange,
}: {
  longest: number;
  shortest: number;
  length: number;
  onChange: (length: number) => void;
}) {
  const sizes = Array.from({ length: longest - shortest + 1 }, (_, index) => longest - index);

  return (
    <div className={styles.size}>
      <span className={styles.label} aria-hidden="true">
        Size
      </span>
      {sizes.length > MAX_SIZES ? (
        <Select
          aria-label="Size"
          value={String(length)}
          options={sizes.map(each => ({ value: String(each), label: `/${each}, ${formatCount(2 ** (32 - each))} addresses` }))}
          onChange={event => onChange(Number(event.target.value))}
        />
      ) : (
        <Segmented
          label="Size"
          value={String(length)}
          options={sizes.map(each => ({ value: String(each), label: `/${each}` }))}
          onChange={value => onChange(Number(value))}
        />
      )}
    </div>
  );
}

/** Where a block begins. An address that is typed is applied with Enter, or when the field is left. @param typed what is typed and not applied; null for nothing */
function FirstAddress({
  holding,
  length,
  value,
  typed,
  onType,
  onApply,
}: {
  holding: string;
  length: number;
  value: string;
  typed: string | null;
  onType: (text: string) => void;
  onApply: () => void;
}) {
  const isWrong =
    typed !== null && typed.trim() !== '' && !isInside(holding, typed.includes('/') ? typed.trim() : `${typed.trim()}/${length}`);
  return (
    <Field label="First address" error={isWrong ? `Enter an address inside ${holding}, such as ${holding.split(/[/ ]/)[0]}` : undefined}>
      <TextInput
        mono
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={event => onType(event.target.value)}
        onBlur={onApply}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onApply();
        }}
      />
    </Field>
  );
}

type Place = { first: bigint; length: number };

/** The picture of a holding, with what of it moves and what stays. */
function HoldingMap({
  holding,
  chosen,
  moves,
  aside,
  isPool,
  onPoint,
  onOpen,
}: {
  holding: string;
  chosen: readonly string[];
  moves: string;
  aside: Aside;
  /** The pool of a national registry: its blocks are those of sub-accounts, who announce them. */
  isPool: boolean;
  /** @param offset addresses after the first one of the picture */
  onPoint: (offset: bigint) => void;
  onOpen: (prefix: Place) => void;
}) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const cover = enclosingPrefix(parseRange(holding));
  const within = printPrefix(cover);
  const { data: map } = useQuery(reading(call, resources.getAddressMap, { account, query: { kind: 'ipv4', within } }));
  const seesRoutes = useRefusal(routedSpace.getRoutedSpace) === null && !isPool;
  const { data: space } = useQuery({ ...reading(call, routedSpace.getRoutedSpace, { account, query: { within } }), enabled: seesRoutes });
  const text = useMemo(() => (isPool ? poolText : mapText)('ipv4', cover.first), [isPool, cover.first]);
  const lanes = useMemo(() => (space ? [routingLane(space, cover.first)] : []), [space, cover.first]);
  const blocks = useMemo(() => (map ? blocksOf(map, map) : []), [map]);
  const parts = useMemo(() => partsOf(chosen, cover.first), [chosen, cover.first]);
  const kept = useMemo(() => keptOf(holding, chosen, cover.first), [holding, chosen, cover.first]);
  if (!map) return <SkeletonLines lines={8} label="Loading the address map" />;
  return (
    <AddressMap
      kind="ipv4"
      cover={{ label: map.within, sizeLog2: map.sizeLog2 }}
      blocks={blocks}
      text={text}
      lanes={lanes}
      margin={MARGIN}
      narrowUpTo={NARROW}
      onPoint={offset => onPoint(offset)}
      onOpen={label => {
        const range = rangeOf(label);
        const own = range && prefixOfRange(range);
        if (own) onOpen(own);
      }}
      overlay={layout => <Overlay layout={layout} aside={aside} parts={parts} kept={kept} lanes={lanes.length} />}
      legend={
        parts.length > 0 && (
          <span>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <rect className={styles.moves} x="1" y="1" width="12" height="12" />
            </svg>
            {moves} <b>{formatCount(parts.reduce((sum, part) => sum + part.size, 0n))}</b>
          </span>
        )
      }
    />
  );
}

function rangeOf(text: string) {
  try {
    return parseRange(text);
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** Whether a resource lies inside a block. */
function isInside(block: string, text: string): boolean {
  const [outer, inner] = [rangeOf(block), rangeOf(text)];
  return Boolean(outer && inner && outer.family === inner.family && inner.first >= outer.first && inner.last <= outer.last);
}

function overlaps(a: string, b: string): boolean {
  const [one, other] = [rangeOf(a), rangeOf(b)];
  return Boolean(one && other && one.family === other.family && one.first <= other.last && other.first <= one.last);
}

const lengthOf = (text: string | undefined): number | null => {
  const range = text === undefined ? null : rangeOf(text);
  return (range && prefixOfRange(range)?.length) ?? null;
};

const partsOf = (texts: readonly string[], origin: bigint): Part[] =>
  texts.flatMap(label => {
    const range = rangeOf(label);
    return range ? [{ label, start: range.first - origin, size: range.last - range.first + 1n }] : [];
  });

/** The prefixes of a holding that stay, once something of it moves. */
function keptOf(holding: string, texts: readonly string[], origin: bigint): Part[] {
  if (texts.length === 0) return [];
  const { first, last } = parseRange(holding);
  const parts: Part[] = [];
  /** Adds the prefixes that fill a gap, each as large as its place allows. */
  const fill = (from: bigint, to: bigint): void => {
    for (let at = from; at <= to; ) {
      let log2 = 0n;
      while (log2 < 32n && at % (2n << log2) === 0n && at + (2n << log2) - 1n <= to) log2 += 1n;
      parts.push({ label: printPrefix(prefixAt('ipv4', at, 32 - Number(log2))), start: at - origin, size: 1n << log2 });
      at += 1n << log2;
    }
  };
  let at = first;
  for (const moved of texts.flatMap(text => rangeOf(text) ?? []).toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    fill(at, moved.first - 1n);
    if (moved.last >= at) at = moved.last + 1n;
  }
  fill(at, last);
  return parts;
}

/** The chosen parts over the map, and at its right the names of what moves and what stays. */
function Overlay({
  layout,
  aside,
  parts,
  kept,
  lanes,
}: {
  layout: MapLayout;
  aside: Aside;
  parts: readonly Part[];
  kept: readonly Part[];
  lanes: number;
}) {
  const { rows, rowLog2, left, rowWidth, pitch, blockHeight } = layout;
  const rowSize = 2 ** rowLog2;
  const right = left + rowWidth;
  const hasMargin = layout.width > NARROW - MARGIN && rows.length > 0;
  const rowOf = (offset: bigint): number => Math.floor(Number(offset) / rowSize);
  const frames = parts.flatMap(({ start, size, label }) => {
    const end = start + size;
    return rows.flatMap(row => {
      const [from, to] = [Math.max(Number(start), Number(row.start)), Math.min(Number(end), Number(row.start) + rowSize)];
      if (from >= to) return [];
      const x = left + ((from - Number(row.start)) / rowSize) * rowWidth;
      return [{ key: `${label} ${row.index}`, x, y: row.y, width: ((to - from) / rowSize) * rowWidth }];
    });
  });
  const height = lanes > 0 ? pitch - 6 : blockHeight;
  const { chosen, kept: stays } = aside;
  const names = [
    ...parts.map(part => ({ ...part, isChosen: true, words: chosen })),
    ...(stays === null ? [] : kept.map(part => ({ ...part, isChosen: false, words: stays }))),
  ]
    .map(part => ({ ...part, top: rowOf(part.start), bottom: rowOf(part.start + part.size - 1n) }))
    .toSorted((a, b) => (a.start < b.start ? -1 : 1));
  // A name for each row at most: what is smaller than a row is read in the list of what is kept.
  const taken = new Set<number>();
  const named = names.filter(({ top, isChosen, size }) => {
    if (taken.has(top) || (!isChosen && Number(size) < rowSize)) return false;
    taken.add(top);
    return true;
  });
  return (
    <g aria-hidden="true">
      {frames.map(({ key, x, y, width }) => (
        <rect key={key} className={styles.moves} x={x - 0.5} y={y - 1} width={Math.max(3, width)} height={height} rx="1" />
      ))}
      {hasMargin &&
        named.map(({ label, words, isChosen, top, bottom }) => {
          const y = (rows[top]?.y ?? 0) + 1;
          const end = (rows[Math.min(bottom, rows.length - 1)]?.y ?? 0) + height - 1;
          const middle = (y + end) / 2;
          return (
            <g key={label} className={isChosen ? styles.moving : styles.kept}>
              <path d={`M${right + 5} ${y}h5V${end}h-5`} />
              <text x={right + 15} y={middle + (height > 26 ? -1 : 4)}>
                {label}
              </text>
              {height > 26 && (
                <text className={styles.aside} x={right + 15} y={middle + 12}>
                  {words}
                </text>
              )}
            </g>
          );
        })}
    </g>
  );
}
