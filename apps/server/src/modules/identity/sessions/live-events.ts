import type { Change, Database } from '../../../platform/database/index.ts';

/** Something that the screens of some people show has changed. */
export type LiveEvent = {
  what: 'ticket';
  id: string;
  /** The logins it is for, and whether it is for registry staff. */
  logins: readonly string[];
  staff: boolean;
};

const channel = 'live';

/** Announces to the open tabs of some people, in every process, what they read again, when the change commits. */
export const announceLive = (change: Change, event: LiveEvent): Promise<void> => change.notify(channel, JSON.stringify(event));

/** Hears every announcement; one that was missed while the database was away is read by the next look of the tab. Returns a function that stops it. */
export const listenForLiveEvents = (db: Database, heard: (event: LiveEvent) => void): Promise<() => Promise<unknown>> =>
  db.listen(channel, payload => heard(JSON.parse(payload) as LiveEvent));
