import { useAddress } from '@portal/app-kit';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { recordAddress } from '@portal/contract/records/record-address';
import type { RecordLane, ResourceRecord } from '@portal/contract/records/records';
import { classNames, DateText, Disclosure, Link, Sheet } from '@portal/ui';
import { useState } from 'react';
import rowStyles from '../RowList.module.css';
import { AsOf } from './AsOf.tsx';
import styles from './TimeLine.module.css';

const LANE = 20;
/** Sub-rows of one lane that are drawn. */
const DEEP = 3;
const timeOf = (at: string): number => new Date(at).getTime();

/** The history of some numbers: states over time, each change in words, and the day of the view. */
export function TimeLine({ record }: { record: ResourceRecord }) {
  const { history, lanes, on } = record;
  return (
    <Sheet title="History" id="history" actions={<AsOf on={on} />}>
      {lanes.length > 0 && <Picture record={record} />}
      {history.length === 0 ? (
        <p className="small quiet">No changes since records began.</p>
      ) : (
        <Disclosure
          summary={`${history.length} ${history.length === 1 ? 'change' : 'changes'}`}
          {...(lanes.length === 0 && { open: true })}
        >
          <ol className={rowStyles.list} aria-label="History, newest first">
            {history.map(({ at, what, by, link }) => (
              <li key={at + what}>
                <span className={rowStyles.words}>{link ? <Link href={link}>{what}</Link> : what}</span>
                <span className="small quiet">
                  <Link href={recordAddress(record.resource, utcDay(at))}>
                    <DateText value={at} />
                  </Link>
                  , {by}
                  {on !== null && utcDay(at) > on && ', later'}
                </span>
              </li>
            ))}
          </ol>
        </Disclosure>
      )}
    </Sheet>
  );
}

function Picture({ record: { history, lanes, on, kind, resource } }: { record: ResourceRecord }) {
  const [now] = useState(() => Date.now());
  const earliest = Math.min(...lanes.flatMap(({ spans }) => spans.map(({ from }) => timeOf(from))));
  // At least a month, so that a line of one day has a width.
  const from = Math.min(earliest, now - 30 * DAY_MS);
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (now - from)));
  return (
    <div className={styles.area}>
      <div className={styles.figure}>
        <div className={styles.grid} aria-hidden="true">
          {yearsOf(from, now).map(({ year, at }) => (
            <i key={year} style={{ left: `${100 * share(at)}%` }} />
          ))}
        </div>
        <div className={styles.events} aria-hidden="true">
          {[...new Set(history.map(({ at }) => utcDay(at)))].map(day => (
            <i key={day} style={{ left: `${100 * share(timeOf(day))}%` }} />
          ))}
        </div>
        {lanes.map(lane => (
          <Lane key={lane.id} lane={lane} share={share} now={now} kind={kind} />
        ))}
        <div className={styles.years} aria-hidden="true">
          <span style={{ left: 0 }}>
            <DateText value={new Date(from).toISOString()} shape="date" />
          </span>
          {yearsOf(from, now)
            .filter(({ at }) => share(at) > 0.18 && share(at) < 0.96)
            .map(({ year, at }) => (
              <span key={year} style={{ left: `${100 * share(at)}%`, translate: '-50%' }}>
                {year}
              </span>
            ))}
        </div>
        <DaySlider key={on} from={from} now={now} on={on} resource={resource} />
      </div>
    </div>
  );
}

function Lane({
  lane: { title, spans },
  share,
  now,
  kind,
}: {
  lane: RecordLane;
  share: (at: number) => number;
  now: number;
  kind: ResourceRecord['kind'];
}) {
  const rows = stacked(spans);
  const deep = Math.min(DEEP, Math.max(1, ...rows.map(({ row }) => row + 1)));
  const words = spans.map(({ text, from, until }) => `${text} from ${utcDay(from)}${until ? ` to ${utcDay(until)}` : ''}`).join('; ');
  return (
    <>
      <span className={styles.name} aria-hidden="true">
        {title}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data; the list below has each change */}
      <div className={styles.lane} role="img" aria-label={`${title}: ${words}`} style={{ minHeight: deep * LANE }}>
        {rows
          .filter(({ row }) => row < DEEP)
          .map(({ span, row }) => {
            const [left, right] = [share(timeOf(span.from)), span.until ? share(timeOf(span.until)) : share(now)];
            return (
              <div
                key={`${span.from} ${span.text}`}
                className={classNames(styles.span, styles[span.look], right - left < 0.06 && styles.tiny)}
                data-kind={kind}
                style={{ left: `${100 * left}%`, width: `max(3px, ${100 * (right - left)}%)`, top: row * LANE }}
                title={span.text}
              >
                {span.text}
              </div>
            );
          })}
      </div>
    </>
  );
}

/** Puts each span into the first row that is free by then. */
function stacked(spans: RecordLane['spans']): { span: RecordLane['spans'][number]; row: number }[] {
  const ends: string[] = [];
  return spans.map(span => {
    const free = ends.findIndex(end => end <= span.from);
    const row = free < 0 ? ends.length : free;
    ends[row] = span.until ?? '9999';
    return { span, row };
  });
}

function yearsOf(from: number, now: number): { year: number; at: number }[] {
  const [first, last] = [new Date(from).getUTCFullYear() + 1, new Date(now).getUTCFullYear()];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({ year: first + index, at: Date.UTC(first + index, 0, 1) }));
}

/** The mark of the day of the view: dragged, or moved with the arrow keys. */
function DaySlider({ from, now, on, resource }: { from: number; now: number; on: string | null; resource: string }) {
  const address = useAddress();
  const days = Math.max(1, Math.round((now - from) / DAY_MS));
  const start = on === null ? days : Math.min(days, Math.max(0, Math.round((timeOf(on) - from) / DAY_MS)));
  const [value, setValue] = useState(start);
  const day = utcDay(new Date(from + value * DAY_MS));
  const isNow = value >= days;
  const commit = () => {
    if (value !== start) address.set({ on: isNow ? null : day }, { step: true });
  };
  return (
    <>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={days}
        value={value}
        aria-label={`Day on which ${resource} is shown`}
        aria-valuetext={isNow ? 'Today' : day}
        onChange={event => setValue(Number(event.target.value))}
        onPointerUp={commit}
        onKeyUp={({ key }) => key === 'Enter' && commit()}
        onBlur={commit}
      />
      <div className={styles.hint}>
        <span>Drag the mark, or enter a date above, to see this page as it was</span>
        <b>
          {isNow ? (
            'As of now'
          ) : (
            <>
              As of <DateText value={day} shape="date" />
            </>
          )}
        </b>
      </div>
    </>
  );
}
