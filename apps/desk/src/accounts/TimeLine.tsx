import { daysAfter, daysBetween, utcDay } from '@portal/contract/days';
import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { Button, DateText, formatCount, formatMoney, Segmented, Sheet } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { faultsOf } from './account-words.ts';
import styles from './Picture.module.css';
import {
  accountOn,
  countSteps,
  dayAt,
  partOf,
  placeOf,
  type Range,
  ranges,
  type Span,
  spanOf,
  stepPoints,
  ticksOf,
  zoomed,
} from './picture-words.ts';
import { ZoomLine } from './ZoomLine.tsx';

/** A press that moves less than this share of the line chooses a day; more zooms. */
const CLICK = 0.01;
const percent = (place: number): string => `${Math.round(place * 10_000) / 100}%`;

/** Ten years of an account on one line: what it held, its invoices, cases, tickets, contacts and faults. Dragging chooses the part that a second line shows with words; a press or the arrow keys choose a day, whose facts are below. */
export function TimeLine({ picture }: { picture: AccountPicture }) {
  const today = utcDay(picture.at);
  const [range, setRange] = useState<Range>('years');
  const span = spanOf(range, picture.at);
  const [part, setPart] = useState<Span>(() => partOf('years', picture.at));
  const [day, setDay] = useState(today);
  const choose = (next: Range) => {
    setRange(next);
    setPart(partOf(next, picture.at));
  };
  const options = (Object.keys(ranges) as Range[]).map(value => ({ value, label: ranges[value] }));
  return (
    <Sheet
      flush
      title="Time line"
      meta={<span className="quiet small">Drag to see a part below. Click a day to see the account as it was.</span>}
      actions={<Segmented label="Range" options={options} value={range} onChange={choose} />}
      footer={<AsOf picture={picture} day={day} today={today} onDay={setDay} />}
    >
      <Lanes picture={picture} span={span} part={part} day={day} onDay={setDay} onZoom={setPart} />
      <ZoomLine picture={picture} span={part} onSpan={setPart} />
    </Sheet>
  );
}

