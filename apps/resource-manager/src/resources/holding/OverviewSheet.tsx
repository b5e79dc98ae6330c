import { reading, useAccount, useKit } from '@portal/app-kit';
import type { AddressOverview } from '@portal/contract/resources/resources';
import { resources } from '@portal/contract/resources/resources';
import { formatCount, Sheet } from '@portal/ui';
import { AddressStrips, type StripMark } from '@portal/ui/map/AddressStrips';
import { HilbertSquare } from '@portal/ui/map/HilbertSquare';
import { MapLegend } from '@portal/ui/map/MapLegend';
import { ComboBox, type ComboBoxItem } from '@portal/ui/picker/ComboBox';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { amountOf, plural } from '../../shell/amounts.ts';
import { wordsOf } from '../kind-words.ts';
import { prefixAround, slash8s, stripOf } from './overview-places.ts';
import { kindWords, nameOfMark, stripsOf, ticksOf } from './overview-strips.ts';
import styles from './OverviewSheet.module.css';

type Family = 'ipv4' | 'ipv6';
type Show = (place: { within: string | null; selected: string | null }) => void;

/** An overview of everything held of one family, with a search: clicking a place shows it on the map below. */
export function OverviewSheet({
  kind,
  overview,
  current,
  selected,
  describedBy,
  onShow,
}: {
  kind: Family;
  overview: AddressOverview;
  /** The strip on the map below. */
  current: string | null;
  selected: string | null;
  describedBy: string;
  onShow: Show;
}) {
  const { name } = wordsOf[kind];
  const strips = useMemo(() => stripsOf(kind, overview), [kind, overview]);
  const press = (strip: string, mark: StripMark | null) => {
    if (!mark) onShow({ within: strip, selected: null });
    else if (mark.count > 1) onShow({ within: prefixAround(mark.id), selected: null });
    else onShow({ within: null, selected: mark.id });
  };
  return (
    <Sheet title={`All your ${name}`}>
      <PlaceSearch kind={kind} onShow={onShow} />
      <AddressStrips
        kind={kind}
        strips={strips}
        label={`All your ${name}: ${strips.length} ${plural(strips.length, 'strip', 'strips')}, one for each /${overview.stripLength} you hold space in`}
        ticks={ticksOf(overview)}
        amountHead={kind === 'ipv4' ? 'addresses' : 'held'}
        current={current}
        selected={selected}
        onSelect={press}
        nameOf={nameOfMark}
        describedBy={describedBy}
      />
      <MapLegend className={styles.legend}>
        {overview.counts.map(({ kind: of, size }) => (
          <span key={of}>
            <i className={styles[of]} data-kind={kind} aria-hidden="true" /> {kindWords[of]} <b>{amountOf(kind, BigInt(size))}</b>
          </span>
        ))}
        <span className="quiet">
          One strip is a /{overview.stripLength}
          {kind === 'ipv4' && <> of {formatCount(2 ** (32 - overview.stripLength))} addresses</>}.
        </span>
      </MapLegend>
    </Sheet>
  );
}

/** Maximum number listed of each. */
const offered = 6;

/** Finds a delegation or registration by prefix, address, netname or customer, and shows it. */
function PlaceSearch({ kind, onShow }: { kind: Family; onShow: Show }) {
  const account = useAccount().accountName;
  const { call } = useKit();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim().slice(0, 100));
  const ask = { enabled: q !== '', placeholderData: keepPreviousData };
  const delegations = useQuery({ ...reading(call, resources.listDelegations, { account, query: { kind, q, limit: offered } }), ...ask });
  const registrations = useQuery({
    ...reading(call, resources.listRegistrations, { account, query: { kind, q, free: 'no' as const, limit: offered } }),
    ...ask,
  });
  const items = new Map<string, ComboBoxItem>();
  for (const { resource } of delegations.data?.rows ?? []) items.set(resource, { id: resource, text: resource, note: 'delegation' });
  for (const { resource, netname } of registrations.data?.rows ?? [])
    if (!items.has(resource)) items.set(resource, { id: resource, text: resource, note: netname ?? 'registration' });
  return (
    <div className={styles.search}>
      <ComboBox
        label="Find a prefix, address or netname"
        searched
        mono
        placeholder={kind === 'ipv4' ? '113.24 or CORE' : '2001:db8 or CORE'}
        value={text}
        items={q === '' ? [] : [...items.values()]}
        onChange={(next, item) => {
          setText(next);
          if (item) onShow({ within: null, selected: item.id });
        }}
      />
    </div>
  );
}

/** The holding's place in all of IPv4, each /8 a cell. */
export function WholeSpaceSheet({ overview, current }: { overview: AddressOverview; current: string | null }) {
  const cells = slash8s(overview);
  const now = stripOf(overview, current)?.within;
  const share = (100 * Number(BigInt(overview.size))) / 2 ** 32;
  return (
    <Sheet title="In all of IPv4">
      <div className={styles.whole}>
        <HilbertSquare
          order={4}
          cells={cells.map(cell => ({ ...cell, current: now !== undefined && Number(now.split('.')[0]) === cell.index }))}
          label={`All of IPv4 as a Hilbert curve, one cell for each /8. You hold space in ${cells.length} of 256.`}
        />
        <p className="small muted">
          Each cell is a /8, in the order of a Hilbert curve, so that neighbours stay together. The stronger the colour, the more of it is
          yours.
          <br />
          <b>{share >= 0.01 ? `${share.toFixed(2)} %` : 'Less than 0.01 %'}</b> of all addresses
        </p>
      </div>
    </Sheet>
  );
}

/** Number of delegations per prefix length. */
export function SizesSheet({ overview, length }: { overview: AddressOverview; length: number | null }) {
  const most = Math.max(...overview.lengths.map(each => each.delegations));
  return (
    <Sheet title="Sizes" meta="delegations by prefix length">
      <ul className={styles.sizes} aria-label="Delegations by prefix length">
        {overview.lengths.map(each => (
          <li key={each.length} data-current={each.length === length || undefined}>
            <span className="num">{formatCount(each.delegations)}</span>
            <i data-kind={overview.kind} style={{ height: `${Math.max(2, (48 * each.delegations) / most)}px` }} aria-hidden="true" />
            <span className="mono">/{each.length}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
