import { useDateFormat } from '@portal/app-kit';
import { eventKinds, eventModes, type UpcomingEvent } from '@portal/contract/events/event-shapes';
import { Banner, ButtonRow, DateText, formatDate, Icon, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { DayBlock } from './DayBlock.tsx';
import styles from './Events.module.css';
import { amountInWords, registrationMark } from './event-words.ts';
import { CancelRegistration, RegisterForm } from './Registering.tsx';

/** One event ahead: when and where, what it costs, and the reader's registration. */
export function EventCard({ event, account }: { event: UpcomingEvent; account: string | null }) {
  const { event: name, title, kind, description, startsAt, endsAt, timeZone, mode, place, url, state, cancelReason, mine } = event;
  const own = useDateFormat();
  const official = { timeZone, hourCycle: own.hourCycle };
  const isOneDay = formatDate(startsAt, own, 'date') === formatDate(endsAt, own, 'date');
  const mark = registrationMark(event);
  const besides = (
    <>
      {state === 'published' && (
        <LinkButton href={`/calendar/events/${name}.ics`} download icon="download">
          Add to calendar
        </LinkButton>
      )}
      {url && (
        <Link className="small" href={url} target="_blank">
          Programme<span className="vh"> of {title}, in a new window</span> <Icon name="external" />
        </Link>
      )}
    </>
  );
  return (
    <Sheet flush title={title} meta={<StateMark state={mark.state}>{mark.words}</StateMark>}>
      <div className={styles.event}>
        {state === 'cancelled' && (
          <Banner kind="warning" title="This event is cancelled.">
            {cancelReason}
          </Banner>
        )}
        <div className={styles.head}>
          <DayBlock instant={startsAt} timeZone={timeZone} />
          <div className={styles.facts}>
            <span>
              <DateText value={startsAt} shape="day-time" /> to <DateText value={endsAt} shape={isOneDay ? 'time' : 'day-time'} />
            </span>
            <span className="quiet">
              {mode === 'online' ? 'Official time' : 'At the venue'}: <DateText value={startsAt} shape="day-time" format={official} /> (
              {timeZone})
            </span>
            <span>
              {eventKinds[kind]}, {eventModes[mode].toLowerCase()}
              {place && `, ${place}`}
            </span>
            {event.capacity !== null && state === 'published' && (
              <span className="quiet">
                {event.placesLeft === 0
                  ? `All ${event.capacity} places on site are taken`
                  : `${event.placesLeft} of ${event.capacity} places on site left`}
                {event.waiting > 0 && `, ${event.waiting} waiting`}
              </span>
            )}
          </div>
        </div>
        {description && <p className={styles.words}>{description}</p>}
        {mine && state === 'published' && (
          <p className="small">
            {mine.state === 'waitlisted'
              ? `You’re number ${mine.waitingPlace} on the waiting list. We write to you when a place is yours.`
              : `You take part ${mine.part === 'online' ? 'online' : 'on site'}${mine.account ? ` for ${mine.account}` : ''}. ${mine.fee ? `Fee: ${amountInWords(mine.fee)}, which the registry invoices.` : 'Free of charge.'}`}
          </p>
        )}
        {!mine && event.registration === 'not-yet-open' && state === 'published' && (
          <p className="small">
            Registration opens on <DateText value={event.registrationOpensAt} shape="day-time" />.
          </p>
        )}
        {!mine && event.registration === 'open' && state === 'published' ? (
          <RegisterForm event={event} account={account}>
            {besides}
          </RegisterForm>
        ) : (
          <ButtonRow>
            {besides}
            {mine && state === 'published' && <CancelRegistration event={event} />}
          </ButtonRow>
        )}
      </div>
    </Sheet>
  );
}