/** The account as it was at the end of a day, in words. */
function AsOf({ picture, day, today, onDay }: { picture: AccountPicture; day: string; today: string; onDay: (day: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const id = useId();
  const { ipv4, ipv6, asns, unpaid, contacts, cases, tickets } = accountOn(picture, day);
  const facts: [string, ReactNode][] = [
    ...(ipv4 === null ? [] : [['IPv4', formatCount(ipv4)] as [string, ReactNode]]),
    ...(ipv6 === null ? [] : [['IPv6 /48', formatCount(ipv6 >> 80n)] as [string, ReactNode]]),
    ...(asns === null ? [] : [['AS numbers', formatCount(asns)] as [string, ReactNode]]),
    ...(unpaid === null
      ? []
      : [
          ['Unpaid', unpaid.length === 0 ? '0' : unpaid.map(({ currency, sum }) => formatMoney(currency, sum.toFixed(2))).join(', ')] as [
            string,
            ReactNode,
          ],
        ]),
    ...(contacts === null ? [] : [['Contacts', formatCount(contacts)] as [string, ReactNode]]),
    ...(cases === null ? [] : [['Open cases', formatCount(cases)] as [string, ReactNode]]),
    ...(tickets === null ? [] : [['Open tickets', formatCount(tickets)] as [string, ReactNode]]),
  ];
  return (
    <div className={styles.asOf}>
      <b>{day === today ? 'Today' : <DateText value={day} shape="date" />}</b>
      <dl aria-live="polite">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <span className={styles.chooseDay}>
        <label className="vh" htmlFor={id}>
          As of
        </label>
        <DateInput
          id={id}
          size="s"
          value={typed ?? day}
          onChange={event => {
            const { value } = event.target;
            setTyped(value);
            if (/^\d{4}-\d\d-\d\d$/.test(value) && value <= today) {
              onDay(value);
              setTyped(null);
            }
          }}
          onBlur={() => setTyped(null)}
        />
        {day !== today && (
          <Button size="s" onClick={() => onDay(today)}>
            Today
          </Button>
        )}
      </span>
    </div>
  );
}

type LinesProps = {
  picture: AccountPicture;
  span: Span;
  part: Span;
  day: string;
  onDay: (day: string) => void;
  onZoom: (span: Span) => void;
};

function Lanes({ picture, span, part, day, onDay, onZoom }: LinesProps) {
  const track = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const placeIn = (event: PointerEvent): number => {
    const { left, width } = track.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const end = () => {
    if (!drag) return;
    const { from, to } = drag;
    setDrag(null);
    const found = Math.abs(from - to) < CLICK ? null : zoomed(from, to, span);
    if (found) onZoom(found);
    else onDay(dayAt(to, span));
  };
  const place = placeOf(day, span);
  return (
    <div className={styles.lanes}>
      <input
        type="range"
        className="vh"
        aria-label="Day"
        aria-valuetext={day}
        min={0}
        max={daysBetween(span.from, span.to)}
        value={daysBetween(span.from, day)}
        onChange={event => onDay(daysAfter(span.from, Number(event.target.value)))}
      />
      <div
        ref={track}
        className={styles.track}
        aria-hidden="true"
        onPointerDown={event => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: placeIn(event), to: placeIn(event) });
        }}
        onPointerMove={event => drag && setDrag({ ...drag, to: placeIn(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        {ticksOf(span).map(tick => (
          <span key={tick.day} className={styles.tick} style={{ insetInlineStart: percent(placeOf(tick.day, span)) }}>
            <small>{tick.name}</small>
          </span>
        ))}
        <span
          className={styles.part}
          style={{
            insetInlineStart: percent(Math.max(0, placeOf(part.from, span))),
            inlineSize: `max(4px, ${percent(Math.max(0, Math.min(1, placeOf(part.to, span)) - Math.max(0, placeOf(part.from, span))))})`,
          }}
        />
        {place >= 0 && place <= 1 && <span className={styles.cursor} style={{ insetInlineStart: percent(place) }} />}
        {drag && (
          <span
            className={styles.selection}
            style={{ insetInlineStart: percent(Math.min(drag.from, drag.to)), inlineSize: percent(Math.abs(drag.from - drag.to)) }}
          />
        )}
      </div>
      <DrawnLanes picture={picture} span={span} />
    </div>
  );
}

/** The lanes that the reader's roles open. */
function DrawnLanes({ picture, span }: Pick<LinesProps, 'picture' | 'span'>) {
  const { holdings, invoices, cases, tickets, contacts } = picture;
  const inSpan = (at: string): boolean => placeOf(at, span) >= 0 && placeOf(at, span) <= 1;
  return (
    <>
      {holdings && (
        <Lane name="Addresses" tall>
          <Steps kind="v4" span={span} steps={holdings.map(each => ({ day: each.day, value: Number(each.ipv4) }))} />
          <Steps kind="v6" span={span} steps={holdings.map(each => ({ day: each.day, value: Number(BigInt(each.ipv6) >> 64n) }))} />
        </Lane>
      )}
      {invoices && (
        <Lane name="Invoices">
          <Invoices invoices={invoices.filter(({ issuedOn }) => inSpan(issuedOn))} span={span} today={utcDay(picture.at)} />
        </Lane>
      )}
      {cases && (
        <Lane name="Cases">
          {cases
            .filter(({ requestedAt }) => inSpan(requestedAt))
            .map(({ kind, requestId, requestedAt, resolvedAt, reference, asked, late }) => (
              <i
                key={kind + requestId}
                className={styles.case}
                data-kind={kind}
                data-open={resolvedAt === null || undefined}
                data-late={late || undefined}
                title={[reference, asked].filter(Boolean).join(', ')}
                style={{ insetInlineStart: percent(placeOf(requestedAt, span)) }}
              />
            ))}
        </Lane>
      )}
      {tickets && (
        <Lane name="Tickets">
          {tickets
            .filter(({ createdAt }) => inSpan(createdAt))
            .map(({ ticketId, createdAt, resolvedAt, subject }) => (
              <i
                key={ticketId}
                className={styles.ticket}
                data-open={resolvedAt === null || undefined}
                title={subject}
                style={{ insetInlineStart: percent(placeOf(createdAt, span)) }}
              />
            ))}
        </Lane>
      )}
      {contacts && (
        <Lane name="Contacts">
          <Steps kind="contacts" span={span} steps={countSteps(contacts)} />
        </Lane>
      )}
      {(invoices ?? contacts) && (
        <Lane name="Faults">
          {faultsOf(picture)
            .filter(({ from, until }) => from <= span.to && (until ?? span.to) >= span.from)
            .map(({ from, until, words }) => (
              <i
                key={words + from}
                className={styles.fault}
                title={words}
                style={{
                  insetInlineStart: percent(Math.max(0, placeOf(from, span))),
                  inlineSize: `max(3px, ${percent(Math.min(1, placeOf(until ?? span.to, span)) - Math.max(0, placeOf(from, span)))})`,
                }}
              />
            ))}
        </Lane>
      )}
    </>
  );
}

const Lane = ({ name, tall, children }: { name: string; tall?: boolean; children: ReactNode }) => (
  <div className={styles.lane} data-tall={tall || undefined} aria-hidden="true">
    <span>{name}</span>
    <div>{children}</div>
  </div>
);

function Steps({ steps, span, kind }: { steps: readonly { day: string; value: number }[]; span: Span; kind: 'v4' | 'v6' | 'contacts' }) {
  if (steps.length === 0) return null;
  // Each kind of addresses has its own scale: the most IPv6 stands lower than the most IPv4, and neither hides the other.
  const points = stepPoints(steps, span, kind === 'v6' ? 64 : 92);
  return (
    <svg className={styles.steps} data-kind={kind} viewBox="0 0 100 100" preserveAspectRatio="none">
      <polygon points={`0,100 ${points} 100,100`} />
      <polyline points={points} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function Invoices({ invoices, span, today }: { invoices: NonNullable<AccountPicture['invoices']>; span: Span; today: string }) {
  const most = Math.max(1, ...invoices.map(({ total }) => Number(total)));
  return invoices.map(({ number, issuedOn, dueOn, settledOn, total, currency }) => (
    <i
      key={number}
      className={styles.invoice}
      data-late={(settledOn ?? today) > dueOn || undefined}
      data-open={settledOn === null || undefined}
      title={`${number}, ${formatMoney(currency, total)}`}
      style={{ insetInlineStart: percent(placeOf(issuedOn, span)), blockSize: `${20 + (Number(total) / most) * 76}%` }}
    />
  ));
}
