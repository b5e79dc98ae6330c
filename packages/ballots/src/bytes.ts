const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function printHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

/** The bytes of pairs of lower-case hexadecimal digits, or null for any other text. */
export function parseHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

/** Base64 without padding, as in trackers and fingerprints (section 4.15). */
export function printBase64(bytes: Uint8Array): string {
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('=', '');
}

/** A big-endian number. */
export const numberOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${printHex(bytes)}`));

/** The bytes one after the other. */
export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** True if both hold the same bytes. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** UTF-8. */
export const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The text of UTF-8 bytes, or null when they are not UTF-8. A byte order mark is kept. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
