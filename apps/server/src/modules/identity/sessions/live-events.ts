import { holdsOneOf, type StaffPermission } from '@portal/contract';
import { tickets } from '@portal/contract/tickets/tickets';
import type { Change, Database } from '../../../platform/database/index.ts';

/** Something that the screens of some people show has changed. */
export type LiveEvent = {
  what: 'ticket';
  id: string;
  /** The logins it is for. */
  logins: readonly string[];
};

/** The call of the desk that reads what an event is about: only registry staff that it would admit hear of it. */
const readBy: Readonly<Record<LiveEvent['what'], { access: { permissions: readonly StaffPermission[] } }>> = {
  ticket: tickets.getStaffTicket,
};

/** Returns whether these permissions open what an event is about. */
export const opens = ({ what }: Pick<LiveEvent, 'what'>, held: ReadonlySet<string>): boolean =>
  holdsOneOf(held, readBy[what].access.permissions, true);

const channel = 'live';

/** Tells the open tabs of some people, and of registry staff who may read it, in every process, what to reload when the change commits. */
export const announceLive = (change: Change, event: LiveEvent): Promise<void> => change.notify(channel, JSON.stringify(event));

/** Receives every announcement. What is missed while the database is unavailable shows at the tab's next reload. Returns a function that stops it. */
export const listenForLiveEvents = (db: Database, heard: (event: LiveEvent) => void): Promise<() => Promise<unknown>> =>
  db.listen(channel, payload => heard(JSON.parse(payload) as LiveEvent));
