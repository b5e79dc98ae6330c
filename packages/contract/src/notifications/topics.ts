import * as z from 'zod/mini';
import type { ContactType } from '../permissions.ts';
import type { Delivery } from './deliveries.ts';

type Topic = {
  label: string;
  /** Description in the settings. */
  words: string;
  /** Why the recipient gets it: the end of "You get this e-mail because …". */
  because: string;
  /** Recipients who cannot switch off its e-mails, and why. */
  locked: { for: 'everybody' | readonly ContactType[]; why: string } | null;
  /** How it is delivered until its recipient chooses. */
  usual: Delivery;
  /** Whether the settings list it: it is sent without the recipient having just asked for it. */
  listed: boolean;
};
const topic = (definition: Omit<Topic, 'listed' | 'usual'> & { listed?: false; usual?: Delivery }): Topic => ({
  listed: true,
  usual: 'at-once',
  ...definition,
});

/** Topics of notifications: each notification and each e-mail has one. */
export const topics = {
  'login.security': topic({
    label: 'Your login',
    words: 'New devices, and changes of password, e-mail address and second factors.',
    because: 'it is about your login',
    locked: { for: 'everybody', why: 'Required to protect your login' },
  }),
  'login.links': topic({
    label: 'Links you asked for',
    words: 'To register, to choose a new password, to confirm an address.',
    because: 'this address was entered at the registry',
    locked: { for: 'everybody', why: 'You just requested them' },
    listed: false,
  }),
  'account.security': topic({
    label: 'Changes of the registry',
    words: 'Changes made for an account with a second factor.',
    because: 'you answer for the account, or you made the change',
    locked: { for: 'everybody', why: 'Required to protect the account' },
  }),
  'contacts.access': topic({
    label: 'Access to accounts',
    words: 'Contacts added, changed and removed, their permissions, and decisions on requests.',
    because: 'you are a corporate contact of the account, or it is about you',
    locked: { for: 'everybody', why: 'Corporate contacts must know who acts for the account' },
  }),
  'contacts.requests': topic({
    label: 'Requests for you to decide',
    words: 'Requests to join an account, change contacts or get permissions.',
    because: 'you can approve access requests of the account',
    locked: { for: 'everybody', why: 'People wait for your answer' },
  }),
  'contacts.reminders': topic({
    label: 'Reminders of requests',
    words: 'Requests open for one or three weeks.',
    because: 'you can approve access requests of the account',
    locked: null,
  }),
  'contacts.review': topic({
    label: 'Yearly check of your details',
    words: 'Confirm your name, address and telephone number in an account.',
    because: 'you are a contact of the account',
    locked: { for: ['corporate'], why: 'The registry must be able to reach corporate contacts' },
  }),
  'organisation.changes': topic({
    label: 'Organisation details',
    words: 'Changes of organisation details, the registry’s decisions, and closing an account.',
    because: 'you are a contact of the account',
    locked: { for: 'everybody', why: 'Corporate contacts must know about changes to the account' },
  }),
  'organisation.documents': topic({
    label: 'Documents',
    words: 'Documents the registry sends or deletes, agreements to sign, and files that could not be used.',
    because: 'you are a contact of the account, or you sent a file',
    locked: { for: ['corporate'], why: 'Agreements must reach the people who sign' },
  }),
  'billing.renewal': topic({
    label: 'End of the term',
    words: 'A reminder a month before the membership term ends.',
    because: 'you are a corporate or billing contact of the account',
    locked: { for: ['corporate', 'billing'], why: 'Paying contacts must know when a membership ends' },
  }),
  'billing.invoices': topic({
    label: 'Invoices and payments',
    words: 'Invoices, payments received and extensions.',
    because: 'invoices of the account are sent to you',
    locked: { for: ['corporate', 'billing'], why: 'Invoices must reach the people who pay them' },
  }),
  'billing.reminders': topic({
    label: 'Reminders of invoices',
    words: 'Unpaid invoices, and suspension or closing of the account.',
    because: 'you are a contact of the account',
    locked: { for: 'everybody', why: 'All contacts must know if an account is about to close' },
  }),
  'tickets.answers': topic({
    label: 'Support tickets',
    words: 'Answers to what you wrote to the registry, and tickets you are copied in.',
    because: 'you wrote to the registry, or you are copied in a ticket',
    locked: { for: 'everybody', why: 'You asked the registry' },
  }),
  'elections.votes': topic({
    label: 'Elections',
    words:
      'Proxies appointed and votes cast for your account, votes that have to be repeated, and what you were appointed for in elections.',
    because: 'you vote or answer for an account, or you were appointed as its proxy or for an election',
    locked: { for: 'everybody', why: 'Members must know immediately what happens to their vote' },
  }),
  'announcements.news': topic({
    label: 'Announcements',
    words: 'Maintenance, policy, fees and security: what the registry announces to you.',
    because: 'the registry announces it to you',
    locked: null,
  }),
  'status.notices': topic({
    label: 'Incidents and planned work',
    words: 'Incidents and planned work of services that were chosen on the status page.',
    because: 'this address was subscribed on the status page',
    locked: null,
    listed: false,
  }),
  'legal.texts': topic({
    label: 'Terms and agreements',
    words: 'Texts that you are asked to accept, for yourself or for an account, and reminders.',
    because: 'the registry asks you to accept a text',
    locked: { for: 'everybody', why: 'You must know what you are asked to accept' },
  }),
  'events.registrations': topic({
    label: 'Events',
    words: 'Your registrations, places from the waiting list, reminders, and certificates of attendance.',
    because: 'you registered for an event, or you approve certificates of an account',
    locked: null,
  }),
  'applications.status': topic({
    label: 'Membership applications',
    words: 'Questions and decisions about your application, and reminders of drafts.',
    because: 'you applied for membership',
    locked: { for: 'everybody', why: 'The registry must be able to reach you' },
  }),
  'applications.referrals': topic({
    label: 'Referrals of customers',
    words: 'Progress of customers you referred.',
    because: 'you proposed a member of the registry, or you were proposed as one',
    locked: null,
  }),
  'staff.cases': topic({
    label: 'Cases at the desk',
    words: 'Cases that you watch or have, and reminders that you asked for.',
    because: 'you work at the desk of the registry, and watch, have or wanted to be reminded of a case',
    locked: null,
    listed: false,
  }),
  'whois.objects': topic({
    label: 'Whois objects',
    words: 'Changes of objects that name an address for it: notify, mnt-nfy, upd-to, irt-nfy and ref-nfy.',
    because: 'objects of the whois database name this address for it',
    locked: { for: 'everybody', why: 'Set in the objects themselves' },
    listed: false,
  }),
  'whois.irt': topic({
    label: 'IRT mailboxes',
    words: 'Codes to validate IRT mailboxes, and reminders.',
    because: 'an IRT object uses this address, or your account maintains that IRT',
    locked: { for: 'everybody', why: 'Policy requires validation twice a year' },
    listed: false,
  }),
  'whois.follows': topic({
    label: 'What you follow in whois',
    words: 'Changes by others to objects, prefixes and AS numbers you follow.',
    because: 'you follow it in the portal',
    locked: null,
  }),
  'resources.requests': topic({
    label: 'Requests and transfers',
    words: 'Questions and decisions about requests for resources, transfers and returns.',
    because: 'you see the requests of an account',
    locked: { for: ['corporate'], why: 'Corporate contacts must know what happens to the account’s resources' },
  }),
  'reverseDns.zones': topic({
    label: 'Reverse DNS',
    words: 'Name servers that don’t answer, delegations that waited for them, and failing DNSSEC.',
    because: 'a reverse zone names you, or you see the zones of an account',
    locked: null,
  }),
  'rpki.roas': topic({
    label: 'ROAs',
    words: 'ROAs that are no longer published because their prefixes are not certified any more.',
    because: 'you see the ROAs of an account',
    locked: { for: 'everybody', why: 'A network whose ROA is gone can become unreachable' },
    listed: false,
  }),
  'rpki.changes': topic({
    label: 'Changes to ROAs and routes',
    words: 'ROAs, route objects, providers of AS numbers and checklists that your account changed, with the way to undo them.',
    because: 'you see the ROAs of an account, or you made the change',
    locked: { for: ['corporate'], why: 'Corporate contacts must know what the account says about its routing' },
  }),
  'routes.alerts': topic({
    label: 'Announcements of your space',
    words: 'Announcements that are invalid or have no ROA.',
    because: 'you see the ROAs of an account',
    locked: null,
    usual: 'daily',
  }),
  'notifications.digest': topic({
    label: 'Digests',
    words: 'What you chose to get once a day or once a week.',
    because: 'you chose to get some notifications once a day or once a week',
    locked: null,
    listed: false,
  }),
} as const satisfies Record<string, Topic>;
export type TopicKey = keyof typeof topics;
export const topicKeys = Object.keys(topics) as TopicKey[];
/** A topic as a call names it. */
export const TopicName = z.enum(topicKeys as [TopicKey, ...TopicKey[]]);

/** Why a person with these contact types cannot switch the e-mails of a topic off; null when they can. */
export function whyLocked(key: TopicKey, contactTypes: readonly string[]): string | null {
  const { locked }: Topic = topics[key];
  if (locked === null) return null;
  return locked.for === 'everybody' || locked.for.some(type => contactTypes.includes(type)) ? locked.why : null;
}
