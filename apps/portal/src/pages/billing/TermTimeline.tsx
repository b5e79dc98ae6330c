/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { invoiceMark, isOpenInvoice, money } from '@portal/app-kit/words/billing-words';
import type { AccountBilling } from '@portal/contract/billing/billing';
import { daysAfter, daysBetween, utcDay } from '@portal/contract/days';
import { type DateShape, formatDate, Sheet, StateMark, useNarrow } from '@portal/ui';
import styles from './TermTimeline.module.css';

type Point = { day: string; words: string; kind: 'plain' | 'due' | 'harm' };

/** Days of the renewal in their order: the reminder, the term’s end, the invoice, when it is due, suspension, the second reminder and closing. */
function pointsOf({ ahead, invoices, expiryDate }: Pick<AccountBilling, 'ahead' | 'invoices' | 'expiryDate'>): Point[] {
  const unpaid = invoices.find(isOpenInvoice);
  const stepOn = (name: AccountBilling['ahead'][number]['step']): string | undefined => ahead.find(({ step }) => step === name)?.day;
  const issued = unpaid?.issuedOn ?? stepOn('invoice');
  const points: (Point | null)[] = [
    stepOn('reminder') ? { day: stepOn('reminder')!, words: 'Reminder', kind: 'plain' } : null,
    expiryDate !== null && ahead.length > 0 ? { day: expiryDate, words: 'Term ends', kind: 'plain' } : null,
    issued ? { day: issued, words: unpaid ? 'Invoice issued' : 'Invoice', kind: 'plain' } : null,
    unpaid ? { day: unpaid.dueOn, words: `Due ${money(unpaid.currency, unpaid.balance)}`, kind: 'due' } : null,
    stepOn('suspension') ? { day: stepOn('suspension')!, words: 'Suspended', kind: 'harm' } : null,
    stepOn('second-reminder') ? { day: stepOn('second-reminder')!, words: 'Reminder', kind: 'plain' } : null,
    stepOn('closing') ? { day: stepOn('closing')!, words: 'Closes', kind: 'harm' } : null,
  ];
  // Events on the same day are one point with several labels.
  const days = new Map<string, Point>();
  for (const point of points) {
    if (!point) continue;
    const earlier = days.get(point.day);
    days.set(point.day, earlier ? { ...point, words: `${earlier.words}, ${point.words.toLowerCase()}` } : point);
  }
  return [...days.values()].sort((a, b) => a.day.localeCompare(b.day));
}

/** Days of the calendar are the same in every zone. */
const dayIn = (day: string, shape: DateShape): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, shape);
const inWords = (day: string, year: boolean): string => dayIn(day, year ? 'date' : 'day-month');

/** The renewal on a time axis with months and today; labels are in separate rows, so that they never overlap. */
export function TermTimeline({ answer, wide }: { answer: AccountBilling; wide: boolean }) {
  const narrow = useNarrow();
  const points = pointsOf(answer);
  if (points.length < 2) return null;
  const { today, invoices } = answer;
  const unpaid = invoices.find(isOpenInvoice);
  const all = [...points.map(({ day }) => day), today].sort();
  const from = daysAfter(all[0]!, -8);
  const length = daysBetween(from, daysAfter(all.at(-1)!, 8));
  const width = narrow ? 320 : wide ? 930 : 620;
  const rows = narrow ? points.length : 2;
  const axis = 16 + rows * 30 + 14;
  const height = axis + 54;
  const x = (day: string): number => Math.round((daysBetween(from, day) / length) * width);
  const months: string[] = [];
  for (let day = `${from.slice(0, 7)}-01`; daysBetween(from, day) < length; day = nextMonth(day)) if (day >= from) months.push(day);
  const every = Math.ceil(months.length / (narrow ? 4 : 9));
  const mark = unpaid ? invoiceMark(unpaid) : null;
  const said = [...points.map(({ day, words }) => `${inWords(day, true)}: ${words}`), `Today is ${inWords(today, true)}`].join('. ');
  return (
    <Sheet
      title="Renewal"
      meta={mark && <StateMark state={mark.state}>{mark.words}</StateMark>}
      actions={unpaid && <span className={styles.number}>{unpaid.number}</span>}
    >
      <svg className={styles.line} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${said}.`}>
        <path className={styles.axis} d={`M0 ${axis}H${width}`} />
        {months.map((month, place) => (
          <g key={month}>
            <path className={styles.axis} d={`M${x(month)} ${axis}v6`} />
            {place % every === 0 && x(month) < width - 24 && (
              <text x={x(month) + 3} y={axis + 16}>
                {monthWords(month, place === 0)}
              </text>
            )}
          </g>
        ))}
        {points.map(({ day, words, kind }, place) => {
          const row = place % rows;
          const at = x(day);
          const left = at > width * 0.7;
          const y = 14 + row * 30;
          return (
            <g key={day} data-kind={kind}>
              <path className={styles.stem} d={`M${at} ${y - 8}V${axis}`} />
              <circle cx={at} cy={axis} r={4.5} />
              <text x={left ? at - 6 : at + 6} y={y} textAnchor={left ? 'end' : 'start'} className={styles.words}>
                {words}
              </text>
              <text x={left ? at - 6 : at + 6} y={y + 13} textAnchor={left ? 'end' : 'start'}>
                {inWords(day, false)}
              </text>
            </g>
          );
        })}
        <g className={styles.today}>
          <path d={`M${x(today)} ${axis - 14}V${axis + 26}`} />
          <text x={Math.min(Math.max(x(today), 44), width - 44)} y={axis + 40} textAnchor="middle">
            Today, {inWords(today, false)}
          </text>
        </g>
      </svg>
    </Sheet>
  );
}

function nextMonth(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return utcDay(date);
}

const monthWords = (day: string, first: boolean): string => dayIn(day, first || day.slice(5, 7) === '01' ? 'month-year' : 'month');
