import { useDateFormat } from '@portal/app-kit';
import { DAY_MS } from '@portal/contract/days';
import type { TicketContext } from '@portal/contract/tickets/tickets';
import { formatDate } from '@portal/ui';
import styles from './Ticket.module.css';
import { spanOf } from './ticket-words.ts';

type Turn = { who: 'us' | 'you' | 'none'; from: number; to: number };

/**
 * Who had the next move, on two lanes over the life of a ticket; the present turn of the reader is magenta.
 * @param moves the turns, oldest first; the last lasts until now, and a solved ticket ends with its last turn
 */
export function MoveLanes({
  moves,
  now,
  minutesWithUs,
  minutesWithYou,
}: {
  moves: TicketContext['moves'];
  now: number;
  minutesWithUs: number;
  minutesWithYou: number;
}) {
  const format = useDateFormat();
  const turns = moves.map(({ who, from }, index): Turn => {
    const next = moves[index + 1];
    return { who, from: Date.parse(from), to: next ? Date.parse(next.from) : now };
  });
  const first = turns[0];
  if (!first) return null;
  const isOver = turns.at(-1)!.who === 'none';
  const begin = first.from;
  const end = Math.max(begin + 1, isOver ? turns.at(-1)!.from : now);
  const place = (at: number): number => ((Math.min(end, at) - begin) / (end - begin)) * 100;
  const dayOnly = end - begin > 4 * DAY_MS;
  const label = (at: number): string => {
    const iso = new Date(at).toISOString();
    const day = formatDate(iso, format, 'day-month');
    return dayOnly ? day : `${day}, ${formatDate(iso, format, 'time')}`;
  };
  const lane = (who: 'us' | 'you') => (
    <span className={styles.lane} data-who={who}>
      {turns
        .filter(turn => turn.who === who)
        .map(({ from, to }) => (
          <i
            key={from}
            data-now={who === 'you' && !isOver && to === now ? '' : undefined}
            style={{ insetInlineStart: `${place(from)}%`, width: `${place(to) - place(from)}%` }}
          />
        ))}
    </span>
  );
  const sums = `us ${spanOf(minutesWithUs)}, you ${minutesWithYou === 0 ? 'no time' : spanOf(minutesWithYou)}`;
  const ticks = [begin, begin + (end - begin) / 2];
  return (
    <div className={styles.lanes}>
      <p className={styles.caption}>
        <span>Who had the next move</span>
        <span>{sums}</span>
      </p>
      <div
        className={styles.grid}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
        role="img"
        aria-label={`Who had the next move since ${label(begin)}: ${sums}.`}
      >
        <b className="strong">You</b>
        {lane('you')}
        <span>Registry</span>
        {lane('us')}
        <span className={styles.axis}>
          {ticks.map(at => (
            <span key={at} style={{ insetInlineStart: `${place(at)}%` }}>
              {label(at)}
            </span>
          ))}
          <span data-now={isOver ? undefined : ''} style={{ insetInlineStart: '100%' }}>
            {isOver ? label(end) : 'now'}
          </span>
        </span>
      </div>
    </div>
  );
}
