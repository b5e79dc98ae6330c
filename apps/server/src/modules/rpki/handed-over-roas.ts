import {
  listPrefixes,
  type NumberResource,
  parsePrefix,
  type Prefix,
  printPrefix,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { addAuthority, findAuthority } from './authorities/authorities.ts';
import { type KeptRoa, keptRoas, printRoa } from './roa-changes.ts';

/**
 * Hands the ROAs of moved space over with it. Those of its holder that cover more than what moves become ROAs of the parts that stay; the recipient gets the same
 * origins for what moved, when `keep`. All rows change with the ledger, in one change, so the publisher issues them together and no announcement is without its ROA.
 * @param to null where the space leaves the registry or goes back to it
 * @param otherwise ROAs, as `printRoa` names them, that are treated the other way than `keep` says
 * @returns how many ROAs the recipient has now of the space
 */
export async function handOverRoas(
  change: Change,
  {
    from,
    to,
    moved,
    keep,
    otherwise = [],
  }: { from: string; to: string | null; moved: readonly NumberResource[]; keep: boolean; otherwise?: readonly string[] },
): Promise<number> {
  await handOverAspas(change, { from, to: keep ? to : null, moved });
  const movedSet = resourceSetOf(moved);
  const affected = (await keptRoas(change, from)).filter(({ prefix }) => overlaps(moved, parsePrefix(prefix)));
  if (affected.length === 0) return 0;
  const staying: Wanted[] = [];
  const going: Wanted[] = [];
  for (const roa of affected) {
    const prefix = parsePrefix(roa.prefix);
    const own = resourceSetOf([prefix]);
    const rest = subtractSets(own, movedSet);
    for (const part of listPrefixes(rest, prefix.family)) add(staying, roa, part);
    if (otherwise.includes(printRoa(roa)) === keep) continue;
    for (const part of listPrefixes(subtractSets(own, rest), prefix.family)) add(going, roa, part);
  }
  await change.rows(sql`delete from roa where roa_id = any(${affected.map(({ roaId }) => roaId)}::bigint[])`);
  await insert(change, from, staying);
  await change.rows(sql`update rpki_ca set version = version + 1 where account_name = ${from} and state = 'active'`);
  if (to === null || going.length === 0) return 0;
  if (!(await findAuthority(change, to))) await addAuthority(change, to);
  await insert(change, to, going);
  await change.rows(sql`update rpki_ca set version = version + 1 where account_name = ${to} and state = 'active'`);
  return going.length;
}

/** Providers of moved AS numbers go with them, where the recipient uses RPKI and has not stated its own. */
async function handOverAspas(
  change: Change,
  { from, to, moved }: { from: string; to: string | null; moved: readonly NumberResource[] },
): Promise<void> {
  const ranges = moved.filter(({ family }) => family === 'asn');
  const given = sql`unnest(${ranges.map(({ first }) => String(first))}::bigint[], ${ranges.map(({ last }) => String(last))}::bigint[]) as m (first, last)`;
  if (ranges.length === 0) return;
  if (to !== null && (await findAuthority(change, to)))
    await change.rows(sql`insert into aspa (account_name, customer, providers, comment, created_at, changed_at)
      select ${to}, a.customer, a.providers, a.comment, ${change.now}::timestamptz, ${change.now}::timestamptz from aspa a join ${given} on a.customer between m.first and m.last
      where a.account_name = ${from} on conflict do nothing`);
  await change.rows(sql`delete from aspa a using ${given} where a.account_name = ${from} and a.customer between m.first and m.last`);
}

type Wanted = { prefix: string; maxLength: number; asn: number; comment: string };

/** A part that is longer than the ROA allows can't be announced under it, so it gets none. */
function add(wanted: Wanted[], roa: KeptRoa, part: Prefix): void {
  if (part.length > roa.maxLength) return;
  wanted.push({ prefix: printPrefix(part), maxLength: roa.maxLength, asn: roa.asn, comment: roa.comment });
}

const overlaps = (moved: readonly NumberResource[], range: NumberResource): boolean =>
  moved.some(resource => resource.family === range.family && resource.first <= range.last && resource.last >= range.first);

const insert = (change: Change, accountName: string, roas: readonly Wanted[]): Promise<unknown> =>
  change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
    select ${accountName}, prefix, max_length, asn, comment, ${change.now}::timestamptz
    from unnest(${roas.map(({ prefix }) => prefix)}::cidr[], ${roas.map(({ maxLength }) => maxLength)}::int[],
      ${roas.map(({ asn }) => asn)}::bigint[], ${roas.map(({ comment }) => comment)}::text[]) as given (prefix, max_length, asn, comment)
    on conflict do nothing`);

/** Ends a ROA that an account was handed over for a time, as `printRoa` names it. Answers whether it was still there. */
export async function endRoa(change: Change, accountName: string, name: string): Promise<boolean> {
  const found = (await keptRoas(change, accountName)).find(roa => printRoa(roa) === name);
  if (!found) return false;
  await change.rows(sql`delete from roa where roa_id = ${found.roaId}::bigint`);
  await change.rows(sql`update rpki_ca set version = version + 1 where account_name = ${accountName} and state = 'active'`);
  return true;
}
