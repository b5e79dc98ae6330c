import { type RequestKind, requestKinds, type RequestPath, requestPaths } from '@portal/contract/requests/request-form';
import { groundsOf } from '@portal/contract/requests/request-grounds';
import { sql } from 'kysely';
import { type Invariant, type InvariantScope, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { blocksOf } from './open-request.ts';
import { setAsideAt } from './pre-approvals.ts';

/** Cases that take numbers from their holder, while they are open. */
const handingOver = sql`kind in ('transfer', 'acquisition', 'return') and state in ('offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold')
  and coalesce(form ->> 'incoming', 'false') <> 'true'`;

/** Compares locked parts with open cases. A delegation is marked as locked while a part of it is. */
const locks = (accounts: InvariantScope['accounts']) => sql<{ object: string; problem: string; remedy: string }>`
  with moving as (
    select 'REQ-' || resource_request_id as reference, account_name, state, part
    from resource_request cross join lateral jsonb_array_elements_text(form -> 'resources') part where ${handingOver} and ${isOf(sql`account_name`, accounts)})
  select p.resource || ' of ' || p.account_name as object, 'is locked by ' || p.reference || ', and no open case needs that' as problem,
      'Withdraw the case that locked it by the activity log, or have it unlocked' as remedy
    from locked_part p where ${isOf(sql`p.account_name`, accounts)}
      and not exists (select from moving m where m.reference = p.reference and m.account_name = p.account_name and m.part = p.resource)
  union all
  select m.reference, 'is to move ' || m.part || ', which is not locked', 'Reject the case, and have it sent again'
    from moving m where not exists (select from locked_part p where p.reference = m.reference and p.resource = m.part)
  union all
  select m.reference, 'has its recipient’s word, and what stands over ' || m.part || ' still changes', 'Reject the case, and have it sent again'
    from moving m join locked_part p on p.reference = m.reference and p.resource = m.part where p.fixed_at is null and m.state <> 'offered'
  union all
  select d.resource || ' of ' || d.account_name, 'is locked, and no open case needs that', 'Have it unlocked'
    from delegation d where d.registry = '' and d.status in ('locked', 'closing') and ${isOf(sql`d.account_name`, accounts)}
      and not exists (select from locked_part p where p.account_name = d.account_name and p.kind = d.kind
        and case when d.kind = 'asn' then p.first_as <= d.last_as and p.last_as >= d.first_as else p.first <= d.last and p.last >= d.first end)
  limit ${MAX_VIOLATIONS}`;

/** Space, fees and objects still kept for closed cases. */
const orphans = sql<{ object: string; problem: string; remedy: string }>`
  select p.resource as object, 'is held for ' || p.held_for || ', which is ' || coalesce('over: ' || r.state, 'no case') as problem, 'Release it at the desk' as remedy
    from pool p left join resource_request r on p.held_for = 'REQ-' || r.resource_request_id
    where p.held_for is not null and coalesce(r.state, '') not in ('submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold')
  union all
  select 'The fee of ' || f.reference, 'is to be paid, and the case is ' || coalesce(r.state, 'not there'), 'Cancel its invoice by a credit note'
    from transfer_fee f left join resource_request r on f.reference = 'REQ-' || r.resource_request_id left join invoice i using (invoice_id)
    where f.kind = 'transfer' and f.cancelled_at is null and coalesce(i.state, 'issued') in ('issued', 'partly-paid')
      and coalesce(r.state, '') not in ('awaiting-fee', 'on-hold')
  union all
  select 'REQ-' || r.resource_request_id, 'waits for a fee that nobody charged', 'Reject it, or have it approved again'
    from resource_request r where r.state = 'awaiting-fee' and not exists (select from transfer_fee f where f.reference = 'REQ-' || r.resource_request_id and f.cancelled_at is null)
  union all
  select h.name, 'is handed over until ' || h.ends_on || ', and its case is ' || r.state, 'End it at the desk'
    from held_object h join resource_request r using (resource_request_id) where h.ended_at is null and h.kept_at is null and r.state <> 'completed'
  union all
  select 'The pre-approval of ' || account_name, 'has ' || remaining || ' left of ' || granted, 'Look at the requests that used it' from pre_approval where remaining not between 0 and granted
  limit ${MAX_VIOLATIONS}`;

/** Requests approved on grounds that their kind doesn't have. */
async function onOtherGrounds({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const rows = await read.rows<{ reference: string; kind: RequestKind; path: RequestPath | '' }>(sql`
    select 'REQ-' || resource_request_id as reference, kind, coalesce(form ->> 'path', '') as path from resource_request
    where state = 'completed' and kind in ('ipv4', 'ipv6', 'asn') and ${isOf(sql`account_name`, accounts)} order by resource_request_id`);
  return rows
    .filter(({ kind, path }) => !groundsOf(kind).includes(path))
    .slice(0, MAX_VIOLATIONS)
    .map(({ reference, kind, path }) => ({
      object: reference,
      problem: `was given ${requestKinds[kind]} on grounds that these can't have: ${path === '' ? 'none' : requestPaths[path]}`,
      remedy: 'Look at what it was given, and correct it with its holder',
    }));
}

type Used = { accountName: string; granted: number; remaining: number; resources: string[][] };

/** Compares valid pre-approvals with the cases that use them: those that reserved a part after it was granted and didn't fail. */
async function overdrawn({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const rows =
    await read.rows<Used>(sql`select p.account_name, p.granted, p.remaining, coalesce(json_agg(r.form -> 'resources') filter (where r.form is not null), '[]') as resources
    from pre_approval p join resource_request g using (resource_request_id)
    left join resource_request r on r.state not in ('draft', 'offered', 'withdrawn', 'expired', 'rejected', 'declined')
      and ((r.recipient_name = p.account_name and (r.receive_form ->> 'usePreApproval')::boolean)
        or (r.account_name = p.account_name and (r.form ->> 'incoming')::boolean and (r.form ->> 'usePreApproval')::boolean))
      and g.resolved_at <= ${setAsideAt}
    where p.replaced_on is null and ${isOf(sql`p.account_name`, accounts)} group by p.pre_approval_id, p.account_name, p.granted, p.remaining order by p.account_name`);
  return rows.flatMap(({ accountName, granted, remaining, resources }) => {
    const used = resources.reduce((sum, each) => sum + blocksOf(each), 0);
    return used + remaining === granted
      ? []
      : [
          {
            object: `The pre-approval of ${accountName}`,
            problem: `has ${remaining} left of ${granted}, of which cases use ${used}`,
            remedy: 'Look at the requests that used it, and correct what is left',
          },
        ];
  });
}

/** Invariants of cases. */
export const requestsInvariants: readonly Invariant[] = [
  {
    name: 'requests.locks',
    sentence: 'Each lock of a hand-over has its open case, and each such case its locks',
    check: async ({ read, accounts }) => read.rows(locks(accounts)),
  },
  {
    name: 'requests.orphans',
    sentence: 'No space is held, no fee charged and no object handed over for a case that is over',
    check: async ({ read }) => read.rows(orphans),
  },
  {
    name: 'requests.preApprovals',
    sentence: 'What is left of a pre-approval is what no case has used of it',
    check: overdrawn,
  },
  {
    name: 'requests.grounds',
    sentence: 'Numbers are given on grounds that their kind can have',
    check: onOtherGrounds,
  },
];
