import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';
import { beginningOf, twoAgreements } from './drafts.ts';
import { versionRows } from './versions.ts';

const pastProgram = 'Look at it in the activity log: it was changed past the program';

/** Invariants of legal texts. Those of versions are of the whole registry, whatever accounts are looked at. */
export const legalInvariants: readonly Invariant[] = [
  {
    name: 'legal.versions',
    sentence:
      'The versions of a legal text follow each other in their numbers and days, each confirmed by two people, from the beginning of its day',
    check: async ({ read, profile }) => {
      const rows = await read.rows<{
        text: string;
        version: number;
        validFrom: string;
        beginsAt: string;
        counts: boolean;
        why: string | null;
      }>(sql`
        select v.text, v.version, v.valid_from::text as valid_from, v.begins_at, v.ended_at is null as counts, case
            when v.proposed_by is null or v.confirmed_by is null or v.proposed_by = v.confirmed_by then 'was confirmed by no second person'
            when v.version <> row_number() over (partition by v.text order by v.version) then 'has a number that doesn’t follow the one before'
            when v.ended_at is null and exists (select from legal_version w where w.text = v.text and w.version < v.version and w.ended_at is null and w.begins_at >= v.begins_at)
              then 'doesn’t begin after the version before'
            when v.ended_at > v.begins_at then 'was withdrawn after its day had begun' end as why
        from legal_version v where v.version is not null order by v.text, v.version`);
      return rows
        .flatMap(({ text, version, validFrom, beginsAt, counts, why }) => {
          const object = `Version ${version} of the legal text ${text}`;
          if (why !== null) return [{ object, problem: why, remedy: `${pastProgram}. Two people confirm a new version` }];
          // The zone of the profile file may be another one since.
          if (!counts || Date.parse(beginsAt) === Date.parse(beginningOf(validFrom, profile))) return [];
          const day = `${validFrom} in ${profile.timeZone}`;
          const remedy = 'Set the time zone of the profile file back to the one in which it was confirmed';
          return [{ object, problem: `begins on ${dayIn(profile.timeZone, new Date(beginsAt))}, not at the beginning of ${day}`, remedy }];
        })
        .slice(0, MAX_VIOLATIONS);
    },
  },
  {
    name: 'legal.agreement',
    sentence: 'Applicants are asked to accept one text at a time',
    check: async ({ read, now }) => {
      const two = twoAgreements(await versionRows(read, sql`v.version is not null and v.ended_at is null`), now.getTime());
      if (two === null) return [];
      const [one, other] = two;
      const remedy = 'Two people confirm a version of one of them that doesn’t ask applicants';
      return [{ object: `The legal texts ${one.text} and ${other.text}`, problem: 'both ask applicants on the same day', remedy }];
    },
  },
  {
    name: 'legal.acceptances',
    sentence: 'Everyone accepted the version of a legal text that was in force at that time',
    check: async ({ read, accounts, now }) =>
      (
        await read.rows<{ who: string; text: string; version: number; why: string }>(sql`
          select coalesce(a.account_name, l.username) as who, a.text, a.version, f.why
          from legal_acceptance a join login l using (login_id) join legal_version v using (text, version) cross join lateral (
            select 'before it was in force' as why where a.accepted_at < v.begins_at
            union all select 'though it had been withdrawn' where v.ended_at <= a.accepted_at
            union all select 'when a later version was in force' where exists (select from legal_version w
              where w.text = v.text and w.version > v.version and w.ended_at is null and w.begins_at <= a.accepted_at)
            union all select 'in the future' where a.accepted_at > ${now.toISOString()}::timestamptz) f
          where ${isOf(sql`a.account_name`, accounts)} order by a.legal_acceptance_id limit ${MAX_VIOLATIONS}`)
      ).map(({ who, text, version, why }) => ({
        object: `${who}’s acceptance of version ${version} of the legal text ${text}`,
        problem: `was recorded ${why}`,
        remedy: `${pastProgram}. Ask them to accept the version in force`,
      })),
  },
];
