import os from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assembleThresholdKey,
  combineResult,
  createCertificate,
  createPolynomial,
  createShare,
  decryptPartly,
  keyInputJson,
  keyShareJson,
  newSeed,
  openShare,
  parseJson,
  type PartialDecryption,
  polynomialJson,
  printPartialDecryption,
  printResult,
  printTally,
  printTrustees,
  type Question,
  readKeyShare,
  readPartialDecryption,
  readPolynomial,
  readSignedMessage,
  readTrusteeKey,
  routePolynomials,
  signedMessageJson,
  verifyArchive,
  verifyBallot,
  verifyCertificates,
} from '../../packages/ballots/src/index.ts';
import { opensslPowers } from '../../packages/ballots/node/openssl-powers.ts';
import {
  anyDamage,
  archiveOf,
  finishedElection,
  reweighted,
  strictlyWrongElections,
  wrongElections,
} from '../../packages/ballots/test/mutations.ts';
import { inChunks } from '../../packages/ballots/test/recorded-archive.ts';
import {
  castVotes,
  closeVoting,
  countBallots,
  openVoting,
  plainCount,
  singleTrustee,
  smallQuestions,
  thresholdTrustees,
} from '../../packages/ballots/test/small-election.ts';
import { BeleniosFolder, beleniosIsInstalled } from './belenios.ts';

const powers = opensslPowers;
const json = (text: string) => parseJson(text, 'A test', { length: 10_000_000, depth: 10, values: 100_000 });

/** Votes that a question allows: a blank one, or so many answers. */
const anyVote = ({ answers, blank, min, max }: Question): fc.Arbitrary<number[]> => {
  const chosen = fc
    .subarray(
      answers.map((_, place) => place),
      { minLength: min, maxLength: max },
    )
    .map(places => [...(blank ? [0] : []), ...answers.map((_, place) => (places.includes(place) ? 1 : 0))]);
  return blank ? fc.oneof({ weight: 3, arbitrary: chosen }, fc.constant<number[]>([1, ...answers.map(() => 0)])) : chosen;
};
const anyQuestion: fc.Arbitrary<Question> = fc
  .record({ count: fc.integer({ min: 1, max: 4 }), blank: fc.boolean(), bounds: fc.tuple(fc.nat(4), fc.nat(4)) })
  .map(({ count, blank, bounds }) => {
    const [min, max] = bounds.map(bound => Math.min(bound, count)).toSorted((a, b) => a - b) as [number, number];
    return { question: 'Any “question”\u007f\n', answers: Array.from({ length: count }, (_, place) => `Answer ${place}`), blank, min, max };
  });

