import { daysAfter, daysBetween, utcDay } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { deskKinds } from '@portal/contract/staff/desk';
import { Button, DateText, Link } from '@portal/ui';
import type { CSSProperties } from 'react';
import { caseLink } from '../shell/case-link.ts';
import { type Fault, faultsOf } from './account-words.ts';
import styles from './Picture.module.css';
import { inRows } from './mark-rows.ts';
import { placeOf, type Span, ticksOf } from './picture-words.ts';

const percent = (place: number): string => `${Math.round(place * 10_000) / 100}%`;
/** Marks with words that are drawn; more are counted. */
const MAX_MARKS = 24;

type Mark = { key: string; day: string; words: string; kind: 'invoice' | 'case' | 'ticket'; link: string };

function marksIn({ invoices, cases, tickets }: AccountPicture, span: Span): Mark[] {
  const isIn = (day: string): boolean => day >= span.from && day <= span.to;
  return [
    ...(invoices ?? []).flatMap(({ number, issuedOn, settledOn }): Mark[] => [
      { key: `issued ${number}`, day: issuedOn, words: `${number} issued`, kind: 'invoice', link: '#billing' },
      ...(settledOn === null
        ? []
        : [{ key: `settled ${number}`, day: settledOn, words: `${number} settled`, kind: 'invoice', link: '#billing' } as const]),
    ]),
    ...(cases ?? []).map(
      (each): Mark => ({
        key: each.kind + each.requestId,
        day: utcDay(each.requestedAt),
        words: `${each.reference ?? deskKinds[each.kind]} ${each.asked}`,
        kind: 'case',
        link: caseLink(each),
      }),
    ),
    ...(tickets ?? []).map(
      ({ ticketId, createdAt, subject }): Mark => ({
        key: `ticket ${ticketId}`,
        day: utcDay(createdAt),
        words: `Ticket ${ticketId} ${subject}`,
        kind: 'ticket',
        link: `${pages.deskTickets.path}?ticket=${ticketId}`,
      }),
    ),
  ]
    .filter(({ day }) => isIn(day))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

/** The chosen part of the time line, with words: what was issued, asked for and written, and what was wrong. */
export function ZoomLine({ picture, span, onSpan }: { picture: AccountPicture; span: Span; onSpan: (span: Span) => void }) {
  const all = marksIn(picture, span);
  const marks = inRows(all.slice(-MAX_MARKS), span);
  const rows = Math.max(1, ...marks.map(({ row }) => row + 1));
  const faults = faultsOf(picture).filter(({ from, until }) => from <= span.to && (until === null || until >= span.from));
  return (
    <div className={styles.zoom}>
      <p className={styles.zoomHead}>
        <b>
          <DateText value={span.from} shape="date" /> to <DateText value={span.to} shape="date" />
        </b>
        <span className="quiet">
          {all.length === 0
            ? 'No invoices, cases or tickets in this time.'
            : all.length > marks.length
              ? `The last ${MAX_MARKS} of ${all.length}.`
              : ''}
        </span>
        <Shift span={span} today={utcDay(picture.at)} onSpan={onSpan} />
      </p>
      <ul className={styles.marks} style={{ '--rows': rows } as CSSProperties}>
        {marks.map(({ key, words, kind, link, row, place, isLeft }) => (
          <li
            key={key}
            data-kind={kind}
            data-left={isLeft || undefined}
            style={{
              ...({ '--room': percent(isLeft ? place : 1 - place) } as CSSProperties),
              insetBlockStart: `${row * 26}px`,
              ...(isLeft ? { insetInlineEnd: percent(1 - place) } : { insetInlineStart: percent(place) }),
            }}
          >
            <i aria-hidden="true" />
            <Link href={link}>{words}</Link>
          </li>
        ))}
      </ul>
      {faults.length > 0 && (
        <ul className={styles.faultWords}>
          {faults.map(fault => (
            <FaultBar key={fault.words + fault.from} fault={fault} span={span} />
          ))}
        </ul>
      )}
      <div className={styles.zoomTicks} aria-hidden="true">
        {ticksOf(span).map(({ day, name }) => (
          <small key={day} style={{ insetInlineStart: percent(placeOf(day, span)) }}>
            {name}
          </small>
        ))}
      </div>
    </div>
  );
}

function FaultBar({ fault: { from, until, words }, span }: { fault: Fault; span: Span }) {
  const [begin, end] = [Math.max(0, placeOf(from, span)), Math.min(1, placeOf(until ?? span.to, span))];
  return (
    <li>
      <span className={styles.fault} style={{ insetInlineStart: percent(begin), inlineSize: `max(3px, ${percent(end - begin)})` }} />
      <span className={styles.faultName}>
        {words}, <DateText value={from} shape="date" /> to {until === null ? 'now' : <DateText value={until} shape="date" />}
      </span>
    </li>
  );
}

/** Moves the chosen part to its neighbour, by the keyboard too. */
function Shift({ span, today, onSpan }: { span: Span; today: string; onSpan: (span: Span) => void }) {
  const later = shiftedSpan(span, 1);
  return (
    <span className={styles.shift}>
      <Button size="s" variant="quiet" onClick={() => onSpan(shiftedSpan(span, -1))}>
        Earlier
      </Button>
      {later.from <= today && (
        <Button size="s" variant="quiet" onClick={() => onSpan(later)}>
          Later
        </Button>
      )}
    </span>
  );
}

/** The span as long as another, that many lengths later. */
function shiftedSpan({ from, to }: Span, steps: number): Span {
  const days = steps * (daysBetween(from, to) + 1);
  return { from: daysAfter(from, days), to: daysAfter(to, days) };
}
