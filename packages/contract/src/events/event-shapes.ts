import * as z from 'zod/mini';
import { ConferenceName, isZone } from '../elections/elections.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { rowVersion } from '../whole-numbers.ts';
import { certificateStates, eventStates } from './life.ts';

/** Kinds of event. Only conferences count for the votes of attendees. */
export const eventKinds = {
  conference: 'Conference',
  workshop: 'Workshop',
  tutorial: 'Tutorial',
  webinar: 'Webinar',
  meeting: 'Meeting',
} as const;
export type EventKind = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as [EventKind, ...EventKind[]];

export const eventModes = { onsite: 'On site', online: 'Online', hybrid: 'On site and online' } as const;
export type EventMode = keyof typeof eventModes;
export const eventModeNames = Object.keys(eventModes) as [EventMode, ...EventMode[]];

/** How a person takes part. */
export const partNames = ['onsite', 'online'] as const;
export type Part = (typeof partNames)[number];
/** Returns the ways to take part in an event of a mode. */
export const partsOf = (mode: EventMode): readonly Part[] => (mode === 'hybrid' ? partNames : [mode]);

/** The short name of an event, such as `CONF-62`: the same as that of its attendance list. */
export const EventName = ConferenceName;

const money = z.object({ amount: z.string(), currency: z.string() });
const shared = {
  event: z.string(),
  kind: z.enum(eventKindNames),
  title: z.string(),
  description: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** IANA name of the zone of the venue. */
  timeZone: z.string(),
  mode: z.enum(eventModeNames),
  place: z.string(),
  url: z.nullable(z.string()),
  registrationOpensAt: z.iso.datetime(),
  registrationClosesAt: z.iso.datetime(),
  /** Places on site; null for no limit. */
  capacity: z.nullable(z.int()),
} as const;

/** The reader's registration. */
const OwnRegistration = z.object({
  state: z.enum(['registered', 'waitlisted']),
  part: z.enum(partNames),
  account: z.nullable(z.string()),
  /** Null: free of charge. */
  fee: z.nullable(money),
  /** Place on the waiting list, from 1; null if not on it. */
  waitingPlace: z.nullable(z.int()),
  registeredAt: z.iso.datetime(),
});

/** An event that is not over, as the signed-in person sees it. */
export const UpcomingEvent = z.object({
  ...shared,
  state: z.enum(['published', 'cancelled']),
  cancelReason: z.string(),
  registration: z.enum(['not-yet-open', 'open', 'closed']),
  /** Free places on site; null for no limit. */
  placesLeft: z.nullable(z.int()),
  waiting: z.int(),
  /** For a place on site; null: free of charge. */
  fee: z.nullable(money),
  /** The free place of the account is taken. */
  freePlaceTaken: z.boolean(),
  mine: z.nullable(OwnRegistration),
});
export type UpcomingEvent = z.infer<typeof UpcomingEvent>;

/** An event of the outside calendar. */
export const OutsideEvent = z.object({
  uid: z.string(),
  title: z.string(),
  description: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** It is an all-day event (UTC). */
  allDay: z.boolean(),
  place: z.string(),
  url: z.nullable(z.string()),
});
export type OutsideEvent = z.infer<typeof OutsideEvent>;

/** A past event of a person. */
export const AttendedEvent = z.object({
  event: z.string(),
  title: z.string(),
  kind: z.enum(eventKindNames),
  startsOn: z.iso.date(),
  endsOn: z.iso.date(),
  place: z.string(),
  attended: z.boolean(),
  registeredAt: z.iso.datetime(),
  /** It counts for the votes of attendees. */
  counts: z.boolean(),
  certificates: z.array(
    z.object({
      code: z.string(),
      account: z.nullable(z.string()),
      state: z.enum(certificateStates),
      reason: z.string(),
    }),
  ),
});
export type AttendedEvent = z.infer<typeof AttendedEvent>;

const Instant = z.iso.datetime({ offset: true, error: 'Enter a date and time with offset, such as 2027-02-16T14:00:00+10:00' });
const WebAddress = oneLine(500).check(
  z.refine(address => address === '' || (/^https?:\/\/[^\s\\]+$/i.test(address) && URL.canParse(address) && !new URL(address).username), {
    error: 'Enter an address that starts with https:// or http://',
  }),
);
const places = { error: 'Enter a number from 1 to 100000, or nothing for no limit' };

/** An event as registry staff enter it. */
export const EventValues = z
  .object({
    kind: z.enum(eventKindNames),
    title: oneLine(200, 3, 'Enter a title of at least 3 characters'),
    description: severalLines(4000),
    startsAt: Instant,
    endsAt: Instant,
    timeZone: z.string().check(z.refine(isZone, { error: 'Enter an IANA time zone, such as Australia/Brisbane' })),
    mode: z.enum(eventModeNames),
    place: oneLine(200),
    url: WebAddress,
    registrationOpensAt: Instant,
    registrationClosesAt: Instant,
    capacity: z.nullable(z.int(places).check(z.minimum(1, places), z.maximum(100_000, places))),
    fee: z.string().check(z.regex(/^\d{1,6}(\.\d{2})?$/, { error: 'Enter an amount such as 75.00; 0 for none' })),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/, { error: 'Enter a currency of three letters, such as USD' })),
    hours: z.nullable(
      z
        .number({ error: 'Enter hours, such as 6.5' })
        .check(z.gt(0, { error: 'Enter hours above 0' }), z.lt(1000, { error: 'Enter hours below 1000' })),
    ),
  })
  .check(
    z.superRefine(({ startsAt, endsAt, registrationOpensAt, registrationClosesAt, mode, place }, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (Date.parse(endsAt) <= Date.parse(startsAt)) problem('endsAt', 'The event must end after it starts');
      if (Date.parse(registrationClosesAt) <= Date.parse(registrationOpensAt))
        problem('registrationClosesAt', 'Registration must close after it opens');
      if (Date.parse(registrationClosesAt) > Date.parse(endsAt))
        problem('registrationClosesAt', 'Registration must close before the event ends');
      if (mode !== 'online' && place === '') problem('place', 'Enter the venue and city');
    }),
  );
export type EventValues = z.infer<typeof EventValues>;

/** An event as registry staff see it. */
export const StaffEvent = z.object({
  ...shared,
  version: rowVersion,
  state: z.enum(eventStates),
  url: z.string(),
  fee: z.string(),
  currency: z.string(),
  hours: z.nullable(z.number()),
  cancelReason: z.string(),
  registered: z.int(),
  onSite: z.int(),
  waiting: z.int(),
  attended: z.int(),
});
export type StaffEvent = z.infer<typeof StaffEvent>;
