import { policyValueNames, policyRow, type PolicyValueName } from '@portal/contract/policy/policy-values';
import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { confirmedValues, fileOf, kindOf, type PolicyLeaf, timesOf } from '../../dated-profile.ts';
import { type Invariant, MAX_VIOLATIONS } from '../../platform/invariant.ts';
import { beginningOfDay } from './changes.ts';
import { orderProblems } from '../../profile.ts';

const known = new Set<string>(policyValueNames);

/** Invariants of the policy. They are of the whole registry, whatever accounts are looked at. */
export const policyInvariants: readonly Invariant[] = [
  {
    name: 'policy.twoPeople',
    sentence: 'Each value of the policy that counts, or will, was confirmed by a second person in time, on its own for its day',
    check: async ({ read, profile }) => {
      const remedy = 'Look at it in the activity log: it was changed past the program. Two people set the values that should count';
      const days = await read.rows<{ changeId: string; validFrom: string; beginsAt: string }>(sql`
        select policy_change_id::text as change_id, valid_from::text as valid_from, begins_at from policy_change where ended_at is null and confirmed_at is not null`);
      const parted = days.filter(({ validFrom, beginsAt }) => Date.parse(beginsAt) !== Date.parse(beginningOfDay(validFrom, profile)));
      const found = (
        await read.rows<{ changeId: string; validFrom: string; why: string }>(sql`
          select c.policy_change_id::text as change_id, c.valid_from::text as valid_from, f.why from policy_change c cross join lateral (
            select 'was confirmed by no second person' as why
              where c.ended_at is null and c.confirmed_at is not null and (c.confirmed_by is null or c.proposed_by is null or c.confirmed_by = c.proposed_by)
            union all select 'was confirmed after the last hour before its day' where c.ended_at is null and c.confirmed_at > c.begins_at - interval '1 hour'
            union all select 'has values that count, though it doesn’t'
              where exists (select from policy_value v where v.policy_change_id = c.policy_change_id and v.is_confirmed)
                and (c.confirmed_at is null or c.ended_at is not null)
            union all select 'has values that don’t count, or of another day'
              where c.confirmed_at is not null and c.ended_at is null and (not exists (select from policy_value v where v.policy_change_id = c.policy_change_id)
                or exists (select from policy_value v where v.policy_change_id = c.policy_change_id and (not v.is_confirmed or v.valid_from <> c.valid_from)))
            union all select 'changes a value for which another one counts from the same day'
              where exists (select from policy_value v join policy_value o using (name, valid_from)
                where v.policy_change_id = c.policy_change_id and v.is_confirmed and o.is_confirmed and o.policy_change_id < v.policy_change_id)) f
          order by c.policy_change_id limit ${MAX_VIOLATIONS}`)
      ).map(({ changeId, validFrom, why }) => ({
        object: `The change ${changeId} of the policy from ${validFrom}`,
        problem: why,
        remedy,
      }));
      return [
        ...found,
        ...parted.map(({ changeId, validFrom }) => ({
          object: `The change ${changeId} of the policy from ${validFrom}`,
          problem: `begins at another instant than its day in ${profile.timeZone}`,
          remedy:
            'Set the time zone of the profile file back to the one in which it was confirmed; if it is right, two people change the values again',
        })),
      ].slice(0, MAX_VIOLATIONS);
    },
  },
  {
    name: 'policy.values',
    sentence: 'Values of the policy are within their bounds and in their order on every day',
    check: async ({ read, profile }) => {
      const file = fileOf(profile);
      const values = await confirmedValues(read);
      const remedy = 'Two people change it on the desk’s page Policy';
      const bad = values.filter(({ name, value }) => !isWithin(name, value));
      const disordered = timesOf(
        file,
        values.filter(({ name }) => known.has(name)),
      ).flatMap(({ from, profile: then }) =>
        from === Number.NEGATIVE_INFINITY ? [] : orderProblems(then).map(({ less, more }) => ({ from, less, more })),
      );
      return [
        ...bad.map(({ name, value, beginsAt }) => ({
          object: `“${known.has(name) ? policyRow(name).title : name}” from ${dayIn(file.timeZone, new Date(beginsAt))}`,
          problem: known.has(name)
            ? `is ${String(value)}, and must be ${kindOf(name).kind}`
            : 'is no value that this version changes on a day',
          remedy,
        })),
        ...disordered.map(({ from, less, more }) => ({
          object: `“${less[0]}” from ${dayIn(file.timeZone, new Date(from))}`,
          problem: `is ${less[1]}, above “${more[0]}”, which is ${more[1]}`,
          remedy,
        })),
      ].slice(0, MAX_VIOLATIONS);
    },
  },
];

const isWithin = (name: PolicyValueName, value: PolicyLeaf): boolean => known.has(name) && kindOf(name).read(value) !== undefined;
