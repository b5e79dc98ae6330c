import { MINUTE_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { randomOf } from '../../src/demo/region/random.ts';
import { canOwnPostgres } from '../database/own-postgres.ts';
import { compare } from './compare.ts';
import { drawFault } from './faults.ts';
import { type RegistryOfRoles, registryOfRoles } from './registry-of-roles.ts';

/** Both are set by `npm run chaos -- --seed N --faults N`. */
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
const FAULTS = Number(process.env['CHAOS_FAULTS'] ?? 0);
/** Faults before the clients pause, what they were told is compared with what is stored, and everything is looked through. */
const ROUND = 8;
/** Answers that clients get between two faults. */
const ANSWERS = 40;

const without = FAULTS === 0 ? 'npm run chaos runs it' : canOwnPostgres() ? null : 'install postgresql';
const name = `a registry of six processes, harmed again and again${without === null ? ` (${FAULTS} times, seed ${SEED})` : ` (skipped: ${without})`}`;
describe.skipIf(without !== null)(name, () => {
  let registry: RegistryOfRoles;
  beforeAll(async () => {
    registry = await registryOfRoles(SEED);
  }, 5 * MINUTE_MS);
  afterAll(() => registry?.[Symbol.asyncDispose]());
  const say = (sentence: string): void => void process.stdout.write(`    ${sentence}\n`);

  test('loses nothing that it acknowledged, doubles nothing, and publishes what is right', { timeout: 0 }, async () => {
    const { postgres, programs, ended, mails, events, load, pipe } = registry;
    const random = randomOf(SEED, 'faults');
    for (let done = 0; done < FAULTS; ) {
      await registry.start();
      for (let inRound = 0; inRound < ROUND && done < FAULTS; inRound++, done++) {
        const before = load.answers;
        await vi.waitUntil(() => load.answers - before >= ANSWERS || ended.length > 0, { timeout: 120_000, interval: 20 });
        const fault = drawFault({ postgres, programs, outside: [mails, events], cut: () => load.cut() }, random);
        say(`${done + 1}. ${fault.words}`);
        await fault.happen();
        expect(ended).toEqual([]);
      }
      await registry.stop();
      expect(load.findings).toEqual([]);
      await compare(registry);
      const saved = load.sent.filter(change => change.saved).length;
      const again = [...mails.received.values()].filter(times => times > 1).length;
      say(
        `${done} faults, ${load.answers} answers, ${load.sent.length} changes sent, ${saved} saved: each once, none lost; ${mails.received.size} mails sent, ${again} of them more than once; ${pipe.taken.length} mails taken in, ${events.received.size} events`,
      );
    }
  });
});
