import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Announcements one account may mute. */
export const maxMutes = 1_000;

const announcement = { prefix: oneLine(60, 1), asn: z.int().check(z.minimum(0), z.maximum(4_294_967_295)) };

export const RouteAlert = z.object({
  prefix: z.string(),
  asn: z.int(),
  /** By what is published; null for one that is muted and currently fine. */
  validity: z.nullable(z.enum(['invalid-asn', 'invalid-length', 'not-found'])),
  /** Since when the watcher finds it so. */
  foundAt: z.nullable(z.iso.datetime()),
  muted: z.nullable(z.object({ reason: z.string(), by: z.string(), at: z.iso.datetime() })),
});
export type RouteAlert = z.infer<typeof RouteAlert>;

const change = member('rpki-config-update');

export const routeAlerts = group('routes.alerts', {
  listAlerts: endpoint({
    method: 'GET',
    path: '/api/:account/routes/alerts',
    publicApi: { path: '/routes/alerts', scope: 'routes:read' },
    summary:
      'Announcements of the account’s space that the watcher found invalid or without a ROA, by what is published, and those the account has muted.',
    access: member('rescert-view', { staff: true }),
    answer: z.object({ rows: z.array(RouteAlert) }),
  }),
  mute: endpoint({
    method: 'POST',
    path: '/api/:account/routes/mutes',
    summary: 'Mute an announcement: the watcher no longer notifies about it, and its colour on pages stays.',
    access: change,
    effect: 'records',
    body: z.object({ ...announcement, reason: z._default(oneLine(200), '') }),
    answer: z.object({ rows: z.array(RouteAlert) }),
    errors: ['INVALID_REQUEST'],
    activity: 'Muted an announcement',
  }),
  unmute: endpoint({
    method: 'POST',
    path: '/api/:account/routes/mutes/removal',
    summary: 'Notify about an announcement again.',
    access: change,
    effect: 'records',
    body: z.object(announcement),
    answer: z.object({ rows: z.array(RouteAlert) }),
    errors: ['NOT_FOUND'],
    activity: 'Unmuted an announcement',
  }),
});
