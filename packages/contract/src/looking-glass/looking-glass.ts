import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Questions that one person may ask within a minute. */
export const maxLooksAMinute = 5;
export const lookCommands = ['route', 'exact', 'origin'] as const;

export const lookingGlass = group('lookingGlass', {
  listRouters: endpoint({
    method: 'GET',
    path: '/api/looking-glass/routers',
    summary: 'Routers that can be asked.',
    access: signedIn,
    answer: z.object({ rows: z.array(z.object({ router: z.string(), name: z.string(), location: z.string() })) }),
  }),
  lookUp: endpoint({
    method: 'GET',
    path: '/api/looking-glass/routes',
    summary: 'Routes as a router sees them: for an address or prefix, or from an AS number.',
    access: signedIn,
    query: z.object({
      router: oneLine(40, 1, 'Choose a router'),
      /** `route`: the routes used for it; `exact`: of exactly this prefix; `origin`: originated by an AS number. */
      command: z.enum(lookCommands),
      argument: oneLine(60, 1, 'Enter a prefix, an address or an AS number'),
    }),
    answer: z.object({
      /** As the router was asked. */
      asked: z.string(),
      milliseconds: z.int(),
      rows: z.array(
        z.object({
          prefix: z.string(),
          best: z.boolean(),
          /** From the router’s neighbour to the origin. */
          path: z.array(z.int()),
          nextHop: z.nullable(z.string()),
          communities: z.array(z.string()),
          rpki: z.enum(['valid', 'invalid', 'not-found']),
        }),
      ),
      more: z.boolean(),
      text: z.string(),
    }),
    errors: ['TOO_MANY_REQUESTS', 'UNAVAILABLE', 'NOT_FOUND', 'INVALID_REQUEST'],
  }),
});
