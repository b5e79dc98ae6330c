import { containsResource, emptySet, type NumberResource, overlapsResource, type ResourceSet } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { accountsMeeting, formerHoldingsOf, holdingsOf, knownWithoutHolder } from '../../resources/index.ts';

/** An object over numbers, as far as it matters who may write it. */
export type OverNumbers = {
  /** The numbers it is over; null where it is over none. */
  numbers: NumberResource | null;
  /** Keys of its `mnt-by`. */
  maintainers: readonly string[];
  /** Written by the registry out of its ledger, and for which account. */
  kept: boolean;
  keptFor: string | null;
};

/**
 * Who may write over numbers, read from the ledger: their present holder, whom that holder delegated to, and the registry. Everything that writes over numbers asks
 * it. The rules:
 * - The holder is the account to which all of the numbers are delegated now. What it may, its principal maintainer may.
 * - An object gives authority over what lies in it only while its own numbers are all held by the same account as those. One that was written for another
 *   account, or whose maintainers are all of former holders, gives none.
 * - A maintainer of someone who held the numbers before, and holds them no more, writes nothing in them, unless an object that gives authority names it.
 * - Numbers of which several accounts hold parts, or only a part is held, or that the registry has back: only the registry makes or changes objects over them.
 * - Of numbers that the ledger never knew, the objects around them say who may write.
 */
export type NumberAuthority = {
  /** The account that holds all of the numbers; null where none does. */
  holderOf(numbers: NumberResource): string | null;
  /** The accounts that hold some of them. */
  holdersIn(numbers: NumberResource): readonly string[];
  /** False where the ledger neither has nor had them. */
  isKnown(numbers: NumberResource): boolean;
  /** Keys of the maintainers that act as an account. */
  maintainersOf(accountName: string): readonly string[];
  /** The maintainers of an object that may write it, and let others write in it. */
  writersOf(object: OverNumbers, named?: readonly string[]): readonly string[];
  /** Whether an object may say who writes over numbers in it. */
  gives(object: OverNumbers, numbers: NumberResource): boolean;
};

type Link = { accountName: string; maintainer: string; principal: boolean };

/**
 * Reads who may write over these numbers, in a few statements however many they are.
 * @param maintainers keys of those whose right to them will be asked
 */
export async function numberAuthority(
  read: Pick<Read, 'rows'>,
  { numbers, maintainers }: { numbers: readonly NumberResource[]; maintainers: readonly string[] },
): Promise<NumberAuthority> {
  const holders = await accountsMeeting(read, numbers);
  const held = await holdingsOf(read, holders);
  const unheld = numbers.filter(each => ![...held.values()].some(set => overlapsResource(set, each)));
  const known = new Set(await knownWithoutHolder(read, unheld));
  const unknown = new Set(unheld.filter(each => !known.has(each)).map(nameOf));
  const links =
    numbers.length === 0
      ? []
      : await read.rows<Link>(sql`select account_name, maintainer, principal from maintainer_link
          where account_name = any(${holders}::text[]) or maintainer = any(${[...new Set(maintainers)]}::text[])`);
  const accountsOf = Map.groupBy(links, ({ maintainer }) => maintainer);
  const former = await formerHoldingsOf(read, [...new Set(links.map(({ accountName }) => accountName))]);

  const holdersIn = (each: NumberResource): string[] => holders.filter(name => overlapsResource(held.get(name)!, each));
  const holderOf = (each: NumberResource): string | null => holders.find(name => containsResource(held.get(name)!, each)) ?? null;
  const isKnown = (each: NumberResource): boolean => !unknown.has(nameOf(each));
  const isOf = (maintainer: string, accountName: string): boolean =>
    (accountsOf.get(maintainer) ?? []).some(link => link.accountName === accountName);
  /** Someone held some of them once, and none of them now. */
  const isOfFormer = (maintainer: string, each: NumberResource): boolean =>
    (accountsOf.get(maintainer) ?? []).some(
      ({ accountName }) => overlapsResource(former.get(accountName) ?? emptySet, each) && !overlapsResource(heldBy(accountName), each),
    );
  const heldBy = (accountName: string): ResourceSet => held.get(accountName) ?? emptySet;

  const writersOf = ({ numbers: own, maintainers: mntBy }: OverNumbers, named: readonly string[] = []): readonly string[] => {
    if (own === null || !isKnown(own)) return mntBy;
    const holder = holderOf(own);
    // Who stands beside the holder's maintainer was put there, or left there, by the holder.
    if (holder !== null && mntBy.some(each => isOf(each, holder))) return mntBy;
    return mntBy.filter(each => named.includes(each) || !isOfFormer(each, own));
  };
  return {
    holderOf,
    holdersIn,
    isKnown,
    maintainersOf: accountName => links.filter(link => link.accountName === accountName && link.principal).map(link => link.maintainer),
    writersOf,
    gives(object, over) {
      if (!isKnown(over)) return true;
      const holder = holderOf(over);
      if (holder === null || object.numbers === null) return false;
      if (object.kept) return object.keptFor === holder;
      return containsResource(heldBy(holder), object.numbers) && writersOf(object).length > 0;
    },
  };
}

const nameOf = ({ family, first, last }: NumberResource): string => `${family} ${first} ${last}`;
