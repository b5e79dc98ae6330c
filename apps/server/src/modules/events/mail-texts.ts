import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const eventsTexts = mailTexts('events', {
  asksCertificateAttendanceNames: {
    topic: 'events.registrations',
    subject: '{fullName} asks for a certificate of attendance that names {accountName}',
    body: ['{fullName} attended {event}, and asks for a certificate that names {orgName}.'],
  },
  certificateReady: {
    topic: 'events.registrations',
    subject: 'Your certificate of {title} is ready',
    body: ['It names {accountName}. You find it under Past events.'],
  },
  certificateRejected: {
    topic: 'events.registrations',
    subject: 'Your certificate of {title} is rejected',
    body: ['{accountName} doesn’t approve a certificate in its name.{outcome} You can still get one in your own name.'],
    says: { outcome: ' Reason: The documents name another organisation.' },
  },
  cancelled: { topic: 'events.registrations', subject: 'Cancelled: {eventTitle}', body: ['The event doesn’t take place. {reason}'] },
  waitingList: {
    topic: 'events.registrations',
    subject: 'You’re on the waiting list: {eventTitle}',
    body: ['All places on site are taken. You get the next one that becomes free, and we write to you then.', '{whenAndWhere}'],
  },
  registered: {
    topic: 'events.registrations',
    subject: 'You’re registered: {eventTitle}',
    body: ['{whenAndWhere}', '{details}'],
    says: { details: 'The fee is AUD 120.00. Its invoice follows in an e-mail.' },
  },
  placeBecameFreeItsYours: {
    topic: 'events.registrations',
    subject: 'A place became free, and it’s yours: {eventTitle}',
    body: ['{whenAndWhere}', '{details}', 'If you can’t come, cancel, so that the next person gets the place.'],
    says: { details: 'The fee is AUD 120.00. Its invoice follows in an e-mail.' },
  },
  registrationCancelled: {
    topic: 'events.registrations',
    subject: 'Your registration is cancelled: {eventTitle}',
    body: ['You can register again as long as registration is open.'],
  },
  nextWeek: {
    topic: 'events.registrations',
    subject: 'Next week: {eventTitle}',
    body: ['It starts on {at} ({timeZone}). If you can’t come, cancel, so that someone else gets the place.'],
  },
  tomorrow: {
    topic: 'events.registrations',
    subject: 'Tomorrow: {eventTitle}',
    body: ['It starts on {at} ({timeZone}). If you can’t come, cancel, so that someone else gets the place.'],
  },
});
