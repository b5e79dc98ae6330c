import { formatMoney } from '@portal/number-resources';
/** An amount of money in whole cents, so that sums are exact. */
export type Cents = bigint;

/** `2137.32` as cents. @throws RangeError for anything but a decimal number with at most two places */
export function cents(amount: string): Cents {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) throw new RangeError(`"${amount}" isn’t an amount, such as 120.00`);
  const absolute = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' ? -absolute : absolute;
}

/** Cents as a decimal number with two places: `2137.32`. */
export function printCents(amount: Cents): string {
  const absolute = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')}`;
}

/** Formats an amount: `AUD 12 070.08`, with gaps that do not break. */
export const inCurrency = (currency: string, amount: Cents): string => formatMoney(currency, printCents(amount));

/** A quotient rounded half-up; both are positive, or the first is zero. */
const divideHalfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** A factor such as `1.315` as a whole number and the power of ten that divides it. */
function rational(factor: string): { numerator: bigint; denominator: bigint } {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(factor);
  if (!match) throw new RangeError(`"${factor}" isn’t a factor, such as 1.315`);
  const places = match[2] ?? '';
  return { numerator: BigInt(match[1]! + places), denominator: 10n ** BigInt(places.length) };
}

/** An amount times a decimal factor, half-up to a cent. */
export function times(amount: Cents, factor: string): Cents {
  const { numerator, denominator } = rational(factor);
  return divideHalfUp(amount * numerator, denominator);
}

/**
 * An amount times a power of a decimal factor, half-up to a cent. A whole exponent is computed exactly; with a fraction the result is irrational,
 * never half a cent, and a double is nine digits more exact than a cent.
 */
export function timesPower(amount: Cents, factor: string, exponent: number): Cents {
  if (!Number.isInteger(exponent)) return BigInt(Math.floor(Number(amount) * Number(factor) ** exponent + 0.5));
  const { numerator, denominator } = rational(factor);
  return divideHalfUp(amount * numerator ** BigInt(exponent), denominator ** BigInt(exponent));
}
