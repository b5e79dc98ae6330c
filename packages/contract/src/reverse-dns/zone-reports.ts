import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { DnsCheckRun } from './checks.ts';
import { ReverseZone } from './reverse-dns.ts';

/** A zone with its last check, and what the registry does about servers that don't answer. */
export const ZoneReport = z.object({
  zone: ReverseZone,
  /** The last check of the delegation as it is now; null before it, and once the report is no longer stored. */
  run: z.nullable(DnsCheckRun),
  /** Name servers that don't answer, with the steps of the policy; days in UTC. */
  lame: z.array(
    z.object({
      server: z.string(),
      since: z.iso.date(),
      /** When the contacts are notified, or were. */
      notifyOn: z.iso.date(),
      notifiedOn: z.nullable(z.iso.date()),
      /** When it is left out of the parent zone unless it answers; null where the registry leaves no server out. */
      removeOn: z.nullable(z.iso.date()),
      removedOn: z.nullable(z.iso.date()),
    }),
  ),
  /** The zone that the registry publishes the delegation in; null before that. */
  parent: z.nullable(z.object({ zone: z.string(), serial: z.int(), publishedAt: z.iso.datetime() })),
  /** Records that the publisher leaves out of the parent zone, because name servers wouldn't load it. */
  leftOut: z.nullable(z.object({ whole: z.boolean(), reasons: z.array(z.string()), since: z.iso.datetime() })),
  /** Handles of its contacts; null without a delegation. */
  contacts: z.nullable(z.object({ adminC: z.string(), techC: z.string(), zoneC: z.string() })),
});
export type ZoneReport = z.infer<typeof ZoneReport>;

export const zoneReports = group('reverseDns.zoneReports', {
  getZone: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/zones/:zone',
    publicApi: { path: '/reverse-dns/zones/:zone', scope: 'reverse-dns:read' },
    summary:
      'One reverse zone of the account: its delegation, the report of the last check, and what follows for servers that don’t answer.',
    access: member('whois-domain-objects-view', { staff: true }),
    answer: ZoneReport,
    errors: ['NOT_FOUND'],
  }),
});
