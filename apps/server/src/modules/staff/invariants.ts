import { dayIn } from '@portal/contract/days';
import { maxRiskMarks } from '@portal/contract/staff/risk-marks';
import { sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';
import { isInForce } from './risk-marks.ts';

/** Invariants of what registry staff note among themselves. */
export const staffInvariants: readonly Invariant[] = [
  {
    name: 'staff.riskMarks',
    sentence: 'An account has no more risk marks in force than it can have, and each title once',
    check: async ({ read, accounts, profile, now }) => {
      const inForce = sql`from risk_mark m where ${isInForce(dayIn(profile.timeZone, now))} and ${isOf(sql`m.account_name`, accounts)}`;
      const rows = await read.rows<{ accountName: string; marks: number; title: string | null }>(sql`
        select account_name, count(*)::int as marks, null as title ${inForce} group by account_name having count(*) > ${maxRiskMarks}
        union all select account_name, count(*)::int, min(title) ${inForce} group by account_name, lower(title) having count(*) > 1
        order by account_name limit ${MAX_VIOLATIONS}`);
      return rows.map(({ accountName, marks, title }) => ({
        object: title === null ? `The account ${accountName}` : `The risk mark ${title} of ${accountName}`,
        problem: title === null ? `has ${marks} risk marks in force, and can have ${maxRiskMarks}` : `is in force ${marks} times`,
        remedy: 'Remove the others on the page of the account at the desk',
      }));
    },
  },
];
