import { ticketQueues } from '@portal/contract/tickets/queues';
import { answerDays, answerHours, type TicketContext } from '@portal/contract/tickets/tickets';
import { DateText, formatCount, KeyValueList, Sheet } from '@portal/ui';
import styles from './Ticket.module.css';
import { exactSpan } from './ticket-words.ts';

const WIDTH = 204;
const BASE = 76;
const STEP = (WIDTH - 8) / (answerHours + 1);

/** Tickets from which on it is worth saying how long nine of ten took. */
const ENOUGH = 10;

/** How long first answers took in the queue of a ticket, in the others, and whether support is staffed now. */
export function AnswerBars({ answers, otherMedians, hours }: Pick<TicketContext, 'answers' | 'otherMedians' | 'hours'>) {
  const { queue, count, medianMinutes, ninthMinutes, byHour } = answers;
  const most = Math.max(1, ...byHour);
  const ninth = count >= ENOUGH && ninthMinutes !== null && medianMinutes !== null && ninthMinutes > medianMinutes ? ninthMinutes : null;
  const x = (minutes: number): number => 4 + Math.min(answerHours + 1, minutes / 60) * STEP;
  return (
    <Sheet title="How long answers take">
      <p className={`${styles.small} muted`}>
        {count === 0
          ? `No first answers from ${ticketQueues[queue].short} in the last ${answerDays} days.`
          : `First answers from ${ticketQueues[queue].short}, last ${answerDays} days, ${formatCount(count)} ${count === 1 ? 'ticket' : 'tickets'}`}
      </p>
      {medianMinutes !== null && (
        <svg
          className={styles.bars}
          viewBox={`0 0 ${WIDTH} 98`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
          role="img"
          aria-label={`Half of the first answers came within ${exactSpan(medianMinutes)}${ninth === null ? '' : `, nine of ten within ${exactSpan(ninth)}`}.`}
        >
          {byHour.map((number, hour) => {
            const height = (number / most) * 42;
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            return height > 0 && <rect key={hour} x={4.5 + hour * STEP} y={BASE - height} width={STEP - 2} height={height} />;
          })}
          <path d={`M4 ${BASE + 0.5}H${WIDTH - 4}`} />
          <path d={`M${x(medianMinutes)} 2V${BASE + 4}`} strokeWidth="1.5" />
          <text className={styles.strong} {...beside(x(medianMinutes), x(ninth ?? medianMinutes))} y="11">
            half by {exactSpan(medianMinutes)}
          </text>
          {ninth !== null && (
            <>
              <path d={`M${x(ninth)} 17V${BASE + 4}`} strokeDasharray="2 2" />
              <text {...beside(x(ninth), x(ninth))} y="26">
                9 of 10 by {exactSpan(ninth)}
              </text>
            </>
          )}
          {[0, 4, 8, answerHours].map(hour => (
            <text key={hour} x={4 + hour * STEP} y="92" textAnchor={hour === 0 ? 'start' : 'middle'}>
              {hour === answerHours ? `${hour}+ h` : `${hour} h`}
            </text>
          ))}
        </svg>
      )}
      <div className={styles.small}>
        <KeyValueList
          items={[
            ...otherMedians.map(({ queue: other, medianMinutes: minutes }) => ({
              key: ticketQueues[other].short,
              value: `half by ${exactSpan(minutes)}`,
            })),
            ...(hours
              ? [
                  {
                    key: hours.staffed ? 'Open now, until' : 'Opens',
                    value: (
                      <span className={styles.opening}>
                        <DateText value={hours.until} shape={hours.staffed ? 'time' : 'day-time'} />
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </Sheet>
  );
}

/** Words stand on the side of their line that has room, and beyond the second line where that is near. */
const beside = (at: number, second: number): { x: number; textAnchor: 'start' | 'end' } => {
  if (at > WIDTH * 0.45) return { x: at - 5, textAnchor: 'end' };
  return { x: (second - at < 60 ? second : at) + 5, textAnchor: 'start' };
};
