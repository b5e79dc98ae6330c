import { holdsOneOf } from '@portal/contract';
import { type CaseKind, caseKindPermissions, caseKinds, type CaseNotes } from '@portal/contract/staff/cases';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { queue, type Reader } from './requests.ts';
import { keyOfCase } from '../roles/index.ts';

/** Tickets with the columns of cases. */
const ticketLines = sql`select 'tickets' as kind, t.ticket_id::text as case_id, t.ticket_id as case_number, 'Ticket ' || t.ticket_id as reference, t.account_name, coalesce(a.org_name, '') as org_name, t.subject as asked,
  case when t.from_registry then coalesce((select m.author from ticket_message m where m.ticket_id = t.ticket_id order by m.ticket_message_id limit 1), 'the registry') else t.requestor_name end as requested_by, t.created_at as requested_at,
  case t.state when 'new' then 'submitted' when 'open' then 'in-review' when 'stalled' then 'needs-info' when 'resolved' then 'approved' else 'rejected' end as state,
  t.resolved_at is null as is_open, l.full_name as handler, t.owner as handler_id
  from ticket t left join account a using (account_name) left join login l on l.login_id = t.owner`;
const eachKey = sql`case when each.kind = 'transfers' then 'resources' else each.kind end`;
function eachCase(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${eachKey} as key, each.* from (
    select kind, request_id as case_id, case_number, reference, account_name, org_name, coalesce(asked, '') as asked, requested_by, requested_at, state, resolved_at is null as is_open, handler, handler_id from ${queue}
    union all ${ticketLines}) each ${which}`;
}
/**
 * All cases of the desk, as a table `c`; `key` is the kind by which they are kept: requests for resources and transfers share their numbers. Find one by `case_number`, which has an
 * index in each of their tables; `case_id` is its text.
 */
export const caseLines = sql`(${eachCase(sql``)}) c`;
/** One case as a table `c`, to be joined to rows that name it: it is looked up by the index of each kind. */
export const caseAt = (key: RawBuilder<unknown>, caseId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lateral (${eachCase(sql`where ${eachKey} = ${key} and each.case_number = ${caseId}::bigint limit 1`)}) c`;
export const lineColumns = sql`c.kind, c.case_id, c.reference, c.asked, c.account_name, c.state`;

/** A case, with who has it. */
export type FoundCase = Omit<CaseNotes['case'], 'second'> & { key: string; handlerId: string | null };
export const foundColumns = sql`c.key, ${lineColumns}, c.org_name, c.requested_by, c.requested_at, c.is_open, c.handler, c.handler_id`;

/** Whether something is read, which auditors may too, or done. */
type Right = 'read' | 'act';
/** The kinds of cases that a person of registry staff sees, or handles. */
export const kindsOf = ({ staffPermissions }: Pick<Reader, 'staffPermissions'>, right: Right): CaseKind[] =>
  caseKinds.filter(kind => holdsOneOf(staffPermissions, [caseKindPermissions[kind]], right === 'read'));

const casesWhere = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<FoundCase[]> =>
  read.rows<FoundCase>(sql`select ${foundColumns} from ${caseLines} where ${where} limit 2`);
const numbered = ({ kind, caseId }: CaseName): RawBuilder<unknown> => sql`c.key = ${keyOfCase(kind)} and c.case_number = ${Number(caseId)}`;

type CaseName = { kind: string; caseId: string };

/** Returns a case of any kind, without looking at the reader’s rights; null where it doesn’t exist (any more). */
export const findCase = async (read: Pick<Read, 'rows'>, named: CaseName): Promise<FoundCase | null> =>
  isRowId(named.caseId) ? ((await casesWhere(read, numbered(named)))[0] ?? null) : null;

/** @throws Failure NOT_FOUND, also for a case of a kind that the caller doesn’t see, or handle */
export async function caseFor(
  read: Pick<Read, 'rows'>,
  named: CaseName,
  caller: Pick<Reader, 'staffPermissions'>,
  right: Right,
): Promise<FoundCase> {
  const found = await findCase(read, named);
  if (!found || !kindsOf(caller, right).includes(found.kind)) throw refuse('NOT_FOUND', { what: 'The case' });
  return found;
}

/** Finds the case of a reference, of the number of a ticket, or of the name in its address, to act on it. @throws Failure NO_SUCH_CASE */
export async function caseNamed(read: Pick<Read, 'rows'>, typed: string, caller: Pick<Reader, 'staffPermissions'>): Promise<FoundCase> {
  const [, kind, number] = /^(?:([a-z]+)-)?(\d{1,15})$/.exec(typed) ?? [];
  // Each reference ends with the number of its case.
  const [, last] = /(\d{1,15})$/.exec(typed) ?? [];
  const isKind = (caseKinds as readonly string[]).includes(kind ?? 'tickets');
  const where =
    number !== undefined && isKind
      ? numbered({ kind: kind ?? 'tickets', caseId: number })
      : sql`c.case_number = ${Number(last ?? 0)} and upper(c.reference) = ${typed.toUpperCase()}`;
  const [found] = await casesWhere(read, where);
  if (!found || !kindsOf(caller, 'act').includes(found.kind)) throw refuse('NO_SUCH_CASE', { other: typed }).at('other');
  return found;
}
