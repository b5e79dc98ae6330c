import { brandValueNames, isLogo } from '@portal/contract/brand/brand-values';
import { sql } from 'kysely';
import { confirmedBrand, fileOf, kindOf } from '../../dated-profile.ts';
import { type Invariant, MAX_VIOLATIONS } from '../../platform/invariant.ts';

const known = new Set<string>(brandValueNames);
const remedy = 'Look at it in the activity log: it was changed past the program. Two people set the values that should be in force';

/** Invariants of the brand. They are of the whole registry, whatever accounts are looked at. */
export const brandInvariants: readonly Invariant[] = [
  {
    name: 'brand.twoPeople',
    sentence:
      'Each change of the brand that is in force, or will be, was confirmed by a second person before it began, with values that can be',
    check: async ({ read }) => {
      const found = await read.rows<{ changeId: string; why: string }>(sql`
        select c.brand_change_id::text as change_id, f.why from brand_change c cross join lateral (
          select 'was confirmed by no second person' as why where c.confirmed_by is null or c.proposed_by is null or c.confirmed_by = c.proposed_by
          union all select 'was confirmed after it began' where c.begins_at is null or c.confirmed_at > c.begins_at) f
        where c.ended_at is null and c.confirmed_at is not null order by c.brand_change_id limit ${MAX_VIOLATIONS}`);
      const bad = (await confirmedBrand(read)).filter(({ name, value }) => !known.has(name) || kindOf(name).read(value) === undefined);
      return [
        ...found.map(({ changeId, why }) => ({ object: `The change ${changeId} of the brand`, problem: why, remedy })),
        ...bad.map(({ name, value, beginsAt }) => ({
          object: `“${name}” of the brand from ${beginsAt}`,
          problem: known.has(name) ? `is ${value}, and must be ${kindOf(name).kind}` : 'is no value that this version has',
          remedy,
        })),
      ].slice(0, MAX_VIOLATIONS);
    },
  },
  {
    name: 'brand.logos',
    sentence: 'Each logo that the brand names was uploaded',
    check: async ({ read, profile }) => {
      const file = fileOf(profile);
      const named = [
        file.logoLight,
        file.logoDark,
        ...(await confirmedBrand(read)).flatMap(({ name, value }) => (isLogo(name) ? [value] : [])),
      ];
      const names = [...new Set(named)].filter(name => name !== '');
      const kept = await read.rows<{ name: string }>(sql`select name from brand_logo where name = any(${names}::text[])`);
      return names
        .filter(name => !kept.some(logo => logo.name === name))
        .map(name => ({
          object: `The logo ${name}`,
          problem: 'is named by the brand, and no file is kept',
          remedy: 'Upload it on the desk’s page Brand',
        }))
        .slice(0, MAX_VIOLATIONS);
    },
  },
];
