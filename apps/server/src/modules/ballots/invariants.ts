import { sql } from 'kysely';
import type { Invariant } from '../../platform/invariant.ts';

/** Invariants of the ballot box. */
export const ballotsInvariants: readonly Invariant[] = [
  {
    name: 'ballots.boxFunctions',
    sentence: 'The ballot box can be written anew, so that it keeps no order of casting',
    check: async ({ read }) => {
      const missing = await read.rows<{
        name: string;
      }>(sql`select name from unnest(array['is_mixed', 'is_unwiped', 'mix_box', 'wipe_box']) name
        where to_regprocedure('ballots.' || name || '()') is null order by name`);
      return missing.map(({ name }) => ({
        object: `The ballot box`,
        problem: `has no function ${name}, so it keeps the order in which ballots are cast`,
        remedy: 'As an administrator, run migration 0389 within an activity: its last lines say how',
      }));
    },
  },
];
