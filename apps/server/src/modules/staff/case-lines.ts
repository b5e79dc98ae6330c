import { holdsOneOf } from '@portal/contract';
import { type CaseKind, caseKindPermissions, caseKinds, type CaseNotes } from '@portal/contract/staff/cases';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { queue, type Reader } from './requests.ts';

/** Tickets with the columns of cases. */
const ticketLines = sql`select 'tickets' as kind, t.ticket_id::text as case_id, 'Ticket ' || t.ticket_id as reference, t.account_name, coalesce(a.org_name, '') as org_name, t.subject as asked,
  t.requestor_name as requested_by, t.created_at as requested_at,
  case t.state when 'new' then 'submitted' when 'open' then 'in-review' when 'stalled' then 'needs-info' when 'resolved' then 'approved' else 'rejected' end as state,
  t.resolved_at is null as is_open, l.full_name as handler, t.owner as handler_id
  from ticket t left join account a using (account_name) left join login l on l.login_id = t.owner`;
/** All cases of the desk, as a table `c`; `key` is the kind by which they are kept: requests for resources and transfers share their numbers. */
export const caseLines = sql`(select case when kind = 'transfers' then 'resources' else kind end as key, each.* from (
  select kind, request_id as case_id, reference, account_name, org_name, coalesce(asked, '') as asked, requested_by, requested_at, state, resolved_at is null as is_open, handler, handler_id from ${queue}
  union all ${ticketLines}) each) c`;
export const lineColumns = sql`kind, case_id, reference, asked, account_name, state`;

/** A case, with who has it. */
export type FoundCase = CaseNotes['case'] & { key: string; handlerId: string | null };
export const foundColumns = sql`key, ${lineColumns}, org_name, requested_by, requested_at, is_open, handler, handler_id`;

/** The kinds of cases that a person of registry staff handles. */
export const kindsOf = ({ staffPermissions }: Pick<Reader, 'staffPermissions'>): CaseKind[] =>
  caseKinds.filter(kind => holdsOneOf(staffPermissions, [caseKindPermissions[kind]], true));
/** The kind by which a case is kept. */
export const keyOf = (kind: string): string => (kind === 'transfers' ? 'resources' : kind);

const casesWhere = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<FoundCase[]> =>
  read.rows<FoundCase>(sql`select ${foundColumns} from ${caseLines} where ${where} limit 2`);

/** @throws Failure NOT_FOUND, also for a case that the caller doesn’t handle */
export async function caseFor(
  read: Pick<Read, 'rows'>,
  { kind, caseId }: { kind: string; caseId: string },
  caller: Pick<Reader, 'staffPermissions'>,
): Promise<FoundCase> {
  const [found] = isRowId(caseId)
    ? await casesWhere(read, sql`key = ${keyOf(kind)} and case_id = ${caseId} and kind = any (${kindsOf(caller)}::text[])`)
    : [];
  if (!found) throw refuse('NOT_FOUND', { what: 'The case' });
  return found;
}

/** Finds the case of a reference, of the number of a ticket, or of the name in its address. @throws Failure NO_SUCH_CASE */
export async function caseNamed(read: Pick<Read, 'rows'>, typed: string, caller: Pick<Reader, 'staffPermissions'>): Promise<FoundCase> {
  const named = /^([a-z]+)-(\d{1,15})$/.exec(typed);
  const where =
    named && (caseKinds as readonly string[]).includes(named[1]!)
      ? sql`key = ${keyOf(named[1]!)} and case_id = ${named[2]!}`
      : isRowId(typed)
        ? sql`key = 'tickets' and case_id = ${typed}`
        : sql`upper(reference) = ${typed.toUpperCase()}`;
  const [found] = await casesWhere(read, sql`${where} and kind = any (${kindsOf(caller)}::text[])`);
  if (!found) throw refuse('NO_SUCH_CASE', { other: typed }).at('other');
  return found;
}
