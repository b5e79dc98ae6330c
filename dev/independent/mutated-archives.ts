import os from 'node:os';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { opensslPowers } from '../../packages/ballots/node/openssl-powers.ts';
import { publicOf, Refusal, verifyArchive } from '../../packages/ballots/src/index.ts';
import { anyDamage, finishedElection, reweighted } from '../../packages/ballots/test/mutations.ts';
import { BeleniosFolder, beleniosIsInstalled } from './belenios.ts';

/**
 * Damages the archive of a small finished election in many ways: records dropped, doubled and exchanged, bytes changed, and voters given other weights with right hashes throughout.
 * Each has to be refused by our verifier and by belenios-tool. `node dev/independent/mutated-archives.ts [--count 1000] [--seed 1]`
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const [count, seed] = [Number(values.count), Number(values.seed)];

async function refusedByUs(bytes: Uint8Array): Promise<boolean> {
  try {
    await verifyArchive(
      (async function* () {
        yield bytes;
      })(),
      { powers: opensslPowers },
    );
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

const kept = await finishedElection();
const { uuid } = kept.election;
const weights = fc
  .tuple(fc.nat(kept.secrets.length - 1), fc.integer({ min: 1, max: 64 }))
  .filter(([voter, weight]) => kept.list.get(publicOf(kept.secrets[voter]!)) !== weight)
  .map(([voter, weight]) => ({ what: `voter ${voter} with weight ${weight}`, bytes: () => reweighted(kept, voter, weight) }));
const waiting = fc.sample(fc.oneof({ weight: 4, arbitrary: anyDamage(kept.bytes) }, { weight: 1, arbitrary: weights }), {
  numRuns: count,
  seed,
});
const accepted: string[] = [];
let done = 0;
await Promise.all(
  Array.from({ length: os.availableParallelism() }, async () => {
    using folder = new BeleniosFolder();
    if (beleniosIsInstalled && !(await folder.accepts(uuid, kept.bytes)))
      throw new Error('belenios-tool refuses the archive that is right');
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const bytes = await next.bytes();
      if (!(await refusedByUs(bytes))) accepted.push(`${next.what}: accepted by us`);
      if (beleniosIsInstalled && (await folder.accepts(uuid, bytes))) accepted.push(`${next.what}: accepted by belenios-tool`);
      if (++done % 100 === 0) console.log(`${done} of ${count}`);
    }
  }),
);
console.log(
  accepted.length === 0
    ? `All ${count} damaged archives were refused by us${beleniosIsInstalled ? ' and by belenios-tool' : '; belenios-tool is not installed'}.`
    : accepted.join('\n'),
);
process.exitCode = accepted.length === 0 ? 0 : 1;
