const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function printHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

/** Base64 without padding, as in trackers and fingerprints (section 4.15). */
export function printBase64(bytes: Uint8Array): string {
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('=', '');
}

/** A big-endian number. */
export const numberOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${printHex(bytes)}`));

/** UTF-8. */
export const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
