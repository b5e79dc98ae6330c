import type { RequestEligibility } from '@portal/contract/requests/requests';
import { Checkbox, formatCount, Link } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './Offers.module.css';

export type AskedKind = 'ipv4' | 'ipv6' | 'asn';
export const askedKinds = ['ipv4', 'ipv6', 'asn'] as const;
export const kindNames: Record<AskedKind, string> = { ipv4: 'IPv4 addresses', ipv6: 'IPv6 addresses', asn: 'AS number' };

/** Offers each kind of numbers in a cell: the size, its room to scale, and whether it is part of this request. */
export function Offers({
  offers,
  chosen,
  lengths,
  busy,
  reasonOf,
  addressOf,
  onChoose,
}: {
  offers: Record<AskedKind, RequestEligibility>;
  chosen: readonly AskedKind[];
  /** Prefix lengths asked for at present. */
  lengths: Partial<Record<AskedKind, number>>;
  busy: boolean;
  /** Why a kind can't be chosen; null if it can. */
  reasonOf: (kind: AskedKind) => string | null;
  addressOf: (kind: AskedKind, requestId: string) => string;
  onChoose: (kind: AskedKind, isChosen: boolean) => void;
}) {
  return (
    <div className={styles.offers}>
      {askedKinds.map(kind => {
        const offer = offers[kind];
        const isChosen = chosen.includes(kind);
        const isOpen = offer.open !== null && offer.open.state !== 'draft';
        const reason = reasonOf(kind);
        const length = lengths[kind] || offer.paths[0]?.lengths[0];
        return (
          <div key={kind}>
            <Checkbox
              checked={isChosen}
              disabled={busy || (!isChosen && (reason !== null || isOpen))}
              onChange={event => onChoose(kind, event.target.checked)}
            >
              <span className="strong">{kindNames[kind]}</span>
            </Checkbox>
            <p className={styles.big}>
              {kind === 'asn' ? '1' : length ? `/${length}` : '–'}
              <span>{aside(kind, offer)}</span>
            </p>
            <Room kind={kind} offer={offer} length={length} asked={isChosen} />
            {isOpen ? (
              <p className="small">
                {offer.open!.reference} is open already.{' '}
                <Link href={addressOf(kind, offer.open!.requestId)}>View {offer.open!.reference}</Link>
              </p>
            ) : (
              reason !== null && <p className="small muted">{reason}</p>
            )}
          </div>
        );
      })}
    </div>
  );
}

function aside(kind: AskedKind, { room, paths }: RequestEligibility): ReactNode {
  if (kind !== 'ipv6') return room;
  const last = paths[0]?.lengths.at(-1);
  return last !== undefined && last !== paths[0]?.lengths[0] ? `up to a /${last} with an explanation` : room;
}

/** The room to scale: a share of the last pool, a block inside the largest that can be explained, numbers with and without a fee. */
function Room({
  kind,
  offer: { share, paths },
  length,
  asked,
}: {
  kind: AskedKind;
  offer: RequestEligibility;
  length: number | undefined;
  asked: boolean;
}) {
  if (kind === 'asn') {
    const [held, free] = [Number(share?.held ?? 0), share?.limit === null || share === null ? null : Number(share.limit)];
    const count = Math.min(8, Math.max((free ?? 0) + 2, held + 2));
    return (
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
      <div className={styles.numbers} role="img" aria-label={`${held} held${free === null ? '' : `, the first ${free} without a fee`}`}>
        {Array.from({ length: count }, (_, index) => (
          <i
            key={index}
            data-is={index < held ? 'held' : index === held && asked ? 'asked' : free !== null && index < free ? 'free' : 'paid'}
          >
            {index + 1}
          </i>
        ))}
        <span className="small quiet">{free === null ? '' : `The first ${free} without a fee`}</span>
      </div>
    );
  }
  if (length === undefined) return null;
  const size = kind === 'ipv4' ? 2 ** (32 - length) : 1;
  const limit = kind === 'ipv4' ? Number(share?.limit ?? 0) : 2 ** Math.max(0, length - (paths[0]?.lengths.at(-1) ?? length));
  const held = kind === 'ipv4' ? Number(share?.held ?? 0) : 0;
  if (limit === 0) return null;
  const part = (amount: number): string => `${Math.min(100, (100 * amount) / limit)}%`;
  return (
    <div>
      <div className={styles.marks} aria-hidden="true">
        {kind === 'ipv4' ? (
          <>
            <span>0</span>
            <span>{formatCount(limit)}</span>
          </>
        ) : (
          <>
            <span>/{length}</span>
            <span>/{paths[0]?.lengths.at(-1)}</span>
          </>
        )}
      </div>
      <div
        className={styles.bar}
        data-kind={kind}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
        role="img"
        aria-label={
          kind === 'ipv4'
            ? `${held} of ${limit} addresses are held, ${size} ${asked ? 'asked for' : 'could be asked for'}`
            : `A /${length} in the room of a /${paths[0]?.lengths.at(-1)}`
        }
      >
        {held > 0 && (
          <i data-is="held" style={{ width: part(held) }}>
            held
          </i>
        )}
        {held + size <= limit && (
          <i data-is={asked ? 'asked' : 'could'} style={{ width: part(size) }}>
            <span className="mono">/{length}</span>
          </i>
        )}
      </div>
    </div>
  );
}
