import { casePath } from '@portal/contract/staff/case-words';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { type DeskKind, deskKindPermissions } from '@portal/contract/staff/desk';
import { sql } from 'kysely';
import { dueBy, promisedBy } from '../requests/index.ts';
import type { EffectOf } from '../policy/index.ts';
import { queue } from './requests.ts';

type Waiting = {
  kind: DeskKind;
  requestId: string;
  reference: string | null;
  orgName: string;
  asked: string;
  waitsSince: string;
};

/** The form of an instant in a row: `2 Mar 2027, 10:00 UTC`. */
const at = (instant: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(instant)).replace('Sept', 'Sep')} UTC`;

/** Open cases that wait for the registry. They keep the hours that were promised on the day since which they wait. */
const promiseHours: EffectOf = async (read, { after, ofAllDays, now }) => {
  const waiting = await read.rows<Waiting>(sql`
    select kind, request_id, reference, org_name, coalesce(asked, '') as asked, waits_since from ${queue} where waits_since is not null order by waits_since`);
  const isLate = (due: string): boolean => Date.parse(due) < now.getTime();
  const cases = waiting.map(each => ({ ...each, due: promisedBy(each.waitsSince, ofAllDays) }));
  const late = cases.filter(({ due }) => isLate(due)).length;
  const would = cases.filter(({ waitsSince }) => isLate(dueBy(waitsSince, after.requestPolicy.promiseHours))).length;
  const one = cases.length === 1;
  return {
    sentence: `Of ${cases.length} open ${one ? 'case that waits' : 'cases that wait'} for the registry, ${late} ${late === 1 ? 'is' : 'are'} late. With the new hours ${would} would be. ${one ? 'It keeps' : 'They keep'} the hours of the day since which ${one ? 'it waits' : 'they wait'}; what is sent from that day on has the new ones.`,
    of: 'case',
    all: cases.length,
    met: 0,
    rows: cases.map(({ kind, requestId, reference, orgName, asked, due }) => ({
      what: reference ?? asked,
      detail: reference === null ? orgName : `${asked}, ${orgName}`,
      link: casePath({ kind, caseId: requestId }),
      before: `${at(due)}${isLate(due) ? ', late' : ''}`,
      after: `${at(due)}${isLate(due) ? ', late' : ''}`,
      numbers: null,
      needs: [deskKindPermissions[kind]],
    })),
  };
};

/** Effects of changes of the policy on open cases. */
export const staffPolicyEffects = { 'requestPolicy.promiseHours': promiseHours } as const satisfies Partial<
  Record<PolicyValueName, EffectOf>
>;
