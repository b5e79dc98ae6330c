import { containsResource, emptySet, type NumberResource, overlapsResource, type ResourceSet } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { accountsMeeting, formerHoldingsOf, holdingsOf, knownWithoutHolder } from '../../resources/index.ts';

/** The facts about an object over numbers that decide who may write it. */
export type OverNumbers = {
  /** Its numbers; null if it has none. */
  numbers: NumberResource | null;
  /** Keys of its `mnt-by`. */
  maintainers: readonly string[];
  /** Whether the registry writes it from its ledger, and for which account. */
  kept: boolean;
  keptFor: string | null;
};

/**
 * Who may write over numbers, according to the ledger: their present holder, those the holder delegated to, and the registry. Everything that writes
 * over numbers asks it. The rules:
 * - The holder is the account to which all of the numbers are delegated now. Its principal maintainer has its rights.
 * - An object gives authority over what lies in it only while the same account holds all of its numbers too. One that was written for another
 *   account, or has only maintainers of former holders, gives none.
 * - A maintainer of a former holder may write nothing in the numbers, unless an object that gives authority names it.
 * - If several accounts hold parts of the numbers, only a part is held, or the registry has them back, only the registry makes or changes objects over them.
 * - For numbers that the ledger never knew, the objects around them decide.
 */
export type NumberAuthority = {
  /** The account that holds all of the numbers, or null. */
  holderOf(numbers: NumberResource): string | null;
  /** The accounts that hold some of the numbers. */
  holdersIn(numbers: NumberResource): readonly string[];
  /** False if the ledger never had them. */
  isKnown(numbers: NumberResource): boolean;
  /** Keys of the maintainers that act as an account. */
  maintainersOf(accountName: string): readonly string[];
  /** The maintainers of an object that may write it, and let others write in it. */
  writersOf(object: OverNumbers, named?: readonly string[]): readonly string[];
  /** Whether an object may decide who writes over numbers in it. */
  gives(object: OverNumbers, numbers: NumberResource): boolean;
};

type Link = { accountName: string; maintainer: string; principal: boolean };

/**
 * Reads who may write over these numbers, with a constant number of statements. @param maintainers keys of the maintainers to check
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
  /** Some of them were held once; none is now. */
  const isOfFormer = (maintainer: string, each: NumberResource): boolean =>
    (accountsOf.get(maintainer) ?? []).some(
      ({ accountName }) => overlapsResource(former.get(accountName) ?? emptySet, each) && !overlapsResource(heldBy(accountName), each),
    );
  const heldBy = (accountName: string): ResourceSet => held.get(accountName) ?? emptySet;

  const writersOf = ({ numbers: own, maintainers: mntBy }: OverNumbers, named: readonly string[] = []): readonly string[] => {
    if (own === null || !isKnown(own)) return mntBy;
    const holder = holderOf(own);
    // Other maintainers beside the holder's were added, or left there, by the holder.
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
