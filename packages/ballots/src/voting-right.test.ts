import { expect, test } from 'vitest';
import { newCredential, publicOf, secretOf } from './credential.ts';
import { newElectionId } from './election.ts';
import { rightKeyOf, votingRightOf } from './voting-right.ts';

test('a right is of one account, one credential and one election, and its key is not the secret of the credential', async () => {
  const uuid = newElectionId();
  const credential = newCredential();
  const secret = await secretOf(credential, uuid);
  const key = await rightKeyOf(credential, uuid);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(BigInt(`0x${key}`)).not.toBe(secret);
  const right = await votingRightOf(key, 'EXAMPLE-AU', publicOf(secret));
  expect(right).toMatch(/^[0-9a-f]{64}$/);
  const others = [
    votingRightOf(key, 'OTHER-SG', publicOf(secret)),
    votingRightOf(key, 'EXAMPLE-AU', publicOf(secret + 1n)),
    votingRightOf(await rightKeyOf(newCredential(), uuid), 'EXAMPLE-AU', publicOf(secret)),
    votingRightOf(await rightKeyOf(credential, newElectionId()), 'EXAMPLE-AU', publicOf(secret)),
  ];
  expect(new Set([right, ...(await Promise.all(others))]).size).toBe(5);
});
