import { life } from '../life.ts';

export const eventStates = ['draft', 'published', 'cancelled'] as const;

/** The life of an event. That it is over follows from its end. */
export const eventLife = life(
  { title: 'Events', table: 'event', column: 'state', states: eventStates },
  {
    publish: { from: ['draft'], to: ['published'], who: 'staff', does: 'publish it' },
    cancel: { from: ['draft', 'published'], to: ['cancelled'], who: 'staff', does: 'cancel it, with the reason' },
  },
);

export const registrationStates = ['registered', 'waitlisted', 'cancelled'] as const;

/** The life of a registration for an event. A person who cancelled can register again: that is another registration. */
export const registrationLife = life(
  { title: 'Registrations for events', table: 'event_registration', column: 'state', states: registrationStates },
  {
    place: {
      from: ['waitlisted'],
      to: ['registered'],
      who: 'registry',
      does: 'gives them the place that became free',
      by: ['events.cancelRegistration', 'events.desk.changeEvent'],
    },
    cancel: { from: ['registered', 'waitlisted'], to: ['cancelled'], who: 'person', does: 'cancels it' },
  },
);

export const certificateStates = ['requested', 'issued', 'rejected'] as const;

/** The life of a certificate of attendance. One in the person’s own name begins as issued. */
export const certificateLife = life(
  { title: 'Certificates of attendance', table: 'event_certificate', column: 'state', states: certificateStates },
  { decide: { from: ['requested'], to: ['issued', 'rejected'], who: 'contact', does: 'decides whether it may name the account' } },
);
