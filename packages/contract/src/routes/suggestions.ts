import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { RouteChanges } from './routes.ts';

/**
 * `add`: an announcement has no ROA, or contradicts one. `stale`: a ROA matches no announcement. `disallowing`: nor does this one, and it makes an
 * announcement invalid. `too-permissive`: it allows more specific announcements that no one makes. `redundant`: another ROA allows all that it does.
 */
export const suggestionKinds = ['add', 'disallowing', 'too-permissive', 'redundant', 'stale'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

export const RouteSuggestion = z.object({
  kind: z.enum(suggestionKinds),
  prefix: z.string(),
  asn: z.int(),
  maxLength: z.int(),
  /** Peers that see the announcement; null for a ROA. */
  peers: z.nullable(z.int()),
  why: z.string(),
  /** Change that the suggestion makes; null where the ROA has no route yet: it has to be adopted first. */
  changes: z.nullable(RouteChanges),
});
export type RouteSuggestion = z.infer<typeof RouteSuggestion>;

export const routeSuggestions = group('routes.suggestions', {
  listSuggestions: endpoint({
    method: 'GET',
    path: '/api/:account/routes/suggestions',
    publicApi: { path: '/routes/suggestions', scope: 'routes:read' },
    summary:
      'What could be better, from what collectors see: ROAs for announcements without one, and ROAs that allow nothing or too much. Nothing is done about it.',
    access: member('rescert-view', { staff: true }),
    answer: z.object({ collectedAt: z.nullable(z.iso.datetime()), rows: z.array(RouteSuggestion), total: z.int() }),
  }),
});
