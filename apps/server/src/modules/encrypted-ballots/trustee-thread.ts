import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { refuse } from '../../platform/failure.ts';
import {
  assembleThresholdKey,
  keyInputJson,
  keyShareJson,
  opensslPowers as powers,
  polynomialJson,
  printTrustees,
  readKeyShare,
  readPolynomial,
  readSignedMessage,
  readTrusteeKey,
  Refusal,
  routePolynomials,
  signedMessageJson,
  trusteeKeyJson,
  type Trustees,
  verifyCertificates,
  verifyPolynomial,
  verifyShare,
  verifyTrustees,
} from './protocol.ts';
import { messageJson, messageRefused, orRefused } from './refused.ts';

/** Messages of a trustee for the key of an election. */
type SentForKey = { ownKey: string | null; certificate: string | null; polynomial: string | null; share: string | null };

/** A message of the trustee at a place, and what all have sent before it. */
export type KeyMessage = { step: TrusteeStep; message: string; place: number; threshold: number | null; trustees: readonly SentForKey[] };

/** The message in its one form; what the third step is for each trustee, once all have sent theirs; the key, once it is complete. */
export type JudgedMessage = { message: string; inputs: string[] | null; keys: string | null };

const certificatesIn = (texts: readonly (string | null)[]) =>
  texts.flatMap(text => (text === null ? [] : [readSignedMessage(messageJson(text, 'A certificate'), 'a certificate')]));
const polynomialsIn = (texts: readonly (string | null)[]) =>
  texts.flatMap(text => (text === null ? [] : [readPolynomial(messageJson(text, 'A polynomial'), 'a polynomial')]));

/** Judges a message of a trustee. @throws Failure TRUSTEE_MESSAGE_REFUSED */
export const read = (given: KeyMessage): Promise<JudgedMessage> => orRefused(() => judge[given.step](given), messageRefused);

/** Messages of all trustees, with that of this one in its place. */
const withMessage = ({ trustees, place }: KeyMessage, part: keyof SentForKey, message: string): (string | null)[] =>
  trustees.map((each, index) => (index === place - 1 ? message : each[part]));

const judge: Record<TrusteeStep, (given: KeyMessage) => Promise<JudgedMessage>> = {
  async key(given) {
    const key = readTrusteeKey(messageJson(given.message, 'The key'), 'the key');
    await verifyTrustees([{ kind: 'Single', key }], { powers });
    const message = JSON.stringify(trusteeKeyJson(key));
    const texts = withMessage(given, 'ownKey', message);
    const keys = texts.flatMap(text => (text === null ? [] : [readTrusteeKey(messageJson(text, 'A key'), 'a key')]));
    if (new Set(keys.map(({ publicKey }) => publicKey)).size !== keys.length)
      throw new Refusal('TRUSTEES', 'Another trustee has the same key');
    const parts: Trustees = keys.map(each => ({ kind: 'Single', key: each }));
    return { message, inputs: null, keys: texts.includes(null) ? null : printTrustees(parts) };
  },

  async certificate(given) {
    const message = JSON.stringify(signedMessageJson(readSignedMessage(messageJson(given.message, 'The certificate'), 'the certificate')));
    await verifyCertificates(certificatesIn(withMessage(given, 'certificate', message)), { powers });
    return { message, inputs: null, keys: null };
  },

  async polynomial(given) {
    const { place, threshold, trustees } = given;
    const polynomial = readPolynomial(messageJson(given.message, 'The polynomial'), 'the polynomial');
    const keys = await verifyCertificates(certificatesIn(trustees.map(({ certificate }) => certificate)), { powers });
    await verifyPolynomial(keys, polynomial, { place: place - 1, threshold: threshold!, powers });
    const message = JSON.stringify(polynomialJson(polynomial));
    const texts = withMessage(given, 'polynomial', message);
    if (texts.includes(null)) return { message, inputs: null, keys: null };
    const inputs = await routePolynomials(keys, polynomialsIn(texts), { powers });
    return { message, inputs: inputs.map(each => JSON.stringify(keyInputJson(each))), keys: null };
  },

  async share(given) {
    const { place, trustees } = given;
    const share = readKeyShare(messageJson(given.message, 'The share'), 'the share');
    const certificates = certificatesIn(trustees.map(({ certificate }) => certificate));
    const polynomials = polynomialsIn(trustees.map(({ polynomial }) => polynomial));
    await verifyShare(await verifyCertificates(certificates, { powers }), polynomials, { share, place: place - 1, powers });
    const message = JSON.stringify(keyShareJson(share));
    const texts = withMessage(given, 'share', message);
    if (texts.includes(null)) return { message, inputs: null, keys: null };
    const shares = texts.map(text => readKeyShare(messageJson(text!, 'A share'), 'a share'));
    const key = await assembleThresholdKey(certificates, polynomials, shares, { powers });
    return { message, inputs: null, keys: printTrustees([{ kind: 'Pedersen', key }]) };
  },

  // The sums are decrypted apart: `decryption-thread.ts`.
  decryption: () => Promise.reject(refuse('BALLOT_NOT_READY', { why: 'the key is made first' })),
};
