import type { AnswerOf } from '@portal/contract';
import type { nirDelegations } from '@portal/contract/nir/delegations';
import { bestFitPrefix, type NumberResource, printResource, resourceSetOf, sparsePrefix, subtractSets } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { resourceOf } from '../resources/index.ts';

/** Number of suggestions in an answer, and of gaps considered for them. */
const OFFERED = 8;
const GAPS = 500;
/** Maximum number of blocks of a size checked one by one in a delegation. */
const LOOKED_AT = 65_536;

type Gap = { first: string | null; last: string | null };

/**
 * Gaps between what is registered below the allocations of the account that hold a prefix of the length, in the order of their numbers. A
 * sub-allocation without a sub-account is only a container: its gaps are free. Registrations of one level are disjoint, so the rows of a container
 * come from the index in order, and reading stops after the last wanted gap: a pool of a million rows costs as much as one of a thousand. For a full
 * one at most 65,536 blocks are checked, or the ends of its rows.
 */
export function gapsQuery(accountName: string, kind: 'ipv4' | 'ipv6', length: number): RawBuilder<Gap> {
  const fits = (first: RawBuilder<unknown>, last: RawBuilder<unknown>): RawBuilder<unknown> => {
    const begin = sql`case when network(set_masklen(${first}, ${length})) = set_masklen(${first}, ${length}) then ${first}
      else set_masklen(broadcast(set_masklen(${first}, ${length})), ${bitsOf[kind]}) + 1 end`;
    return sql`(${first} <= ${last} and ${begin} >= ${first} and set_masklen(broadcast(set_masklen(${begin}, ${length})), ${bitsOf[kind]}) <= ${last})`;
  };
  const size = 2 ** (32 - length);
  const start = sql`case when network(set_masklen(c.first, ${length})) = set_masklen(c.first, ${length}) then c.first
    else set_masklen(broadcast(set_masklen(c.first, ${length})), 32) + 1 end`;
  // If not too many blocks of the size could be free, each is checked with one row of the index. A gap is found at its first block.
  // Numbers of IPv6 are beyond such counting. `offset 0`: worked out once for a block, not wherever it is used. The row is a value and no join:
  // joined, every look is
  // kept for another that never comes, a quarter of the time.
  const isFew = sql`(c.last - c.first) / ${size}::bigint < ${LOOKED_AT}`;
  const each = sql`(select coalesce(found.last + 1, c.first) as first, coalesce(n.first - 1, c.last) as last
      from (select p.begin, p.last from (select b.begin, i, (select a.last from assignment a where a.delegation_id = c.delegation_id and a.level = c.level
            and a.first >= c.first and a.first <= b.begin + (${size}::bigint - 1) order by a.first desc limit 1) as last
          from (select ${start} as at offset 0) begun, generate_series(0, (c.last - c.first) / ${size}::bigint) as i,
            lateral (select begun.at + i * ${size}::bigint as begin offset 0) b
          where ${isFew} and b.begin + (${size}::bigint - 1) <= c.last offset 0) p
        where case when p.last is null then p.i = 0 else p.begin - p.last between 1 and ${size}::bigint end
        order by p.i limit ${GAPS}) found
        left join lateral (select a.first from assignment a where a.delegation_id = c.delegation_id and a.level = c.level and a.first <= c.last
          and a.first >= found.begin order by a.first limit 1) n on true)
    union all`;
  // Most gaps are too small, which their ends show.
  const isLarge = kind === 'ipv4' ? sql`(g.at - g.first) >= ${size}::bigint` : sql`true`;
  return sql<Gap>`
    with own as (select delegation_id, first, last from delegation
        where account_name = ${accountName} and kind = ${kind} and registry = '' and type = 'allocated' and status = 'active'
          and not exists (select from nir_delegation n where n.account_name = ${accountName} and n.kind = ${kind} and n.pool = 'registry' and n.first = delegation.first)),
      frame as (select f.delegation_id, f.first, f.last, f.level + 1 as level from own o join assignment f using (delegation_id)
        where f.type = 'allocated' and not f.portable
          and not exists (select from generate_series(0, f.level - 1) as upper(level), lateral (select a.type, a.portable from assignment a
            where a.delegation_id = f.delegation_id and a.level = upper.level and a.first <= f.first order by a.first desc limit 1) around
            where around.type = 'assigned' or around.portable)
        order by f.first limit ${GAPS}),
      container as (select delegation_id, first, last, 0 as level from own union all select * from frame)
    select host(gap.first) as first, host(gap.last) as last from container c, lateral (
      ${kind === 'ipv4' ? each : sql``}
      (select g.first, g.last from (select coalesce(lag(a.last) over (order by a.first) + 1, c.first) as first, a.first - 1 as last, a.first as at from assignment a
          where a.delegation_id = c.delegation_id and a.level = c.level and a.first >= c.first and a.first <= c.last) g
        where ${kind === 'ipv4' ? sql`not (${isFew}) and` : sql``} case when ${isLarge} then ${fits(sql`g.first`, sql`g.last`)} else false end order by g.at limit ${GAPS})
      union all
      (select t.first, c.last from (select coalesce((select a.last + 1 from assignment a where a.delegation_id = c.delegation_id and a.level = c.level
          and a.first >= c.first and a.first <= c.last order by a.first desc limit 1), c.first) as first) t where ${kind === 'ipv4' ? sql`not (${isFew}) and` : sql``} ${fits(sql`t.first`, sql`c.last`)})) gap
    order by gap.first limit ${GAPS}`;
}

const bitsOf = { ipv4: 32, ipv6: 128 } as const;

/** Returns the free blocks of a size in the own pool, best choice first. @throws Failure INVALID_REQUEST for an invalid length */
export async function listNirFreeSpace({
  read,
  account: { accountName },
  query: { kind, length },
}: Act<typeof nirDelegations.listNirFreeSpace>): Promise<AnswerOf<typeof nirDelegations.listNirFreeSpace>> {
  if (kind === 'asn') return freeAsNumbers(read, accountName);
  const longest = kind === 'ipv4' ? 32 : 64;
  if (length < 8 || length > longest) throw refuseField('length', `Enter a length from 8 to ${longest}`);
  const gaps = (await read.rows(gapsQuery(accountName, kind, length))).map(gap =>
    resourceOf({ kind, ...gap, firstAs: null, lastAs: null }),
  );
  const chosen: { resource: string; why: string }[] = [];
  let free = resourceSetOf(gaps);
  // Only the sparse strategy for IPv6 considers the neighbours of a gap.
  const held = (
    kind === 'ipv4'
      ? []
      : await read.rows<Gap>(sql`select host(first) as first, host(last) as last from nir_delegation where account_name = ${accountName} and kind = ${kind}
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
    where d.account_name = ${accountName} and d.kind = 'asn' and d.registry = '' and d.status <> 'closed'
      and not exists (select from locked_part p where p.kind = 'asn' and int8range(p.first_as, p.last_as, '[]') @> number)
      and not exists (select from nir_delegation n where n.kind = 'asn' and int8range(n.first_as, n.last_as, '[]') @> number)
    order by number limit ${OFFERED}`);
  return rows.map(({ number }) => ({ resource: `AS${number}`, why: 'Lowest free number' }));
}
