import type { Permission } from '../permissions.ts';

type Queue = {
  label: string;
  /** The name in narrow lists. */
  short: string;
  /** Purpose of the queue, in a sentence. */
  words: string;
  /** Permissions any of which shows all tickets of the account in this queue; empty: each person sees only their own. */
  view: readonly Permission[];
  /** Permissions any of which writes for the account. */
  update: readonly Permission[];
  /** Corporate contacts need no permission for it. */
  corporate?: true;
};

/** The queues of the registry's support, by the name in their address. */
export const ticketQueues = {
  helpdesk: {
    label: 'General',
    short: 'General',
    words: 'Questions about the portal, your login, or anything else.',
    view: ['tickets-admin-view'],
    update: ['tickets-admin-update'],
  },
  billing: {
    label: 'Billing',
    short: 'Billing',
    words: 'Invoices, payments and fees.',
    view: ['tickets-admin-view', 'member-billing-view'],
    update: ['tickets-admin-update', 'member-billing-update'],
  },
  membership: {
    label: 'Membership',
    short: 'Membership',
    words: 'Contacts, organisation details, joining and leaving.',
    view: ['tickets-admin-view'],
    update: ['tickets-admin-update'],
  },
  resources: {
    label: 'Resources',
    short: 'Resources',
    words: 'Number resources, transfers, routes, reverse DNS and whois.',
    view: ['tickets-resources-view'],
    update: ['tickets-resources-update'],
  },
  ecsubmission: {
    label: 'Submission to the Executive Council',
    short: 'Council',
    words: 'Submissions to the Executive Council.',
    view: ['voting-vote'],
    update: ['voting-vote'],
    corporate: true,
  },
  events: { label: 'Events', short: 'Events', words: 'Registration and attendance of events.', view: [], update: [] },
} as const satisfies Record<string, Queue>;
export type TicketQueue = keyof typeof ticketQueues;
export const ticketQueueNames = Object.keys(ticketQueues) as [TicketQueue, ...TicketQueue[]];

/** Returns the queue of a name in an address; null if there is none of that name. */
export const queueNamed = (name: string): TicketQueue | null => (Object.hasOwn(ticketQueues, name) ? (name as TicketQueue) : null);

type Contact = { contactTypes: readonly string[]; permissions: { has: (permission: Permission) => boolean } };
const may = ({ contactTypes, permissions }: Contact, queue: TicketQueue, what: 'view' | 'update'): boolean => {
  const rule: Queue = ticketQueues[queue];
  return rule[what].some(permission => permissions.has(permission)) || (rule.corporate === true && contactTypes.includes('corporate'));
};

/** Returns whether a contact sees all tickets of the account in a queue. Their own they see in any case. */
export const seesQueue = (contact: Contact, queue: TicketQueue): boolean => may(contact, queue, 'view');
/** Returns whether a contact writes for the account in a queue. */
export const writesQueue = (contact: Contact, queue: TicketQueue): boolean => may(contact, queue, 'update');

/** States of a ticket as Request Tracker calls them, and what members read. */
export const ticketStates = {
  new: 'With us',
  open: 'With us',
  stalled: 'Waiting for you',
  resolved: 'Solved',
  rejected: 'Closed',
} as const;
export type TicketState = keyof typeof ticketStates;
export const ticketStateNames = Object.keys(ticketStates) as [TicketState, ...TicketState[]];

/** States in which someone has the next move; in the others a ticket is over. */
export const openTicketStates = ['new', 'open', 'stalled'] as const satisfies readonly TicketState[];
/** Whether a ticket is over: solved or closed. */
export const isTicketOver = (state: TicketState): boolean => state === 'resolved' || state === 'rejected';
/** Whether the registry has the next move in a ticket. */
export const isWithRegistry = (state: TicketState): boolean => state === 'new' || state === 'open';

/** Kinds of what a ticket can be about. */
export const tieKinds = ['prefix', 'asn', 'invoice', 'request'] as const;
export type TieKind = (typeof tieKinds)[number];

/** Returns what kind of thing a text names: `198.51.100.0/24`, `AS64500`, `INV-2026-000388`, `ORG-12`; null if none. */
export function tieKindOf(text: string): TieKind | null {
  if (/^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)(\/\d{1,3})?$/i.test(text)) return 'prefix';
  if (/^AS\d{1,10}$/i.test(text)) return 'asn';
  if (/^INV-[\w-]{1,30}$/i.test(text)) return 'invoice';
  return /^[A-Z]{2,5}-\d{1,12}$/i.test(text) ? 'request' : null;
}

const nameOf =
  /(?<![\w.:/@-])(?:AS\d{1,10}|INV-\d{4}-\d{6}|REQ-\d{1,12}|\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2}|[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}\/\d{1,3})(?![\w/-]|\.\w)/gi;

/** A prefix, AS number, invoice or request that a text names, with its position in it. */
export type NamedThing = { kind: TieKind; text: string; at: number };

/** Returns the prefixes, AS numbers, invoices and requests that a text names, in its order. Single addresses aren't taken for prefixes. */
export const thingsNamedIn = (text: string): NamedThing[] =>
  [...text.matchAll(nameOf)].flatMap(({ 0: name, index }) => {
    const kind = tieKindOf(name);
    return kind === null ? [] : [{ kind, text: /^[a-z]{2,5}-?\d/i.test(name) ? name.toUpperCase() : name.toLowerCase(), at: index }];
  });

/** Days within which a solved ticket can be reopened, and days after which a member is reminded of a waiting ticket and it is solved. */
export const ticketDays = { reopen: 30, remind: 7, solve: 14 } as const;
