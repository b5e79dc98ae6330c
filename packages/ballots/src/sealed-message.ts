import { decodeText, encodeText, equalBytes, joinBytes, parseHex, printHex } from './bytes.ts';
import { generator, invert, isElement, multiply } from './group.ts';
import { sha256 } from './hash.ts';
import { parseJson, readElement, readFields, readText } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { type RandomBytes, randomExponent } from './random.ts';
import { Refusal, refuseUnless } from './refusal.ts';

/** Bytes of the code that authenticates a message. */
const TAG = 8;
/** A key as WebCrypto holds it: its type has no name that browsers and Node.js share. */
type HeldKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/** The longest sealed text, in characters. */
export const MAX_SEALED = 2_000_000;

/** Encrypts a text for one recipient (section 4.6.1). @returns the text that is handed on */
export async function sealMessage(encryptionKey: bigint, text: string, random?: RandomBytes): Promise<string> {
  const [randomness, secret] = [randomExponent(random), generator.power(randomExponent(random))];
  const alpha = generator.power(randomness);
  const beta = multiply(bigintPowers(encryptionKey, [randomness])[0]!, secret);
  const cipher = await Ccm.of(secret, alpha);
  return JSON.stringify({ alpha: `${alpha}`, beta: `${beta}`, data: printHex(await cipher.encrypt(encodeText(text))) });
}

/** Decrypts a text (section 4.6.1). @throws {Refusal} when it was made for another key, or has been changed */
export async function openMessage(decryptionKey: bigint, sealed: string, powers: Powers): Promise<string> {
  const what = 'The sealed message';
  const fields = readFields(parseJson(sealed, what, { length: MAX_SEALED, depth: 1, values: 10 }), what, ['alpha', 'beta', 'data']);
  const [alpha, beta] = [readElement(fields.alpha, 'alpha of the sealed message'), readElement(fields.beta, 'beta of the sealed message')];
  refuseUnless(isElement(alpha, powers) && isElement(beta, powers), 'NOT_AN_ELEMENT', `${what} has a number that is not of the group`);
  const data = parseHex(readText(fields.data, 'The data of the sealed message'));
  refuseUnless(data !== null && data.length >= TAG, 'FORM', 'The data of the sealed message is not hexadecimal, or too short');
  // The exponent is secret: it stays with BigInt on the machine of the trustee.
  const cipher = await Ccm.of(multiply(beta, invert(bigintPowers(alpha, [decryptionKey])[0]!)), alpha);
  const bytes = await cipher.decrypt(data);
  const text = bytes && decodeText(bytes);
  if (text === null) throw new Refusal('TRUSTEES', `${what} was made for another key, or has been changed`);
  return text;
}

/**
 * AES in CCM mode with a code of 8 bytes and no other data (RFC 3610), made of the modes that WebCrypto has: its code is the last block of a chain (CBC), its
 * text is encrypted with a counter (CTR).
 */
class Ccm {
  readonly #chain: HeldKey;
  readonly #counter: HeldKey;
  readonly #nonce: Uint8Array;

  private constructor(chain: HeldKey, counter: HeldKey, nonce: Uint8Array) {
    this.#chain = chain;
    this.#counter = counter;
    this.#nonce = nonce;
  }

  static async of(secret: bigint, alpha: bigint): Promise<Ccm> {
    const key = new Uint8Array(await sha256(`key|${secret}`));
    const nonce = await sha256(`iv|${alpha}`);
    const imported = (name: string) => crypto.subtle.importKey('raw', key, name, false, ['encrypt']);
    return new Ccm(await imported('AES-CBC'), await imported('AES-CTR'), nonce);
  }

  async encrypt(text: Uint8Array): Promise<Uint8Array> {
    const { masked, tag } = await this.#mask(text, await this.#tagOf(text), text.length);
    return joinBytes(masked, tag);
  }

  /** The text, or null when it does not have this code. */
  async decrypt(data: Uint8Array): Promise<Uint8Array | null> {
    const length = data.length - TAG;
    const { masked, tag } = await this.#mask(data.subarray(0, length), data.subarray(length), length);
    return equalBytes(tag, await this.#tagOf(masked)) ? masked : null;
  }

  /** Bytes in which the length of a text is counted, which the nonce leaves free. */
  static #widthOf(length: number): number {
    return length < 2 ** 16 ? 2 : length < 2 ** 24 ? 3 : 4;
  }

  async #tagOf(text: Uint8Array): Promise<Uint8Array> {
    const width = Ccm.#widthOf(text.length);
    const blocks = new Uint8Array(16 + Math.ceil(text.length / 16) * 16);
    blocks[0] = (((TAG - 2) / 2) << 3) | (width - 1);
    blocks.set(this.#nonce.subarray(0, 15 - width), 1);
    new DataView(blocks.buffer).setUint32(12, new DataView(blocks.buffer).getUint32(12) + text.length);
    blocks.set(text, 16);
    const chained = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, this.#chain, blocks);
    // WebCrypto appends a block of padding, which comes after the one of the code.
    return new Uint8Array(chained).subarray(blocks.length - 16, blocks.length - 16 + TAG);
  }

  /** Text and code combined with the stream of the counter, whose first block is for the code. */
  async #mask(text: Uint8Array, tag: Uint8Array, length: number): Promise<{ masked: Uint8Array; tag: Uint8Array }> {
    const width = Ccm.#widthOf(length);
    const counter = new Uint8Array(16);
    counter[0] = width - 1;
    counter.set(this.#nonce.subarray(0, 15 - width), 1);
    const first = new Uint8Array(16);
    first.set(tag);
    const algorithm = { name: 'AES-CTR', counter, length: 8 * width };
    const stream = new Uint8Array(await crypto.subtle.encrypt(algorithm, this.#counter, joinBytes(first, text)));
    return { masked: stream.subarray(16), tag: stream.subarray(0, TAG) };
  }
}
