import type { QueueFacts } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/ui';
import styles from './AnswerTimes.module.css';

/** Places drawn one by one; a longer line is given in words alone. */
const DRAWN = 12;
/** Days that one column of dots stands for. */
const COLUMN = 0.5;
const DOT = 9.5;

/** The place in the queue of a request, and how long answers took lately. @param place its own place, or the one that it would get @param isSent it has that place already */
export function AnswerTimes({ queue, place, isSent = false }: { queue: QueueFacts; place: number; isSent?: boolean }) {
  const { inReview, waiting } = queue;
  const all = isSent ? waiting : waiting + 1;
  return (
    <div className={styles.times}>
      <p className={styles.place}>
        {all <= DRAWN && (
          <span className={styles.queue} aria-hidden="true">
            {Array.from({ length: all }, (_, index) => (
              <i key={index} data-is={index + 1 === place ? (isSent ? 'sent' : 'you') : index < inReview ? 'reviewed' : undefined} />
            ))}
          </span>
        )}
        <b>{isSent ? `${ordinal(place)} of ${formatCount(all)}` : `${ordinal(place)} in line`}</b>
        <span className="quiet">
          {inReview === 0 ? 'none is being reviewed now' : `${formatCount(inReview)} ${inReview === 1 ? 'is' : 'are'} being reviewed`}
        </span>
      </p>
      <Answers days={queue.answerDays} median={queue.medianDays} />
    </div>
  );
}

/** Fewer answers than this have no picture: they say little about the next one. */
const FEW_ANSWERS = 10;

/** One dot for each answer of the last 30 days, by working days until it came. */
function Answers({ days, median }: { days: readonly number[]; median: number | null }) {
  if (median === null || days.length === 0) return <p className="small quiet">No request was answered in the last 30 days.</p>;
  const words = `Half were answered within ${median} working ${median === 1 ? 'day' : 'days'}`;
  if (days.length < FEW_ANSWERS) return <p className="small quiet">{`${words}, of ${days.length} in the last 30 days.`}</p>;
  const longest = Math.max(1, Math.ceil(days.at(-1)!));
  const columns = Math.ceil(longest / COLUMN);
  const counts = new Map<number, number>();
  const dots = days.map(day => {
    const column = Math.min(columns - 1, Math.floor(day / COLUMN));
    const height = counts.get(column) ?? 0;
    counts.set(column, height + 1);
    return { column, height };
  });
  const tallest = Math.max(...counts.values());
  // The highest dots stay below the words at the line of the median.
  const rise = Math.min(DOT, 50 / tallest);
  const width = 270;
  const x = (day: number): number => 6 + (day / longest) * (width - 14);
  const base = 66;
  const half = x(Math.min(longest, median));
  const isLate = half > width * 0.7;
  const ticks = longest <= 6 ? Array.from({ length: longest + 1 }, (_, day) => day) : [0, Math.round(longest / 2), longest];
  return (
    <figure className={styles.answers}>
      <svg
        viewBox={`0 0 ${width} 88`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
        role="img"
        aria-label={`${words}: ${formatCount(days.length)} answers in the last 30 days, the slowest after ${days.at(-1)} days.`}
      >
        {dots.map(({ column, height }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dots have no names
          <circle
            key={index}
            className={styles.dot}
            cx={x((column + 0.5) * COLUMN)}
            cy={base - height * rise}
            r={Math.min(3.8, rise / 2 + 1)}
          />
        ))}
        <path className={styles.axis} d={`M6 72.5H${width - 8}`} />
        {ticks.map(day => (
          <text key={day} x={x(day)} y="86" textAnchor={day === 0 ? 'start' : day === longest ? 'end' : 'middle'}>
            {day === longest ? `${day} ${day === 1 ? 'day' : 'days'}` : day}
          </text>
        ))}
        <path className={styles.median} d={`M${half} 4V76`} />
        <text className={styles.half} x={half + (isLate ? -5 : 5)} y="11" textAnchor={isLate ? 'end' : 'start'}>
          half by {median}
        </text>
      </svg>
      <figcaption className="small muted">{words}, of the last 30 days.</figcaption>
    </figure>
  );
}

/** `1st`, `6th`. */
export function ordinal(place: number): string {
  const last = place % 100;
  const end = last >= 11 && last <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[place % 10] ?? 'th');
  return `${formatCount(place)}${end}`;
}
