/** Rests of a weighted sum of digits. */
const sumOf = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);

/** The check digit of GS1 (mod 10, weights 3 and 1 from the right). */
function isGs1(digits: string): boolean {
  const sum = Array.from(digits.slice(0, -1))
    .toReversed()
    .reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}

/** The check digit of Luhn (ISO/IEC 7812). */
function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((all, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return all + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** A last digit that makes the weighted sum of the others a multiple of 11; a rest of one has none. */
const isMod11 = (digits: string, weights: readonly number[]): boolean =>
  (11 - (sumOf(digits, weights) % 11)) % 11 === Number(digits.at(-1));

type Form = { words: string; pattern: RegExp; isRight?: (number: string) => boolean };

/**
 * How numbers of a scheme of electronic addresses (EAS, the list of the European Commission) look. A scheme that isn’t here has no form that could be checked, and a document might go
 * to a stranger. The check digits are those of the fatal rules of Peppol BIS Billing 3 (PEPPOL-COMMON-R040 to R050), and of the registers themselves.
 */
const forms: Readonly<Record<string, Form>> = {
  '0007': { words: 'a Swedish organisation number of 10 digits', pattern: /^\d{10}$/, isRight: isLuhn },
  '0060': { words: 'a DUNS number of 9 digits', pattern: /^\d{9}$/ },
  '0088': { words: 'a GLN of 13 digits', pattern: /^\d{13}$/, isRight: isGs1 },
  '0106': { words: 'a number of the Dutch chamber of commerce of 8 digits', pattern: /^\d{8}$/ },
  '0151': {
    words: 'an ABN of 11 digits',
    pattern: /^[1-9]\d{10}$/,
    isRight: number => (sumOf(number, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0,
  },
  '0184': {
    words: 'a Danish CVR number of 8 digits',
    pattern: /^\d{8}$/,
    isRight: number => sumOf(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  '0188': { words: 'a Japanese corporate number of 13 digits', pattern: /^[1-9]\d{12}$/ },
  '0192': {
    words: 'a Norwegian organisation number of 9 digits',
    pattern: /^\d{9}$/,
    isRight: number => isMod11(number, [3, 2, 7, 6, 5, 4, 3, 2]),
  },
  '0195': {
    words: 'a Singapore UEN such as 200904322N',
    pattern: /^(\d{8}[A-Z]|(18|19|20)\d{7}[A-Z]|[RST]\d{2}[A-Z]{2}\d{4}[A-Z])$/,
  },
  '0196': { words: 'an Icelandic kennitala of 10 digits', pattern: /^\d{10}$/ },
  '0208': {
    words: 'a Belgian enterprise number of 10 digits',
    pattern: /^[01]\d{9}$/,
    isRight: number => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8)),
  },
  '0216': { words: 'a Finnish OVT code', pattern: /^0037\d{8}[0-9A-Z]{0,5}$/ },
};

/** Schemes whose numbers can be checked. */
export const checkedSchemes: readonly string[] = Object.keys(forms);

/** Returns how a number of a scheme looks, such as `an ABN of 11 digits`. */
export const formInWords = (scheme: string): string => forms[scheme]!.words;

/** Returns the electronic address of a number in a scheme, `0151:51824753556`; null where the number, without its spaces, isn’t exactly one of the scheme. */
export function electronicAddress(scheme: string, typed: string): string | null {
  const form = forms[scheme];
  const number = typed.replaceAll(/\s/g, '');
  return form?.pattern.test(number) && (form.isRight?.(number) ?? true) ? `${scheme}:${number}` : null;
}
