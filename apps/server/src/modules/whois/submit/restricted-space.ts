import { type NumberResource, overlapsResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { accountsMeeting, holdingsOf } from '../../resources/index.ts';
import { restrictedAmong } from '../../restraints/index.ts';
import { maintainersIn, numbersOf, objectOfRow } from '../store/object-facts.ts';
import { type Credentials, type Item, problem, type WhoisProblem } from '../store/update.ts';

/**
 * Finds objects of accounts under a restriction, whichever account sends them: a person of a restricted account could otherwise change them through another account, or as a maintainer
 * that the objects name. Objects over numbers are those of the holder; others are those of an account whose maintainers alone would let the sender write them. The registry's own
 * writes go on.
 */
export async function findRestricted(
  change: Change,
  items: readonly Item[],
  { maintainers, registry }: Credentials,
  { supportEmail }: Pick<Profile, 'supportEmail'>,
): Promise<{ item: Item; problem: WhoisProblem }[]> {
  if (registry) return [];
  const placed: { item: Item; numbers: NumberResource }[] = [];
  const others: { item: Item; used: string[] }[] = [];
  for (const item of items) {
    if (item.unchanged) continue;
    const own = item.stored ? objectOfRow(item.stored) : item.object;
    const numbers = numbersOf(own);
    if (numbers !== null) placed.push({ item, numbers });
    else others.push({ item, used: maintainersIn(own, 'mnt-by').filter(key => maintainers.has(key)) });
  }
  const [over, by] = [
    await restrictedHolders(
      change,
      placed.map(({ numbers }) => numbers),
    ),
    await restrictedMaintainers(change, [...new Set(others.flatMap(({ used }) => used))]),
  ];
  const found = [
    ...placed.filter(({ numbers }) => over.some(held => overlapsResource(held, numbers))),
    ...others.filter(({ used }) => used.length > 0 && used.every(key => by.has(key))),
  ];
  return found.map(({ item }) => ({
    item,
    problem: problem(
      item.object,
      'account-restrained',
      `${item.shown} can’t be ${verbs[item.operation]} at the moment, because the registry keeps the objects of its holder as they are. Write to ${supportEmail}`,
    ),
  }));
}

const verbs = { create: 'created', modify: 'changed', delete: 'deleted' } as const;

/** Returns the holdings of restricted accounts that meet some numbers. */
async function restrictedHolders(change: Change, numbers: readonly NumberResource[]) {
  if (numbers.length === 0) return [];
  const restricted = await restrictedAmong(change, await accountsMeeting(change, numbers));
  return restricted.length === 0 ? [] : [...(await holdingsOf(change, restricted)).values()];
}

/** Returns those of some maintainers that a restricted account writes with. */
async function restrictedMaintainers(change: Change, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const links = await change.rows<{ accountName: string; maintainer: string }>(
    sql`select account_name, maintainer from maintainer_link where maintainer = any(${[...keys]}::text[])`,
  );
  const restricted = new Set(await restrictedAmong(change, [...new Set(links.map(({ accountName }) => accountName))]));
  return new Set(links.filter(({ accountName }) => restricted.has(accountName)).map(({ maintainer }) => maintainer));
}
