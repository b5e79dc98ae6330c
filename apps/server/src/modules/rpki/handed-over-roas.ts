import {
  listPrefixes,
  type NumberResource,
  overlapsResource,
  parsePrefix,
  printPrefix,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { type KeptAspa, keptAspas } from './aspas.ts';
import { addAuthority, findAuthority } from './authorities/authorities.ts';
import { type KeptRoa, keptRoas, printRoa } from './roa-changes.ts';

/** A ROA to be signed. */
export type WantedRoa = { prefix: string; maxLength: number; asn: number; comment: string };

/**
 * A ROA of a holder whose numbers move. `inside`: all of its prefix moves. `across`: a part of it. `origin`: the prefix stays, and its AS number moves.
 */
export type TouchedRoa = {
  roa: KeptRoa;
  name: string;
  why: 'inside' | 'across' | 'origin';
  /** ROAs that replace it for the kept parts; for a part longer than it allowed, a ROA of exactly that part, so that announcements stay valid. */
  keeps: readonly WantedRoa[];
  /** ROAs for the recipient: never wider than the original. */
  gives: readonly WantedRoa[];
};

/** A provider authorisation of a holder whose numbers move: its AS number or one of its providers moves. */
export type TouchedAspa = {
  aspa: KeptAspa;
  why: 'customer' | 'provider';
  /** The remaining providers if one of them moves. */
  keeps: readonly number[];
};

/** Lists the ROAs of a holder that a move touches. */
export async function touchedRoas(read: Pick<Read, 'rows'>, from: string, moved: readonly NumberResource[]): Promise<TouchedRoa[]> {
  const movedSet = resourceSetOf(moved);
  const moves = (asn: number): boolean => overlapsResource(movedSet, { family: 'asn', first: asn, last: asn });
  const roas = await keptRoas(read, from);
  const touched = roas.flatMap((roa): TouchedRoa[] => {
    const prefix = parsePrefix(roa.prefix);
    const named = { roa, name: printRoa(roa) };
    if (!overlapsResource(movedSet, prefix)) return moves(roa.asn) ? [{ ...named, why: 'origin', keeps: [], gives: [] }] : [];
    const own = resourceSetOf([prefix]);
    const rest = subtractSets(own, movedSet);
    const kept = moves(roa.asn) ? [] : listPrefixes(rest, prefix.family);
    const going = listPrefixes(subtractSets(own, rest), prefix.family);
    const wanted = (part: (typeof going)[number]): WantedRoa => ({
      prefix: printPrefix(part),
      maxLength: Math.max(roa.maxLength, part.length),
      asn: roa.asn,
      comment: roa.comment,
    });
    return [
      {
        ...named,
        why: listPrefixes(rest, prefix.family).length === 0 ? 'inside' : 'across',
        keeps: kept.map(wanted),
        gives: going.filter(({ length }) => length <= roa.maxLength).map(wanted),
      },
    ];
  });
  const staying = roas.filter(({ roaId }) => !touched.some(each => each.roa.roaId === roaId));
  const kept = longestOf([...staying, ...touched.flatMap(({ keeps }) => keeps)]);
  const given = longestOf(touched.flatMap(({ gives }) => gives));
  return touched.map(each => ({ ...each, keeps: each.keeps.map(kept), gives: each.gives.map(given) }));
}

/** Several ROAs of one AS number may end up with the same prefix: the greatest maximum length is kept, so that announcements stay valid. */
function longestOf(roas: readonly Omit<WantedRoa, 'comment'>[]): (wanted: WantedRoa) => WantedRoa {
  const longest = new Map<string, number>();
  for (const roa of roas) longest.set(placeOf(roa), Math.max(roa.maxLength, longest.get(placeOf(roa)) ?? 0));
  return wanted => ({ ...wanted, maxLength: longest.get(placeOf(wanted))! });
}
const placeOf = ({ prefix, asn }: Pick<WantedRoa, 'prefix' | 'asn'>): string => `${asn} ${prefix}`;

/** Lists the provider authorisations of a holder that a move touches. */
export async function touchedAspas(read: Pick<Read, 'rows'>, from: string, moved: readonly NumberResource[]): Promise<TouchedAspa[]> {
  const movedSet = resourceSetOf(moved);
  const moves = (asn: number): boolean => overlapsResource(movedSet, { family: 'asn', first: asn, last: asn });
  return (await keptAspas(read, from)).flatMap((aspa): TouchedAspa[] => {
    if (moves(aspa.customer)) return [{ aspa, why: 'customer', keeps: [] }];
    const keeps = aspa.providers.filter(asn => !moves(asn));
    return keeps.length === aspa.providers.length ? [] : [{ aspa, why: 'provider', keeps }];
  });
}

/**
 * Applies a move to ROAs and provider authorisations. All rows change with the ledger, in one change, so the publisher issues them together. A
 * recipient without an authority gets one first. @returns the number of ROAs the recipient now has for the numbers
 */
export async function carryOutSignatures(
  change: Change,
  {
    from,
    to,
    roas,
    aspas,
  }: {
    from: string;
    to: string | null;
    roas: readonly { touched: TouchedRoa; goes: boolean }[];
    aspas: readonly { touched: TouchedAspa; goes: boolean }[];
  },
): Promise<number> {
  if (roas.length + aspas.length === 0) return 0;
  const going = roas.filter(({ goes }) => goes).flatMap(({ touched }) => touched.gives);
  const moving = aspas.filter(({ goes, touched }) => goes && touched.why === 'customer').map(({ touched }) => touched.aspa);
  await change.rows(sql`delete from roa where roa_id = any(${roas.map(({ touched }) => touched.roa.roaId)}::bigint[])`);
  await insert(
    change,
    from,
    roas.flatMap(({ touched }) => touched.keeps),
  );
  for (const { touched } of aspas) await leaveAspa(change, from, touched);
  await noteChange(change, from);
  if (to === null || going.length + moving.length === 0) return 0;
  if (!(await findAuthority(change, to))) await addAuthority(change, to);
  await insert(change, to, going);
  for (const { customer, providers, comment } of moving)
    await change.rows(sql`insert into aspa (account_name, customer, providers, comment, created_at, changed_at)
      values (${to}, ${customer}, ${providers}::bigint[], ${comment}, ${change.now}::timestamptz, ${change.now}::timestamptz) on conflict do nothing`);
  await noteChange(change, to);
  return going.length;
}

/** Removes a provider authorisation, or one of its providers, from the former holder. */
const leaveAspa = (change: Change, from: string, { aspa: { customer }, keeps }: TouchedAspa): Promise<unknown> =>
  change.rows(
    keeps.length === 0
      ? sql`delete from aspa where account_name = ${from} and customer = ${customer}`
      : sql`update aspa set providers = ${[...keeps]}::bigint[], version = version + 1, changed_at = ${change.now}::timestamptz
          where account_name = ${from} and customer = ${customer}`,
  );

const noteChange = (change: Change, accountName: string): Promise<unknown> =>
  change.rows(sql`update rpki_ca set version = version + 1 where account_name = ${accountName} and state = 'active'`);

/** Adds ROAs. An existing one for the same prefix and AS number gets the greater maximum length. */
const insert = (change: Change, accountName: string, roas: readonly WantedRoa[]): Promise<unknown> =>
  change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
    select distinct on (prefix, asn) ${accountName}, prefix, max_length, asn, comment, ${change.now}::timestamptz
    from unnest(${roas.map(({ prefix }) => prefix)}::cidr[], ${roas.map(({ maxLength }) => maxLength)}::int[],
      ${roas.map(({ asn }) => asn)}::bigint[], ${roas.map(({ comment }) => comment)}::text[]) as given (prefix, max_length, asn, comment)
    order by prefix, asn, max_length desc
    on conflict (account_name, prefix, asn) do update set max_length = greatest(roa.max_length, excluded.max_length)`);

/** Deletes a temporarily transferred ROA, named as by `printRoa`, but not an identical one made since. Returns whether it still existed. */
export async function endRoa(change: Change, accountName: string, name: string, roaId?: number): Promise<boolean> {
  const found = (await keptRoas(change, accountName)).find(
    roa => printRoa(roa) === name && (roaId === undefined || Number(roa.roaId) === roaId),
  );
  if (!found) return false;
  await change.rows(sql`delete from roa where roa_id = ${found.roaId}::bigint`);
  await change.rows(sql`update rpki_ca set version = version + 1 where account_name = ${accountName} and state = 'active'`);
  return true;
}
