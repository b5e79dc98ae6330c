import { sql } from 'kysely';
import { type Invariant, MAX_VIOLATIONS } from '../../platform/invariant.ts';

/** Invariants of features. They are of the whole registry, whatever accounts are looked at. */
export const featuresInvariants: readonly Invariant[] = [
  {
    name: 'features.settings',
    sentence: 'Each setting of a feature follows the one before, and names accounts if it is on for them alone',
    check: async ({ read }) => {
      const found = await read.rows<{ feature: string; edition: number; why: string }>(sql`
        select s.feature, s.edition, f.why from feature_setting s cross join lateral (
          select 'is on for named accounts, and names none' as why
            where s.stands = 'accounts' and not exists (select from feature_account a where a.feature = s.feature and a.edition = s.edition)
          union all select 'names accounts, though it isn’t for some accounts'
            where s.stands in ('off', 'everyone') and exists (select from feature_account a where a.feature = s.feature and a.edition = s.edition)
          union all select 'follows one that is missing'
            where s.edition > 1 and not exists (select from feature_setting b where b.feature = s.feature and b.edition = s.edition - 1)) f
        order by s.feature, s.edition limit ${MAX_VIOLATIONS}`);
      return found.map(({ feature, edition, why }) => ({
        object: `Setting ${edition} of the feature ${feature}`,
        problem: why,
        remedy: 'Look at it in the activity log: it was changed past the program. Switch the feature again on the desk’s page Features',
      }));
    },
  },
];
