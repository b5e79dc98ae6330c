import { modulus } from './modulus.ts';

/**
 * The powers of one number modulo the prime of the group, in the order of the exponents; the numbers are public. A server hands in a faster
 * one than `bigintPowers` (`@portal/ballots/openssl`). Exponents are from 0 to 2^256 - 1; the base is from 1 to the prime less 1.
 */
export type Powers = (base: bigint, exponents: readonly bigint[]) => readonly bigint[];

/**
 * Powers by `BigInt`, in browsers and everywhere. The squares are calculated once for all exponents, then each takes a product for each of its
 * hexadecimal digits (Yao's method): three exponents cost about half of three separate powers.
 */
export const bigintPowers: Powers = (base, exponents) => {
  const digits = exponents.map(exponent => exponent.toString(16));
  const most = Math.max(0, ...digits.map(({ length }) => length));
  // The base to 16^place.
  const steps: bigint[] = [base];
  for (let place = 1; place < most; place++) {
    let step = steps[place - 1]!;
    for (let square = 0; square < 4; square++) step = (step * step) % modulus;
    steps.push(step);
  }
  return digits.map(text => powerOfDigits(text, steps));
};

/** The product of steps to the power of their digits, of which the last is that of the first step. */
function powerOfDigits(text: string, steps: readonly bigint[]): bigint {
  const byDigit: bigint[] = Array.from({ length: 16 }, () => 1n);
  for (let place = 0; place < text.length; place++) {
    const digit = Number.parseInt(text[text.length - 1 - place]!, 16);
    if (digit !== 0) byDigit[digit] = (byDigit[digit]! * steps[place]!) % modulus;
  }
  // The product of byDigit[d] to the power of d: each is in the running product d times.
  let running = 1n;
  let power = 1n;
  for (let digit = 15; digit > 0; digit--) {
    running = (running * byDigit[digit]!) % modulus;
    power = (power * running) % modulus;
  }
  return power;
}

/** An element that is raised often: the generator, the public key of an election. */
export type FixedBase = {
  readonly base: bigint;
  /** The element to the power of an exponent from 0 to 2^256 - 1. */
  power(exponent: bigint): bigint;
};

/** Bits of an exponent for which a table has one row. Wider rows would make powers cheaper, and the table dearer than one ballot is worth. */
const WIDTH = 6;
const ROWS = Math.ceil(256 / WIDTH);
const mask = (1n << BigInt(WIDTH)) - 1n;

/** Returns an element with a table of its powers, about 0.7 MB, which is made with the first one. A power then takes 42 products and no square. */
export function fixedBase(base: bigint): FixedBase {
  let table: readonly (readonly bigint[])[] | null = null;
  return {
    base,
    power(exponent) {
      table ??= tableOf(base);
      let power = 1n;
      let rest = exponent;
      for (let row = 0; rest > 0n; row++) {
        const digit = Number(rest & mask);
        if (digit !== 0) power = (power * table[row]![digit]!) % modulus;
        rest >>= BigInt(WIDTH);
      }
      return power;
    },
  };
}

/** In each row the powers 0 to 63 of the base to 64^row. */
function tableOf(base: bigint): bigint[][] {
  const table: bigint[][] = [];
  let step = base % modulus;
  for (let row = 0; row < ROWS; row++) {
    const powers = [1n];
    for (let digit = 1; digit <= 2 ** WIDTH; digit++) powers.push((powers[digit - 1]! * step) % modulus);
    step = powers.pop()!;
    table.push(powers);
  }
  return table;
}
