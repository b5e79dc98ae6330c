import { instantBefore, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Invariant, MAX_VIOLATIONS } from '../../platform/invariant.ts';

/** A whois change is in the zones within a minute; after this time, a difference is a violation. */
const PATIENCE_MS = 15 * MINUTE_MS;

/** Invariants of the published zones. */
export const reverseDnsInvariants: readonly Invariant[] = [
  {
    name: 'reverseDns.zones',
    sentence: 'The published zones have the reverse delegations of whois, and no others',
    // If no zone was ever published, another program does that.
    check: async ({ read, now }) =>
      (
        await read.rows<{
          zone: string;
          there: boolean;
          published: boolean;
        }>(sql`select coalesce(o.key, p.zone) as zone, o.key is not null as there, p.zone is not null as published
          from (select * from whois_object where class = 'domain') o full join rdns_published p on p.zone = o.key
          where exists (select from rdns_parent) and case when o.key is null
              then not exists (select from whois_journal j where j.class = 'domain' and j.key = p.zone and j.operation = 'DEL' and j.happened_at > ${instantBefore(now, PATIENCE_MS)}::timestamptz)
            else o.changed_at < ${instantBefore(now, PATIENCE_MS)}::timestamptz and p.version is distinct from o.version
              and (p.zone is not null or exists (select from rdns_parent parent where o.key like '%.' || parent.parent)) end
          order by 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ zone, there, published }) => ({
        object: `The zone ${zone}`,
        problem: there
          ? published
            ? 'is published as it was before its last change'
            : 'is in whois, and not published'
          : 'is published, and not in whois',
        remedy: 'Start a process with the role dns, and read what it logs',
      })),
  },
];
