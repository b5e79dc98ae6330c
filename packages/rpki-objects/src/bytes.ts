/** True if both hold the same bytes. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** The bytes one after the other. */
export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The order of octet strings: by the first byte that differs, a prefix first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function printHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

/** @throws {RangeError} for anything but pairs of hexadecimal digits. */
export function parseHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new RangeError('Not hexadecimal');
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16));
}

const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Six bits for each character code; none for padding. */
const values = new Uint8Array(128);
for (let value = 0; value < standard.length; value++) values[standard.charCodeAt(value)] = value;

/** Base64 with padding (RFC 4648, section 4). */
export function printBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += standard[group >> 18]! + standard[(group >> 12) & 63]!;
    text += at + 1 < bytes.length ? standard[(group >> 6) & 63]! : '=';
    text += at + 2 < bytes.length ? standard[group & 63]! : '=';
  }
  return text;
}

/** Base64 for file names and addresses: - and _, no padding (RFC 4648, section 5). */
export function printBase64Url(bytes: Uint8Array): string {
  return printBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads base64 with padding and no other characters. @throws {RangeError} */
export function parseBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new RangeError('Not base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0, to = 0; at < text.length; at += 4) {
    const group =
      (values[text.charCodeAt(at)]! << 18) |
      (values[text.charCodeAt(at + 1)]! << 12) |
      (values[text.charCodeAt(at + 2)]! << 6) |
      values[text.charCodeAt(at + 3)]!;
    // What is written behind the end, where there is padding, is dropped.
    bytes[to++] = group >> 16;
    bytes[to++] = (group >> 8) & 255;
    bytes[to++] = group & 255;
  }
  return bytes;
}
