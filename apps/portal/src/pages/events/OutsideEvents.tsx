import { instantBefore } from '@portal/contract/days';
import type { OutsideEvent } from '@portal/contract/events/event-shapes';
import { DateText, Icon, Link, Sheet } from '@portal/ui';
import { DayBlock } from './DayBlock.tsx';
import styles from './Events.module.css';

/** Events of the registry’s own calendar elsewhere, where one registers too. */
export function OutsideEvents({ events }: { events: readonly OutsideEvent[] }) {
  return (
    <Sheet title="From the events calendar" meta="Registration is on their own pages" flush>
      <ul className={styles.outside}>
        {events.map(({ uid, title, description, startsAt, endsAt, allDay, place, url }) => (
          <li key={uid}>
            <DayBlock instant={startsAt} timeZone="UTC" />
            <div className={styles.facts}>
              <span className="strong">
                {url ? (
                  <Link href={url} target="_blank">
                    {title}
                    <span className="vh">, in a new window</span> <Icon name="external" />
                  </Link>
                ) : (
                  title
                )}
              </span>
              <span>
                <DateText value={startsAt} shape={allDay ? 'date' : undefined} /> to{' '}
                <DateText value={allDay ? instantBefore(Date.parse(endsAt), 1) : endsAt} shape={allDay ? 'date' : undefined} />
                {place && `, ${place}`}
              </span>
              {description && <p className={styles.words}>{description.length > 400 ? `${description.slice(0, 400)}…` : description}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
