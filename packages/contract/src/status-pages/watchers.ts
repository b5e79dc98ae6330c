import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { operationPermissions } from '../staff-permissions.ts';

/** Watchers at most, those of the settings too: each has its own column of facts on the status page. */
export const maxWatchers = 8;

/** `new`: it hasn’t reported yet. `silent`: its last report is too old to count. */
export const watcherStates = ['reporting', 'silent', 'new', 'revoked'] as const;

/** A watcher that sends its reports with a token. */
export const Watcher = z.object({
  watcherId: z.string(),
  /** Where it is, as the status page names it. */
  place: z.string(),
  /** The beginning of its token, by which it is recognised. */
  prefix: z.string(),
  state: z.enum(watcherStates),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  revokedAt: z.nullable(z.iso.datetime()),
  /** Null if it never reported. */
  lastUse: z.nullable(z.object({ at: z.iso.datetime(), address: z.string() })),
});
export type Watcher = z.infer<typeof Watcher>;

const access = staff(operationPermissions);
const path = '/api/staff/watchers';
const Place = oneLine(40, 2, 'Enter where it is, such as Singapore');

/** Watchers on other networks that report to the status page. */
export const watchers = group('statusPages.watchers', {
  listWatchers: endpoint({
    method: 'GET',
    path,
    summary: 'Watchers with a token, those that work first; how many the settings name beside them.',
    access,
    answer: z.object({
      rows: z.array(Watcher),
      /** Places of watchers whose reports are fetched (WATCH_URL). */
      fetched: z.array(z.string()),
    }),
  }),
  addWatcher: endpoint({
    method: 'POST',
    path,
    summary: 'Create a token for a watcher. It is answered once.',
    access,
    effect: 'keys',
    body: z.object({ place: Place }),
    answer: z.object({
      watcher: Watcher,
      /** Shown once and stored nowhere. Null in the answer to a repeated call: revoke it and create another one. */
      token: z.nullable(z.string()),
    }),
    errors: ['WATCHER_PLACE_TAKEN', 'TOO_MANY_WATCHERS'],
    activity: 'Created a token of a watcher',
    onceOnly: ['token'],
  }),
  renameWatcher: endpoint({
    method: 'POST',
    path: `${path}/:watcherId`,
    summary: 'Name a watcher anew. The status page has the new name within a minute.',
    access,
    effect: 'keys',
    body: z.object({ place: Place }),
    answer: Watcher,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'NOTHING_TO_DO', 'WATCHER_PLACE_TAKEN'],
    activity: 'Renamed a watcher',
  }),
  revokeWatcher: endpoint({
    method: 'POST',
    path: `${path}/:watcherId/revoke`,
    summary: 'Revoke the token of a watcher. Its next report is refused, and its last one no longer counts.',
    access,
    effect: 'keys',
    answer: Watcher,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Revoked the token of a watcher',
  }),
});
