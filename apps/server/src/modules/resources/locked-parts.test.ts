import {
  equalResources,
  parseResource,
  printResource,
  resourceSetOf,
  subtractSets,
  listResources,
  containsResource,
  type NumberResource,
} from '@portal/number-resources';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import type { Change } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { actOverLocks, lockedPartsOf, lockParts, unlockParts } from './locked-parts.ts';
import { movedSpace, spaceToMove } from './moving-space.ts';
import { lockLedger } from './pools.ts';

const seller = 'EXAMPLE-AU';
const buyers = ['OTHER-SG', 'NATREG-XX', 'BEACON-BD'];
const whole = parseResource('198.18.0.0/19');

/** A part of the /19: a prefix from /20 to /24. */
const part = fc.integer({ min: 20, max: 24 }).chain(length =>
  fc.integer({ min: 0, max: 2 ** (length - 19) - 1 }).map((place): NumberResource => {
    const size = 1n << BigInt(32 - length);
    const first = (whole.first as bigint) + BigInt(place) * size;
    return { family: 'ipv4', first, last: first + size - 1n };
  }),
);
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('lock' as const), part }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const), which: fc.nat(20), to: fc.nat(buyers.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), which: fc.nat(20) }) },
);

class Undone extends Error {}

/** Delegations in the /19, from the ledger. */
async function ledger(change: Change): Promise<{ accountName: string; resource: string; status: string }[]> {
  return change.rows(sql`select account_name, resource, status from delegation where status <> 'closed' and kind = 'ipv4' and registry = ''
    and first >= '198.18.0.0' and last <= '198.18.31.255' order by first`);
}

/** Runs acts against the ledger and a model of holders and locks. Everything is rolled back. */
async function run(
  change: Change,
  gate: Parameters<typeof movedSpace>[4],
  acts: readonly (typeof act extends fc.Arbitrary<infer A> ? A : never)[],
): Promise<void> {
  const locked = new Map<string, NumberResource>();
  const sold: { to: string; part: NumberResource }[] = [];
  let last = 0;
  const chosen = (which: number): string | undefined => [...locked.keys()][which % Math.max(locked.size, 1)];
  for (const each of acts) {
    await lockLedger(change);
    if (each.do === 'lock') {
      const reference = `REQ-${++last}`;
      const others = [...locked.values()].filter(held => held.first <= each.part.last && held.last >= each.part.first);
      const [space] = await spaceToMove(change, seller, [each.part], reference);
      const isHeld = sold.every(({ part: gone }) => gone.first > each.part.last || gone.last < each.part.first);
      expect(space !== null, `${printResource(each.part)} is the seller’s`).toBe(isHeld);
      if (!space) continue;
      expect(others.length === 0 ? [null] : others.map(printResource)).toContain(space.lockedPart?.resource ?? null);
      const locking = change.attempt(() =>
        lockParts(change, { reference, accountName: seller, act: 'transfer', fixed: true }, [each.part]),
      );
      if (others.length > 0) await expect(locking).rejects.toBeInstanceOf(Failure);
      else {
        await locking;
        locked.set(reference, each.part);
      }
    } else {
      const reference = chosen(each.which);
      if (reference === undefined) continue;
      const moved = locked.get(reference)!;
      await unlockParts(change, reference);
      locked.delete(reference);
      if (each.do === 'withdraw') continue;
      await actOverLocks(change, 'completion');
      await movedSpace(change, seller, [moved], { accountName: buyers[each.to]!, economy: null, withRegistrations: false }, gate);
      await change.rows(sql`select set_config('portal.over_locks', '', true)`);
      sold.push({ to: buyers[each.to]!, part: moved });
    }
    const rows = await ledger(change);
    const rest = subtractSets(resourceSetOf([whole]), resourceSetOf(sold.map(({ part: gone }) => gone)));
    expect(rows.filter(({ accountName }) => accountName === seller).map(({ resource }) => resource)).toEqual(
      listResources(rest).map(printResource),
    );
    for (const { to, part: gone } of sold)
      expect(rows).toContainEqual({ accountName: to, resource: printResource(gone), status: 'active' });
    for (const { accountName, resource, status } of rows.filter(row => row.accountName === seller)) {
      const inside = [...locked.values()].filter(held => containsResource(resourceSetOf([parseResource(resource)]), held));
      expect(`${accountName} ${resource} ${status}`).toBe(`${seller} ${resource} ${inside.length > 0 ? 'locked' : 'active'}`);
    }
    const parts = (await lockedPartsOf(change, seller)).map(({ resource }) => parseResource(resource));
    expect(parts.every(one => [...locked.values()].some(held => equalResources(held, one)))).toBe(true);
    expect(parts).toHaveLength(locked.size);
  }
}

test('parts of a delegation are locked, withdrawn and moved in any order: none moves twice, and the rest stays', async () => {
  await using portal = await testPortal();
  const line = { action: 'test', summary: 'Tried moves', traceId: '0'.repeat(32) };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async acts => {
      await portal.db
        .change(line, async change => {
          await change.rows(sql`delete from assignment where account_name = ${seller} and kind = 'ipv4'`);
          await run(change, { move: 'transferred', policy: portal.context.profile }, acts);
          throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
    }),
    { numRuns: 25 },
  );
}, 120_000);
