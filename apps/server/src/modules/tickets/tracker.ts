import type { TicketQueue, TicketState } from '@portal/contract/tickets/queues';
import { requestTracker } from '../../adapters/request-tracker.ts';
import type { OutsideSystem } from '../../platform/module.ts';

/** A file on its way to Request Tracker. */
export type TrackerFile = { name: string; mediaType: string; content: Buffer };
/** A message of a person in a ticket of Request Tracker. */
export type TrackerMessage = {
  transactionId: number;
  /** Name of the user there; an e-mail address for those who only write mail. */
  by: string;
  at: string;
  text: string;
  html: string;
  /** Names of its files. */
  files: string[];
};
/** A ticket of Request Tracker in a list. */
export type TrackerTicket = {
  trackerId: number;
  queue: TicketQueue;
  subject: string;
  state: TicketState;
  requestors: string[];
  cc: string[];
  updatedAt: string;
};

/** Request Tracker, as needed for tickets. Every function throws an Error if it doesn't answer or refuses. */
export type Tracker = {
  /** Returns the number of the ticket that refers to an address of the portal; null if there is none. */
  find(portalAddress: string): Promise<number | null>;
  /** Creates a ticket without a message, and returns its number. */
  create(ticket: {
    queue: TicketQueue;
    subject: string;
    requestor: string;
    cc: readonly string[];
    portalAddress: string;
    text: string;
    files: readonly TrackerFile[];
  }): Promise<number>;
  /** Adds a message to the member (`correspond`), or a staff comment. */
  write(trackerId: number, kind: 'correspond' | 'comment', message: { text: string; files: readonly TrackerFile[] }): Promise<void>;
  setState(trackerId: number, state: TicketState): Promise<void>;
  /** Tickets of the configured queues that changed at or after an instant, oldest change first. */
  changedSince(instant: string): Promise<TrackerTicket[]>;
  read(trackerId: number): Promise<TrackerTicket>;
  /**
   * Returns the messages to the member after a transaction, by others than the portal, and the newest transaction of all. Contents of comments are
   * never requested.
   */
  messagesAfter(trackerId: number, transactionId: number): Promise<{ messages: TrackerMessage[]; last: number }>;
  /** Returns whether the portal wrote something with this mark. */
  has(trackerId: number, mark: string): Promise<boolean>;
};

/** Request Tracker at RT_URL; null if tickets are only in the portal. */
export const tracker: OutsideSystem<Tracker | null> = {
  name: 'Request Tracker',
  open: ({ config }) =>
    config.rtUrl === '' ? null : requestTracker({ url: config.rtUrl, token: config.rtToken, queues: config.rtQueues }),
};
