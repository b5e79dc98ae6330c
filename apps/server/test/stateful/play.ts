import fc from 'fast-check';
import { parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { columnsOf } from '../../src/modules/resources/index.ts';
import { publishAll } from '../../src/modules/rpki/index.ts';
import { checkInvariants, violationInWords } from '../../src/platform/invariants.ts';
import { type Act, diceOf } from './act.ts';
import { actsOfCases } from './acts-of-cases.ts';
import { actsOfMembers } from './acts-of-members.ts';
import { actsOfRouting } from './acts-of-routing.ts';
import { actsOfStaff } from './acts-of-staff.ts';
import { actsOfWhois } from './acts-of-whois.ts';
import { attackAfterMoves } from './former-holder.ts';
import { plansNotKept } from './kept-plans.ts';
import { openWorld, type World } from './world.ts';

export const acts: readonly Act[] = [...actsOfCases, ...actsOfWhois, ...actsOfRouting, ...actsOfMembers, ...actsOfStaff];

/** All invariants are checked after so many moves. */
const CHECKED_EVERY = 100;
/** Numbers that one move chooses with. */
const NUMBERS = 16;

/** An invariant that does not hold any more, with the move and the acts before it. */
class Violated extends Error {
  override name = 'Violated';
}

/** One move as fast-check draws it: the act, and the numbers with which it chooses. */
class Move implements fc.AsyncCommand<object, World> {
  readonly act: Act;
  readonly numbers: readonly number[];
  constructor(act: Act, numbers: readonly number[]) {
    this.act = act;
    this.numbers = numbers;
  }
  check(): boolean {
    return true;
  }
  async run(_model: object, world: World): Promise<void> {
    const said = await this.act.run(world, diceOf(this.numbers));
    await world.syncWhois();
    world.trail.push(`${this.act.name}: ${said}`);
    const counts = world.outcomes.get(this.act.name) ?? new Map<string, number>();
    counts.set(said, (counts.get(said) ?? 0) + 1);
    world.outcomes.set(this.act.name, counts);
    const through = [...(await plansNotKept(world)), ...(await attackAfterMoves(world))];
    await world.syncWhois();
    if (through.length > 0) throw new Violated(through.join('\n'));
  }
  toString(): string {
    return this.act.name;
  }
}

const moves: fc.Arbitrary<Move> = fc
  .tuple(
    fc.oneof(...acts.map(act => ({ weight: act.weight, arbitrary: fc.constant(act) }))),
    fc.array(fc.nat(1_000_000_000), { minLength: NUMBERS, maxLength: NUMBERS }),
  )
  .map(([act, numbers]) => new Move(act, numbers));

/** Numbers of each kind that the registry has, but for what went to other registries and came from them. */
async function space(world: World): Promise<string> {
  const rows = await world.rows<{
    kind: string;
    size: string;
  }>(sql`select kind, sum(size)::text as size from (select kind, size from delegation where registry = '' and status <> 'closed'
      union all select kind, size from pool where registry = '') each group by kind order by kind`);
  const moved = await world.rows<{
    resource: string;
    incoming: boolean;
  }>(sql`select resource, coalesce(form ->> 'incoming', 'false') = 'true' as incoming
    from resource_request cross join lateral jsonb_array_elements_text(outcome -> 'resources') as resource
    where state = 'completed' and (other_registry is not null or coalesce(form ->> 'incoming', 'false') = 'true')`);
  const sizes = new Map(rows.map(({ kind, size }) => [kind, BigInt(size)]));
  for (const { resource, incoming } of moved) {
    const { kind, size } = columnsOf(parseResource(resource));
    sizes.set(kind, (sizes.get(kind) ?? 0n) + (incoming ? -BigInt(size) : BigInt(size)));
  }
  return [...sizes].map(([kind, size]) => `${kind} ${size}`).join(', ');
}

/** @param before the space at the beginning */
async function checkAll(world: World, before: string): Promise<string[]> {
  await publishAll(world.portal.context);
  const broken = await checkInvariants(world.portal.context, null);
  const now = await space(world);
  return [
    ...broken.flatMap(({ name, violations }) => violations.map(each => `${name}: ${violationInWords(each)}`)),
    ...(now === before ? [] : [`The registry had ${before}, and has ${now}`]),
  ];
}

export type Played = { moves: number; seconds: number; outcomes: World['outcomes'] };

/**
 * Plays so many moves on a copy of the demo registry: what members, staff and machines do over all modules. All invariants are checked after each hundred, and after each case
 * that took numbers from their holder its plan is compared with what there is, and the former holder tries to write over them.
 * @param seed the same seed draws the same moves
 * @throws Violated naming the seed, the move and the acts that led there
 */
export async function play({ seed, count }: { seed: number; count: number }): Promise<Played> {
  const world = await openWorld({ robot: seed % 2 === 1 });
  const begun = performance.now();
  const progress = { done: 0 };
  try {
    await playOn(world, { seed, count }, progress);
  } catch (error) {
    // An endpoint that answered an undeclared error says so when it is closed: what happened first counts.
    await world.close().catch(() => {});
    throw new Violated(
      `Seed ${seed}, after ${progress.done} moves: ${(error as Error).message}\nBefore it: ${world.trail.slice(-12).join('; ')}`,
      { cause: error },
    );
  }
  await world.close();
  return { moves: progress.done, seconds: (performance.now() - begun) / 1000, outcomes: world.outcomes };
}

async function playOn(world: World, { seed, count }: { seed: number; count: number }, progress: { done: number }): Promise<void> {
  const before = await space(world);
  while (progress.done < count) {
    const batch = fc.sample(moves, { seed: seed * 1_000_003 + progress.done, numRuns: Math.min(CHECKED_EVERY, count - progress.done) });
    for (const move of batch) {
      await fc.asyncModelRun(() => ({ model: {}, real: world }), [move]);
      progress.done++;
    }
    const broken = await checkAll(world, before);
    if (broken.length > 0) throw new Violated(broken.join('\n'));
  }
}
