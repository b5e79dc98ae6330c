import {
  combineResult,
  createTrusteeKey,
  decryptionKeysOf,
  decryptPartly,
  missingDecryptions,
  opensslPowers as powers,
  type PartialDecryption,
  printPartialDecryption,
  printResult,
  readElection,
  readPartialDecryption,
  readSizedTally,
  readTally,
  readTrustees,
  verifyPartialDecryption,
} from './protocol.ts';
import { messageRefused, orRefused } from './refused.ts';

/** The sums of an election, and the decryptions that are there, by the number of their trustee, from 1. */
export type Decrypting = {
  parameters: string;
  trustees: string;
  tally: readonly [string, string];
  decryptions: readonly (readonly [owner: number, text: string])[];
};

/** A decryption of a trustee, or the private keys of which one is the registry's, to decrypt with. */
export type DecryptionTask = Decrypting & { owner: number } & ({ message: string } | { privateKeys: readonly bigint[] });

/** Both messages of the decryption; and the text of the result and its numbers, once enough have decrypted. */
export type Decrypted = { messages: [string, string]; result: { text: string; votes: number[] } | null };

/**
 * Judges or makes a partial decryption, and combines all to the result where enough are there.
 * @throws Failure TRUSTEE_MESSAGE_REFUSED
 */
export const read = (given: DecryptionTask): Promise<Decrypted> => orRefused(() => decrypted(given), messageRefused);

async function decrypted(given: DecryptionTask): Promise<Decrypted> {
  const election = await readElection(given.parameters);
  const trustees = readTrustees(given.trustees);
  const [tallyText, size] = given.tally;
  const { ballots, totalWeight } = readSizedTally(size);
  const tally = readTally(election, tallyText);
  const publicKey = decryptionKeysOf(trustees)[given.owner - 1]!;
  const own =
    'message' in given
      ? readPartialDecryption(tally, given.message)
      : await decryptPartly(election, tally, { privateKey: await keyOf(given.privateKeys, publicKey) });
  await verifyPartialDecryption(election, tally, own, { publicKey, what: `the decryption of trustee ${given.owner}`, powers });
  const decryptions = new Map<number, PartialDecryption>([
    ...given.decryptions.map(([owner, text]): [number, PartialDecryption] => [owner, readPartialDecryption(tally, text)]),
    [given.owner, own],
  ]);
  const messages = await printPartialDecryption(own, given.owner);
  if (missingDecryptions(trustees, new Set(decryptions.keys())).length > 0) return { messages, result: null };
  const result = combineResult({ ballots, totalWeight, tally }, trustees, { decryptions, powers });
  return { messages, result: { text: printResult(result), votes: [...result[0]!] } };
}

/** The private key of a public one. @throws Error for another SECRET_KEY than that of the setup */
async function keyOf(privateKeys: readonly bigint[], publicKey: bigint): Promise<bigint> {
  for (const each of privateKeys) if ((await createTrusteeKey(each)).publicKey === publicKey) return each;
  throw new Error(
    'SECRET_KEY is not the one with which this election was set up; if it was changed, set SECRET_KEY_OLD to the one before.',
  );
}
