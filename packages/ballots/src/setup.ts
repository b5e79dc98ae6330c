import { type CredentialList, readCredentialList } from './credential-list.ts';
import { type Election, readElection } from './election.ts';
import { readHash } from './event.ts';
import { hexHash } from './hash.ts';
import { parseJson, readFields } from './json.ts';
import { bigintPowers, type Powers } from './powers.ts';
import { refuseUnless } from './refusal.ts';
import { readTrustees, type Trustees, verifyTrustees } from './trustees.ts';

/** All that is settled before voting begins (section 4.10). */
export type Setup = { election: Election; trustees: Trustees; credentials: CredentialList };

/** The messages of the first event: election, trustees and credentials as texts, and what refers to them by their hashes (section 4.10). */
export async function printSetup(election: string, trustees: string, credentials: string): Promise<[string, string, string, string]> {
  const hashes = { election: await hexHash(election), trustees: await hexHash(trustees), credentials: await hexHash(credentials) };
  return [election, trustees, credentials, JSON.stringify(hashes)];
}

/**
 * Checks the messages of the first event: their hashes, the keys and proofs of the trustees, that the key of the election is theirs, and the
 * list of credentials (sections 4.5 to 4.10).
 * @throws {Refusal}
 */
export async function verifySetup(texts: readonly string[], { powers = bigintPowers }: { powers?: Powers } = {}): Promise<Setup> {
  refuseUnless(
    texts.length === 4,
    'CHAIN',
    'The first event refers to more or fewer messages than election, trustees, credentials and their hashes',
  );
  const [electionText, trusteesText, credentialsText, setupText] = texts as [string, string, string, string];
  const what = 'The setup';
  const fields = readFields(parseJson(setupText, what, { length: 1_000, depth: 1, values: 10 }), what, [
    'election',
    'trustees',
    'credentials',
  ]);
  const named = [readHash(fields.election, what), readHash(fields.trustees, what), readHash(fields.credentials, what)];
  const hashes = [await hexHash(electionText), await hexHash(trusteesText), await hexHash(credentialsText)];
  refuseUnless(
    named.every((hash, place) => hash === hashes[place]),
    'CHAIN',
    'The setup has the hashes of other messages',
  );
  const election = await readElection(electionText);
  const trustees = readTrustees(trusteesText);
  const key = await verifyTrustees(trustees, { powers });
  refuseUnless(key === election.publicKey, 'TRUSTEES', 'The public key of the election is not the one of its trustees');
  return { election, trustees, credentials: readCredentialList(credentialsText, { powers }) };
}
