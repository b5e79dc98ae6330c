import { bigintPowers, fixedBase, type Powers } from './powers.ts';
import { modulus } from './modulus.ts';

/** The group of homomorphic elections, by its name in the parameters of an election (section 5.1). */
export const GROUP = 'BELENIOS-2048';

/** Order of the group: a prime of 256 bits (section 5.1). */
export const order = BigInt(['78571733251071885', '079927659812671450121821421258408794611510081919805623223441'].join(''));

/** Generator of the group, with a table of its powers (section 5.1). */
export const generator = fixedBase(
  BigInt(
    [
      '2402352677501852',
      '209227687703532399932712287657378364916510075318787663274146',
      '353219320285676155269678799694668298749389095083896573425601',
      '900601068477164491735474137283104610458681314511781646755400',
      '527402889846139864532661215055797097162016168270312886432456',
      '663834863635782106154918419982534315189740658186868651151358',
      '576410138882215396016043228843603930989333662772848406593138',
      '406010231675095763777982665103606822406635076697764025346253',
      '773085133173495194248967754052573659049492477631475991575198',
      '775177711481490920456600205478127054728238140972518639858334',
      '115700568353695553423781475582491896050296680037745308460627',
    ].join(''),
  ),
);

/** A number modulo the order of the group, from 0 up. */
export function modOrder(exponent: bigint): bigint {
  const rest = exponent % order;
  return rest < 0n ? rest + order : rest;
}

/** The product of elements. */
export const multiply = (a: bigint, b: bigint): bigint => (a * b) % modulus;

/** The inverse of an element: its power by the order less one. */
export const invert = (element: bigint, powers: Powers = bigintPowers): bigint => powers(element, [order - 1n])[0]!;

/** True for members of the group: below the modulus and of this order, which 0, p - 1 and all that is outside of the subgroup are not. */
export const isElement = (number: bigint, powers: Powers = bigintPowers): boolean =>
  number > 0n && number < modulus && powers(number, [order])[0] === 1n;
