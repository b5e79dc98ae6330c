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

/** Tells the open tabs of some people, in every process, what to reload when the change commits. */
export const announceLive = (change: Change, event: LiveEvent): Promise<void> => change.notify(channel, JSON.stringify(event));

/** Receives every announcement. What is missed while the database is unavailable shows at the tab's next reload. Returns a function that stops it. */
export const listenForLiveEvents = (db: Database, heard: (event: LiveEvent) => void): Promise<() => Promise<unknown>> =>
  db.listen(channel, payload => heard(JSON.parse(payload) as LiveEvent));
