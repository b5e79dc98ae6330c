import { useAccount } from '@portal/app-kit';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { reading, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { type AddressMap, resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { Link, Sheet } from '@portal/ui';
import { amountOf, shareOf } from '../../shell/amounts.ts';
import { nearOf } from './position.ts';
import styles from './PositionMap.module.css';

type Part = { from: number; share: number; kind: AddressMap['blocks'][number]['kind']; label: string };

/** A small map of where the numbers lie: in their delegation, enlarged among their neighbours, and what is registered in them; for others only the first. */
export function PositionMap({ record, kind }: { record: ResourceRecord; kind: 'ipv4' | 'ipv6' }) {
  const account = useAccount().accountName;
  const { call } = useKit();
  const holding = record.holdings.find(each => each.relation !== 'inside');
  const range = parseRange(record.resource);
  const outer = holding ? parseRange(holding.resource) : null;
  const isPart = holding?.relation === 'around';
  // Two lengths up, but within the delegation.
  const near = outer && holding?.own && isPart ? nearOf(record.resource, holding.resource) : null;
  const whole = outer && holding?.own ? printPrefix(enclosingPrefix(outer)) : null;
  const { data: map } = useQuery({
    ...reading(call, resources.getAddressMap, { account, query: { kind, within: whole ?? record.resource } }),
    enabled: whole !== null && record.on === null,
  });
  if (!outer || !holding || (!isPart && !holding.own)) return null;
  const place = (inner: { first: bigint; last: bigint }, whole: { first: bigint; last: bigint }) => ({
    from: shareOf(inner.first - whole.first, whole.last - whole.first + 1n),
    share: shareOf(inner.last - inner.first + 1n, whole.last - whole.first + 1n),
  });
  const around = near && map ? parseRange(near) : null;
  const base = whole === null ? 0n : parseRange(whole).first;
  /** The blocks of the map that touch a range, cut to it. */
  const partsOf = (within: { first: bigint; last: bigint }): Part[] =>
    (map?.blocks ?? []).flatMap(block => {
      const first = base + BigInt(block.offset);
      const last = first + BigInt(block.size) - 1n;
      if (last < within.first || first > within.last) return [];
      const cut = { first: first > within.first ? first : within.first, last: last < within.last ? last : within.last };
      return [{ ...place(cut, within), kind: block.kind, label: block.label }];
    });
  const parts = around ? partsOf(around) : [];
  const inner = record.used === null ? [] : partsOf(range);
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
          <span className="quiet small">
            {holding.own ? 'your delegation' : 'the delegation'}, {amountOf(kind, BigInt(holding.size))}
          </span>
        </figcaption>
        {isPart && <Bar label={`${record.resource} in ${holding.resource}`} parts={partsOf(outer)} mark={place(range, outer)} />}
        {around && near && (
          <>
            <Zoom mark={place(range, outer)}>
              <span className="mono">{near}</span> around it
            </Zoom>
            <Bar label={`${record.resource} among its neighbours in ${near}`} parts={parts} mark={place(range, around)} named={kind} />
          </>
        )}
        {record.used !== null && (
          <>
            <Zoom mark={around ? place(range, around) : isPart ? place(range, outer) : null}>
              {amountOf(kind, BigInt(record.used))} of {amountOf(kind, BigInt(record.size))} registered
            </Zoom>
            <Bar label={`Registered and free in ${record.resource}`} parts={inner} mark={null} />
            <span className={styles.ends} aria-hidden="true">
              <span>{record.first}</span>
              <span>{record.last}</span>
            </span>
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

/** Lines from the marked part of the bar above to the ends of the bar below: that is its enlargement. Between them stands what it shows. */
function Zoom({ mark, children }: { mark: { from: number; share: number } | null; children: ReactNode }) {
  return (
    <div className={styles.zoom}>
      {mark && (
        <svg aria-hidden="true">
          <line x1={`${100 * mark.from}%`} y1="0" x2="0" y2="100%" />
          <line x1={`${100 * (mark.from + mark.share)}%`} y1="0" x2="100%" y2="100%" />
        </svg>
      )}
      <span>{children}</span>
    </div>
  );
}

/** Share of a bar from which a part has room for its name. */
const ROOM = 0.24;

/** Returns the name of a part inside its bar: the end of its numbers, without what its neighbours have in common. */
const shortOf = ({ label, kind }: Part, family: 'ipv4' | 'ipv6'): string => {
  const name = family === 'ipv4' ? label.replace(/^\d+\.\d+\./, '') : `/${label.split('/')[1] ?? ''}`;
  return kind === 'free' ? `${name.replace(/\/\d+$/, family === 'ipv4' ? '' : '$&')} free` : name;
};

type BarProps = { label: string; parts: readonly Part[]; mark: { from: number; share: number } | null; named?: 'ipv4' | 'ipv6' };

function Bar({ label, parts, mark, named }: BarProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
    <div className={styles.bar} role="img" aria-label={label}>
      {parts.map(part => (
        <i key={part.label} data-kind={part.kind} style={{ left: `${100 * part.from}%`, width: `${100 * part.share}%` }} />
      ))}
      {mark && <b style={{ left: `${100 * mark.from}%`, width: `max(3px, ${100 * mark.share}%)` }} />}
      {named &&
        parts
          .filter(part => part.share >= ROOM && /^[^ ]+$/.test(part.label))
          .map(part => (
            <span key={part.label} style={{ left: `${100 * part.from}%`, width: `${100 * part.share}%` }}>
              {shortOf(part, named)}
            </span>
          ))}
    </div>
  );
}