describe.runIf(beleniosIsInstalled)('elections with belenios-tool', () => {
  test('it verifies ours at each step, and counts the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyQuestion, { minLength: 1, maxLength: 2 }).chain(questions =>
          fc.record({
            questions: fc.constant(questions),
            voters: fc.array(fc.record({ weight: fc.integer({ min: 1, max: 64 }), vote: fc.tuple(...questions.map(anyVote)) }), {
              maxLength: 3,
            }),
          }),
        ),
        async ({ questions, voters }) => {
          using folder = new BeleniosFolder();
          const weights = [...voters.map(({ weight }) => weight), 7];
          const votes = voters.map(({ vote }) => vote);
          const voting = await openVoting({ questions, weights, trustees: [await singleTrustee(), await thresholdTrustees(2, 1)] });
          const { uuid } = voting.election;
          const texts = await castVotes(voting, votes);
          expect(await folder.accepts(uuid, voting.file.bytes)).toBe(true);
          const { tally, result } = await closeVoting(voting, texts, [3, 1]);
          expect(result).toEqual(plainCount(questions, votes, weights));
          expect(await folder.accepts(uuid, voting.file.bytes)).toBe(true);
          expect(await folder.tool(['election', 'compute-encrypted-tally'])).toEqual(await printTally(tally));
          expect(await folder.tool(['election', 'compute-result'])).toEqual([printResult(result)]);
          expect(await verifyArchive(inChunks(voting.file.bytes), { powers })).toMatchObject({ result });
        },
      ),
      { numRuns: 3 },
    );
  });

  test('its trustees and voters work with ours in one election', async () => {
    using folder = new BeleniosFolder();
    // Three trustees, two of which decrypt: two with the tool, one with ours. A fourth with the tool, and a fifth with ours, are needed.
    await folder.step(1);
    await folder.step(1);
    const seedFiles = folder.names('.key');
    const seed = newSeed();
    const certificateTexts = [
      ...seedFiles.map(name => folder.read(name.replace('.key', '.cert'))),
      JSON.stringify(signedMessageJson(await createCertificate(seed))),
    ];
    folder.write('certs.jsons', `${certificateTexts.join('\n')}\n`);
    const certs = ['--certs', 'certs.jsons'];
    await folder.step(2, certs);
    const certificates = certificateTexts.map(text => readSignedMessage(json(text), 'a certificate'));
    const keys = await verifyCertificates(certificates, { powers });
    const polynomials = [];
    for (const file of seedFiles) {
      const [text] = await folder.step(3, [...certs, '--key', file, '--threshold', '2']);
      polynomials.push(readPolynomial(json(text!), 'a polynomial'));
    }
    polynomials.push(await createPolynomial(keys, { seed, threshold: 2 }));
    folder.write('polynomials.jsons', polynomials.map(each => `${JSON.stringify(polynomialJson(each))}\n`).join(''));
    const inputs = await routePolynomials(keys, polynomials, { powers });
    // The tool takes the step of the server as well, and comes to the same messages.
    await folder.step(4, [...certs, '--polynomials', 'polynomials.jsons']);
    expect(
      folder
        .names('.vinput')
        .map(name => folder.read(name))
        .toSorted(),
    ).toEqual(inputs.map(each => JSON.stringify(keyInputJson(each))).toSorted());
    const shares = [];
    for (const [place, file] of seedFiles.entries()) {
      const [text] = await folder.step(5, [...certs, '--key', file], `${JSON.stringify(keyInputJson(inputs[place]!))}\n`);
      shares.push(readKeyShare(json(text!), 'a share'));
    }
    shares.push(await createShare(keys, inputs[2]!, { seed, powers }));
    const shareTexts = shares.map(each => `${JSON.stringify(keyShareJson(each))}\n`).join('');
    const [thresholdText] = await folder.step(6, [...certs, '--polynomials', 'polynomials.jsons'], shareTexts);
    const thresholdKey = await assembleThresholdKey(certificates, polynomials, shares, { powers });
    const theirs = await folder.singleKey();
    const ours = await singleTrustee();
    const trustees = [
      { part: { kind: 'Single' as const, key: readTrusteeKey(json(theirs.key), 'a key') }, privateKeys: [] },
      { part: { kind: 'Pedersen' as const, key: thresholdKey }, privateKeys: [] },
      ours,
    ];
    const weights = [1, 4, 64, 2];
    const voting = await openVoting({ weights, trustees });
    const { election, file, credentials, list } = voting;
    expect(JSON.parse(thresholdText!)).toEqual((JSON.parse(printTrustees(voting.trustees)) as [string, unknown][])[1]![1]);
    folder.archive(election.uuid, file.bytes);

    const votes = [
      [
        [0, 1, 0, 1],
        [0, 1, 0],
      ],
      [
        [1, 0, 0, 0],
        [0, 0, 1],
      ],
      [
        [0, 0, 1, 0],
        [1, 0, 0],
      ],
      [
        [0, 1, 1, 0],
        [0, 1, 0],
      ],
    ];
    const texts = await castVotes(voting, votes.slice(0, 2));
    for (const place of [2, 3]) {
      const text = await folder.ballot(credentials[place]!, votes[place]!);
      await verifyBallot(election, text, { powers });
      texts.push(text);
      await file.append('Ballot', text);
    }
    await file.append('EndBallots');
    const tally = countBallots(election, list, texts);
    await file.append('EncryptedTally', ...(await printTally(tally)));
    folder.archive(election.uuid, file.bytes);

    const decryptions = new Map<number, PartialDecryption>();
    const take = async (owner: number, messages: [string, string]) => {
      decryptions.set(owner, readPartialDecryption(tally.tally, messages[0]));
      await file.append('PartialDecryption', ...messages);
    };
    const own = async (owner: number, privateKey: bigint) =>
      take(owner, await printPartialDecryption(await decryptPartly(election, tally.tally, { privateKey }), owner));
    await take(1, await folder.decrypt(theirs.file, 1));
    await take(3, await folder.decryptTogether(seedFiles[1]!, seedFiles[1]!.replace('.key', '.dkey'), 3));
    await own(4, await openShare(keys, shares[2]!.privateKey, seed));
    await own(5, ours.privateKeys[0]!);
    folder.archive(election.uuid, file.bytes);
    const [resultText] = await folder.tool(['election', 'compute-result']);
    const result = combineResult(tally, voting.trustees, { decryptions, powers });
    expect(result).toEqual(plainCount(smallQuestions, votes, weights));
    expect(resultText).toBe(printResult(result));
    await file.append('Result', resultText!);
    expect(await folder.accepts(election.uuid, file.bytes)).toBe(true);
    expect(await verifyArchive(inChunks(file.bytes), { powers })).toMatchObject({ stage: 'Result', result });
  });

  test('it refuses the wrong elections that we refuse', async () => {
    const kept = await finishedElection();
    const { uuid } = kept.election;
    const right = { name: 'nothing wrong', make: async () => kept.steps };
    const damaged = fc.sample(anyDamage(kept.bytes), 10).map(({ what, bytes }) => ({ name: what, make: bytes }));
    const weighted = [2, 63].map((weight, voter) => ({
      name: `voter ${voter} with weight ${weight}`,
      make: () => reweighted(kept, voter, weight),
    }));
    const waiting = [right, ...wrongElections, ...strictlyWrongElections, ...damaged, ...weighted];
    const accepted = new Set<string>();
    await Promise.all(
      Array.from({ length: os.availableParallelism() }, async () => {
        using folder = new BeleniosFolder();
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const made = await next.make(kept);
          if (await folder.accepts(uuid, made instanceof Uint8Array ? made : await archiveOf(made))) accepted.add(next.name);
        }
      }),
    );
    expect(accepted).toEqual(new Set([right, ...strictlyWrongElections].map(({ name }) => name)));
  });

  test('it says as we do whether something was removed since an archive was seen', async () => {
    using folder = new BeleniosFolder();
    const { steps, election, texts } = await finishedElection();
    const seen = await archiveOf(steps.slice(0, 2));
    const { tip } = await verifyArchive(inChunks(seen), { powers });
    const changed = await archiveOf([steps[0]!, steps[2]!, steps[1]!]);
    for (const [bytes, holds] of [
      [await archiveOf(steps), true],
      [changed, false],
    ] as const) {
      expect(await folder.extends(election.uuid, seen, bytes)).toBe(holds);
      const ours = verifyArchive(inChunks(bytes), { powers, seen: [tip.hash] });
      if (holds) expect((await ours).ballots).toHaveLength(texts.length);
      else await expect(ours).rejects.toThrow(/published before is not in the archive/);
    }
  });
});
