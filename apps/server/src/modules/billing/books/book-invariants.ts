import { sql } from 'kysely';
import { type Invariant, MAX_VIOLATIONS } from '../../../platform/invariant.ts';
import { monthInWords } from '../periods/open-days.ts';
import { hashJournal } from './journal.ts';

/** Invariants of closed months. They are of no account: a look at some accounts leaves them out. */
export const bookInvariants: readonly Invariant[] = [
  {
    name: 'billing.closedMonths',
    sentence: 'The documents of a closed month are those of its journal',
    check: async ({ read, accounts }) => {
      if (accounts !== null) return [];
      const closed = await read.rows<{ month: string; sha256: string }>(
        sql`select to_char(month, 'YYYY-MM') as month, sha256 from closed_month order by month`,
      );
      const violations = [];
      for (const { month, sha256 } of closed) {
        if ((await hashJournal(read, month)).sha256 === sha256) continue;
        violations.push({
          object: `The journal of ${monthInWords(month)}`,
          problem: 'is no longer what its documents say',
          remedy: 'Compare it with a new one: something was dated into the month, changed or removed past the program',
        });
        if (violations.length === MAX_VIOLATIONS) break;
      }
      return violations;
    },
  },
];
