import type { AnswerOf, QueryOf } from '@portal/contract';
import type { nirDelegations } from '@portal/contract/nir/delegations';
import { bestFitPrefix, type NumberResource, printResource, resourceSetOf, sparsePrefix, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import { resourceOf } from '../resources/index.ts';

/** Suggestions answered together, and gaps looked at for them. */
const OFFERED = 8;
const GAPS = 500;

type Gap = { first: string; last: string };

/**
 * Gaps between what is registered below the allocations of the account that hold a prefix of the length, in the order of their numbers. A sub-allocation that belongs to
 * no sub-account is only a frame: what lies free in it is free.
 */
const gapsOf = (read: Read, accountName: string, kind: 'ipv4' | 'ipv6', length: number): Promise<Gap[]> =>
  read.rows<Gap>(sql`
    with own as (select delegation_id, first, last from delegation
        where account_name = ${accountName} and kind = ${kind} and registry = '' and type = 'allocated' and status = 'active'
          and not exists (select from nir_delegation n where n.account_name = ${accountName} and n.kind = ${kind} and n.pool = 'registry' and n.first = delegation.first)),
      taken as (select o.delegation_id, a.first, a.last, max(a.last) over (partition by o.delegation_id order by a.first, a.last desc rows between unbounded preceding and 1 preceding) as before
        from own o join assignment a using (delegation_id)
        where a.type = 'assigned' or exists (select from nir_delegation n where n.assignment_id = a.assignment_id)),
      gap as (select case when t.before is null then o.first else t.before + 1 end as first, t.first - 1 as last
          from taken t join own o using (delegation_id) where t.first > case when t.before is null then o.first else t.before + 1 end
        union all select coalesce(max(t.last) + 1, o.first), o.last from own o left join taken t using (delegation_id)
          group by o.delegation_id, o.first, o.last having max(t.last) is null or max(t.last) < o.last),
      aligned as (select first, last, case when network(set_masklen(first, ${length})) = set_masklen(first, ${length}) then first
          else set_masklen(broadcast(set_masklen(first, ${length})), ${kind === 'ipv4' ? 32 : 128}) + 1 end as begin from gap)
    select host(first) as first, host(last) as last from aligned
    where begin >= first and set_masklen(broadcast(set_masklen(begin, ${length})), ${kind === 'ipv4' ? 32 : 128}) <= last order by first limit ${GAPS}`);

/** Returns the free blocks of a size in the own pool, the best choice first. @throws Failure INVALID_REQUEST for a length that there is not */
export async function listNirFreeSpace(
  read: Read,
  accountName: string,
  { kind, length }: QueryOf<typeof nirDelegations.listNirFreeSpace>,
): Promise<AnswerOf<typeof nirDelegations.listNirFreeSpace>> {
  if (kind === 'asn') return freeAsNumbers(read, accountName);
  const longest = kind === 'ipv4' ? 32 : 64;
  if (length < 8 || length > longest) throw refuseField('length', `Enter a length from 8 to ${longest}`);
  const gaps = (await gapsOf(read, accountName, kind, length)).map(gap => resourceOf({ kind, ...gap, firstAs: null, lastAs: null }));
  const chosen: { resource: string; why: string }[] = [];
  let free = resourceSetOf(gaps);
  const held = (
    await read.rows<Gap>(sql`select host(first) as first, host(last) as last from nir_delegation where account_name = ${accountName} and kind = ${kind}
      order by start limit 10000`)
  ).map(each => resourceOf({ kind, ...each, firstAs: null, lastAs: null }));
  const taken = [...held];
  while (chosen.length < OFFERED) {
    const block: NumberResource | null =
      kind === 'ipv4' ? bestFitPrefix(free, 'ipv4', length) : sparsePrefix(free, resourceSetOf(taken), length);
    if (!block) break;
    chosen.push({
      resource: printResource(block),
      why: kind === 'ipv4' ? 'Tightest free block' : 'Middle of the largest gap: both neighbours can grow',
    });
    free = subtractSets(free, resourceSetOf([block]));
    taken.push(block);
  }
  return chosen;
}

/** The lowest AS numbers of the account that no sub-account holds. */
async function freeAsNumbers(read: Read, accountName: string): Promise<{ resource: string; why: string }[]> {
  const rows = await read.rows<{ number: number }>(sql`select number from delegation d
    cross join lateral generate_series(d.first_as, least(d.last_as, d.first_as + 100000)) as number
    where d.account_name = ${accountName} and d.kind = 'asn' and d.registry = '' and d.status = 'active'
      and not exists (select from nir_delegation n where n.kind = 'asn' and int8range(n.first_as, n.last_as, '[]') @> number)
    order by number limit ${OFFERED}`);
  return rows.map(({ number }) => ({ resource: `AS${number}`, why: 'Lowest free number' }));
}
