import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/**
 * How far the policy has come with a server that doesn't answer for a zone. `seen`: not long enough yet. `notified`: its contacts know. `disabled`: left out
 * of the parent zone. `answers`: left out, answered the last check, and is put back within minutes.
 */
export const lameSteps = ['seen', 'notified', 'disabled', 'answers'] as const;
export type LameStep = (typeof lameSteps)[number];

export const LameServer = z.object({
  zone: z.string(),
  prefix: z.nullable(z.string()),
  server: z.string(),
  /** The account that holds the addresses; null where none or several do. */
  accountName: z.nullable(z.string()),
  step: z.enum(lameSteps),
  /** Days in UTC: the first of the checks in a row that it failed, the last one, and what was done. */
  since: z.iso.date(),
  failedOn: z.iso.date(),
  notifiedOn: z.nullable(z.iso.date()),
  disabledOn: z.nullable(z.iso.date()),
  /** When the next step is due, if it goes on not answering; null where none follows. */
  nextOn: z.nullable(z.iso.date()),
  /** Other servers of the zone that still answer. */
  left: z.int(),
  problem: z.nullable(z.string()),
});
export type LameServer = z.infer<typeof LameServer>;

export const lameServers = group('reverseDns.lameServers', {
  listLameServers: endpoint({
    method: 'GET',
    path: '/api/staff/reverse-dns/lame-servers',
    summary: 'Name servers that don’t answer for delegated zones, those that are lame for longest first.',
    access: staff('dns'),
    query: z.object({
      /** Zone, server, prefix, address or account. */
      q: z._default(z.string().check(z.trim(), z.maxLength(254)), ''),
      step: z.optional(z.enum(lameSteps)),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({
      total: z.int(),
      rows: z.array(LameServer),
      counts: z.object({ seen: z.int(), notified: z.int(), disabled: z.int(), answers: z.int() }),
      /** Days of the registry profile. */
      policy: z.object({ detectDays: z.int(), notifyDays: z.int(), remindDays: z.int(), disables: z.boolean() }),
      /** Most zones seem lame, so the registry itself may be offline: no one is notified, and nothing is left out. */
      waits: z.boolean(),
    }),
  }),
});
