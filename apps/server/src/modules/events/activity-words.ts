import type { eventCertificates } from '@portal/contract/events/certificates';
import type { deskEvents } from '@portal/contract/events/desk';
import type { events } from '@portal/contract/events/events';
import { type ModuleWords, text, time, word, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const eventsWords = {
  activities: {
    events: {
      category: 'account',
      actions: {
        registerForEvent: 'Register for an event',
        cancelRegistration: 'Cancel a registration for an event',
        requestCertificate: { words: 'Ask for a certificate of attendance', category: 'documents' },
        openEventCertificate: { words: 'Open a certificate of attendance', category: 'documents' },
        readCalendar: 'Read the events calendar',
        remind: 'Remind people of an event',
      },
    },
    'events.certificates': {
      category: 'documents',
      actions: { decideCertificate: 'Decide on a certificate of attendance' },
    },
    'events.desk': {
      category: 'system',
      unlisted: true,
      actions: {
        addEvent: 'Add an event',
        changeEvent: 'Change an event',
        publishEvent: 'Publish an event',
        cancelEvent: 'Cancel an event',
      },
    },
  },
  rows: {
    event_registration: {
      what: 'Registration for an event',
      key: ['event_registration_id'],
      owner: 'account_name',
      name: ['full_name'],
      columns: {
        full_name: text('Name'),
        event: text('Event'),
        part: word('Takes part'),
        state: stateWord('State'),
        fee: text('Fee'),
        registered_at: time('Registered'),
        cancelled_at: time('Cancelled'),
      },
      unsaid: ['event_registration_id', 'login_id', 'account_name', 'email', 'is_free_place', 'reminded'],
    },
    event_certificate: {
      what: 'Certificate of attendance',
      key: ['code'],
      owner: 'account_name',
      name: ['full_name'],
      columns: {
        full_name: text('Name'),
        event: text('Event'),
        state: stateWord('State'),
        requested_at: time('Asked for'),
        issued_at: time('Issued'),
        reason: text('Reason'),
      },
      unsaid: ['code', 'login_id', 'account_name', 'org_name', 'decided_by'],
    },
  },
  unshown: { event: 'the registry’s', outside_event: 'the registry’s: copied from its calendar' },
} satisfies ModuleWords<{ events: typeof events; 'events.certificates': typeof eventCertificates; 'events.desk': typeof deskEvents }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    events: typeof eventsWords;
  }
}
