/** Digits of base 58: none that is easily taken for another (section 4.2). */
export const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The number that base 58 digits write, or null when another character is among them. */
export function parseBase58(text: string): bigint | null {
  let number = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return null;
    number = number * 58n + BigInt(digit);
  }
  return number;
}
