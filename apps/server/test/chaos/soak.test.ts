import { MINUTE_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canOwnPostgres } from '../database/own-postgres.ts';
import { compare } from './compare.ts';
import { type RegistryOfRoles, registryOfRoles } from './registry-of-roles.ts';

/** Both are set by `npm run soak -- --minutes N --seed N`. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0);
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
/** Time in ms that a client takes before it asks again: some twenty calls a second in all. */
const THINKS_MS = 500;
/** Clients change their tokens, whose second factor counts for five minutes, after so many minutes. */
const SHIFT = 4;
/** Share by which the memory of a process may be larger in the last quarter than in the second one. */
const MEMORY_GROWTH = 0.05;
/** Rows that a table may gain beside those that are meant to grow. */
const MAX_GAINED = 200;

/** Tables that have a row, or some, for each change, each mail, each look: what the registry is for, and what it keeps for a time. */
const growing = new Set(
  // What clients write, what is kept of it, and what it leads to, kept for days or weeks.
  `whois_object whois_reference whois_key whois_journal roa route route_change ticket ticket_message document stored_file bank_statement bank_line payment
   activity activity_seal activity_receipt row_change row_digest log_root
   mail notification noted_event webhook_delivery webhook_attempt idempotent_answer rpki_object published_file`.split(/\s+/),
);

type Sample = { memory: Map<string, number>; files: Map<string, number>; rows: Map<string, number> };

const without = MINUTES === 0 ? 'npm run soak runs it' : canOwnPostgres() ? null : 'install postgresql';
const name = `a registry of six processes, worked on all the time${without === null ? ` (for ${MINUTES} minutes, seed ${SEED})` : ` (skipped: ${without})`}`;
describe.skipIf(without !== null)(name, () => {
  let registry: RegistryOfRoles;
  beforeAll(async () => {
    registry = await registryOfRoles(SEED, THINKS_MS);
  }, 5 * MINUTE_MS);
  afterAll(() => registry?.[Symbol.asyncDispose]());
  const say = (sentence: string): void => void process.stdout.write(`    ${sentence}\n`);

  const sample = async (): Promise<Sample> => {
    const takes = await Promise.all(registry.programs.map(async program => [program.name, await program.takes()] as const));
    const { rows: tables } =
      await registry.postgres.query(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`);
    const counted = tables.map(({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"`).join(' union all ');
    const { rows } = await registry.postgres.query(counted);
    return {
      memory: new Map(takes.map(([name, { memory }]) => [name, memory])),
      files: new Map(takes.map(([name, { files }]) => [name, files])),
      rows: new Map(rows.map(({ name, n }) => [name as string, n as number])),
    };
  };
  const middle = (samples: readonly Sample[], of: (one: Sample) => number): number =>
    samples.map(of).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!;

  test('takes no more memory, files and room at the end than after a quarter of the time, and loses nothing', { timeout: 0 }, async () => {
    const { ended, load, programs } = registry;
    const samples: Sample[] = [];
    await registry.start();
    for (let minute = 1; minute <= MINUTES; minute++) {
      await registry.workFor(MINUTE_MS);
      expect(ended).toEqual([]);
      samples.push(await sample());
      const { memory } = samples.at(-1)!;
      say(
        `${minute}. ${load.answers} answers, ${load.sent.length} changes; ${[...memory].map(([name, bytes]) => `${name} ${Math.round(bytes / 2 ** 20)} MB`).join(', ')}`,
      );
      if (minute % SHIFT === 0 && minute < MINUTES) {
        await registry.stop();
        await registry.start();
      }
    }
    await registry.stop();
    const quarter = Math.max(1, Math.floor(MINUTES / 4));
    const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
    const wrong: string[] = [];
    for (const { name } of programs)
      for (const what of ['memory', 'files'] as const) {
        const [before, after] = [early, late].map(some => middle(some, one => one[what].get(name)!)) as [number, number];
        say(`${name}: ${what} ${before} in the second quarter, ${after} in the last`);
        if (after > before * (1 + MEMORY_GROWTH)) wrong.push(`${name}: ${what} grew from ${before} to ${after}`);
      }
    for (const [table, rows] of samples.at(-1)!.rows) {
      const gained = rows - early[0]!.rows.get(table)!;
      if (gained > 0) say(`${table}: ${gained} rows more, ${rows} in all`);
      if (gained > MAX_GAINED && !growing.has(table)) wrong.push(`${table} gained ${gained} rows`);
    }
    expect(load.findings).toEqual([]);
    await compare(registry);
    expect(wrong).toEqual([]);
  });
});
