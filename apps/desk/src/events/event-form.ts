import type { Problems } from '@portal/app-kit/form/use-form';
import { isZone } from '@portal/contract/elections/elections';
import type { EventKind, EventMode, StaffEvent } from '@portal/contract/events/event-shapes';
import { clockTimeOf, instantOf, problemOfTime } from '../shell/official-time.ts';

/** An event as it is typed: times on the clocks of the venue. */
export type TypedEvent = {
  event: string;
  kind: EventKind;
  title: string;
  description: string;
  mode: EventMode;
  place: string;
  url: string;
  timeZone: string;
  startsAt: string;
  endsAt: string;
  registrationOpensAt: string;
  registrationClosesAt: string;
  capacity: string;
  fee: string;
  currency: string;
  hours: string;
};

const times = ['startsAt', 'endsAt', 'registrationOpensAt', 'registrationClosesAt'] as const;

export const emptyEvent = (timeZone: string): TypedEvent => ({
  event: '',
  kind: 'conference',
  title: '',
  description: '',
  mode: 'hybrid',
  place: '',
  url: '',
  timeZone,
  startsAt: '',
  endsAt: '',
  registrationOpensAt: '',
  registrationClosesAt: '',
  capacity: '',
  fee: '0',
  currency: 'USD',
  hours: '',
});

/** Returns the form's values for an event. */
export function typedOf(event: StaffEvent): TypedEvent {
  const { timeZone, capacity, hours } = event;
  const clock = (instant: string): string => clockTimeOf(instant, timeZone);
  return {
    event: event.event,
    kind: event.kind,
    title: event.title,
    description: event.description,
    mode: event.mode,
    place: event.place,
    url: event.url,
    timeZone,
    startsAt: clock(event.startsAt),
    endsAt: clock(event.endsAt),
    registrationOpensAt: clock(event.registrationOpensAt),
    registrationClosesAt: clock(event.registrationClosesAt),
    capacity: capacity === null ? '' : String(capacity),
    fee: event.fee,
    currency: event.currency,
    hours: hours === null ? '' : String(hours),
  };
}

/** The body of a call. What cannot be read is sent as it is, so that the contract names it. */
export function bodyOf({ event, capacity, hours, ...typed }: TypedEvent) {
  const instants = Object.fromEntries(
    times.map(name => [name, (isZone(typed.timeZone) && instantOf(typed[name], typed.timeZone)) || typed[name]]),
  );
  const number = (text: string): number | null => (text.trim() === '' ? null : Number(text));
  return { event, values: { ...typed, ...instants, capacity: number(capacity), hours: number(hours) } };
}

/** Times that the clocks of the venue never show. */
export const problemsOfTimes = (typed: TypedEvent): Problems<keyof TypedEvent> =>
  isZone(typed.timeZone)
    ? Object.fromEntries(
        times.flatMap(name => {
          const problem = typed[name] === '' ? undefined : problemOfTime(typed[name], typed.timeZone);
          return problem ? [[name, problem]] : [];
        }),
      )
    : {};
