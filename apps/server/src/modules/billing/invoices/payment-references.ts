/** Numbers that payers quote, of invoices and of payments for several invoices. */
type Quotable = 'INV' | 'PAY';

/** ISO 7064, MOD 97-10: letters count as numbers from 10 to 35. */
const remainder = (text: string): number => Array.from(text).reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0);

const checkDigitsOf = (reference: string): string => String(98 - remainder(`${reference}RF00`)).padStart(2, '0');

/**
 * Returns the creditor reference of an invoice or a joint payment (ISO 11649): `RF`, two check digits, and the number without dashes. Its check digits find every
 * wrong digit and every two that changed places, so that a payer's slip never becomes the number of another invoice.
 * @param number such as `INV-2026-000001` or `PAY-2026-000001`
 */
export function creditorReference(number: string): string {
  const reference = number.replaceAll('-', '');
  return `RF${checkDigitsOf(reference)}${reference}`;
}

/** Numbers that a payer quotes: in a creditor reference that is right, without one, and in a creditor reference with a mistake. No number is in two of them. */
export type Quoted = { checked: Set<string>; plain: Set<string>; mistyped: Set<string> };

/** Returns the numbers of a kind in a payer's message, with any spacing: `INV2026-000001` is one, `inv 2026 1` is not. */
export function quotedIn(text: string, kind: Quotable): Quoted {
  const capitals = text.toUpperCase();
  const quoted: Quoted = { checked: new Set(), plain: new Set(), mistyped: new Set() };
  const references = capitals.replace(/[^A-Z0-9]/g, '').matchAll(new RegExp(`RF(\\d{2})(${kind}(\\d{4})(\\d{6}))`, 'g'));
  for (const [, digits, reference, year, sequence] of references)
    quoted[checkDigitsOf(reference!) === digits ? 'checked' : 'mistyped'].add(`${kind}-${year}-${sequence}`);
  for (const number of quoted.mistyped) quoted.checked.delete(number);
  for (const [, year, sequence] of capitals.matchAll(new RegExp(`${kind}[\\s\\-_./]*(\\d{4})[\\s\\-_./]*(\\d{6})(?!\\d)`, 'g'))) {
    const number = `${kind}-${year}-${sequence}`;
    if (!quoted.checked.has(number) && !quoted.mistyped.has(number)) quoted.plain.add(number);
  }
  return quoted;
}

/** Returns the numbers of a kind that a payer's message quotes without a mistake that can be seen. */
export const numbersIn = (text: string, kind: Quotable): string[] => {
  const { checked, plain } = quotedIn(text, kind);
  return [...checked, ...plain];
};
