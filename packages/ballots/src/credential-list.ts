import { isElement } from './group.ts';
import { parseJson, readElement, readList, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { refuseUnless } from './refusal.ts';

/** Public credentials with their weights (section 4.8). */
export type CredentialList = ReadonlyMap<bigint, number>;

const MAX_CREDENTIALS = 200_000;
/** The longest text of a list, in characters. */
export const MAX_CREDENTIAL_LIST = 160_000_000;
/** The largest weight; the sum of all is the number whose logarithm is looked for. */
const MAX_WEIGHT = 1_000_000_000;
export const MAX_TOTAL_WEIGHT = 100_000_000_000;

/**
 * The text of the list (section 4.8), in the order of the numbers, which are random: it says nothing of the order of the voters.
 * Weights are left out where all are 1.
 */
export function printCredentialList(list: CredentialList): string {
  const hasWeights = [...list.values()].some(weight => weight !== 1);
  const entries = [...list].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries.map(([credential, weight]) => (hasWeights ? `${credential},${weight}` : `${credential}`)));
}

/**
 * Reads the text of the list (section 4.8).
 * @throws {Refusal} NOT_AN_ELEMENT for a credential that is no element of the group, CREDENTIAL for one that is on it twice
 */
export function readCredentialList(text: string, { powers = bigintPowers }: { powers?: Powers } = {}): CredentialList {
  const what = 'The list of credentials';
  const value = parseJson(text, what, { length: MAX_CREDENTIAL_LIST, depth: 1, values: MAX_CREDENTIALS + 1 });
  const list = new Map<bigint, number>();
  let total = 0;
  for (const [place, entry] of readList(value, what, { max: MAX_CREDENTIALS }).entries()) {
    const [number, weight, ...more] = readText(entry, `Credential ${place + 1}`).split(',');
    refuseUnless(
      more.length === 0 && (weight === undefined || /^(?:0|[1-9][0-9]{0,9})$/.test(weight)),
      'FORM',
      `Credential ${place + 1} is not a number, or a number and a weight`,
    );
    const credential = readElement(number!, `Credential ${place + 1}`);
    refuseUnless(isElement(credential, powers), 'NOT_AN_ELEMENT', `Credential ${place + 1} is not an element of the group`);
    refuseUnless(credential !== 1n, 'CREDENTIAL', `Credential ${place + 1} is 1: everyone could sign with it`);
    refuseUnless(!list.has(credential), 'CREDENTIAL', `Credential ${place + 1} is on the list twice`);
    const times = weight === undefined ? 1 : Number(weight);
    total += times;
    refuseUnless(
      times <= MAX_WEIGHT && total <= MAX_TOTAL_WEIGHT,
      'TOO_LARGE',
      `The weights are too large from credential ${place + 1} on`,
    );
    list.set(credential, times);
  }
  return list;
}
