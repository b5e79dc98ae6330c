import { rowNumber } from '@portal/contract/row-ids';
import { leadsTo } from '@portal/contract/life';
import { openRequestStates, requestLife } from '@portal/contract/requests/life';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import type { RecoveryGround } from '@portal/contract/requests/recoveries';
import { askedFor } from '@portal/contract/requests/request-words';
import type { RequestState } from '@portal/contract/requests/life';
import type { RequestEvent, ResourceRequest } from '@portal/contract/requests/requests';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

/** A case as used in this module. */
export type Row = {
  id: number;
  accountName: string;
  orgName: string;
  economy: string | null;
  accountStatus: string;
  kind: RequestKind;
  state: RequestState;
  version: number;
  form: RequestForm;
  recipientName: string | null;
  otherRegistry: string | null;
  receiveForm: RequestForm | null;
  /** The plan that the parties agreed to, a line for each object. */
  agreed: string[] | null;
  subaccountId: number | null;
  /** Its name. */
  subaccount: string | null;
  requestedBy: string;
  requesterName: string;
  requesterEmail: string;
  startedAt: string;
  submittedAt: string | null;
  since: string;
  expiresAt: string | null;
  reminders: number;
  reviewer: string | null;
  reviewerId: string | null;
  /** Open questions of the registry, one at most to each party. */
  questions: { accountName: string; words: string; answerBy: string }[];
  decidedBy: string | null;
  byRobot: boolean;
  resolvedAt: string | null;
  note: string | null;
  outcome: Outcome | null;
  fee: string | null;
  feePaidOn: string | null;
  place: number | null;
  /** For a recovery: its ground, and the first day on which it can be carried out. */
  recoveryGround: RecoveryGround | null;
  noticeUntil: string | null;
  /** The registry opened it without a request of the account. */
  direct: boolean;
  /** The earliest day on which it can be carried out; null for any. */
  earliestOn: string | null;
};

/** The result of a decision. */
export type Outcome = { resources: string[]; from?: string; to?: string; restsUntil?: string; registrationsEnded?: number; roas?: number };

/** A description of the case, for lists and mails. */
export const inWords = ({ kind, form, recoveryGround, direct }: Pick<Row, 'kind' | 'form' | 'recoveryGround' | 'direct'>): string =>
  direct
    ? `Direct delegation of ${form.resources[0] ?? askedFor(kind, form)}`
    : recoveryGround === null
      ? askedFor(kind, form)
      : `Recovery of ${form.resources.length === 1 ? form.resources[0]! : `${form.resources.length} resources`}`;

export const referenceOf = (id: number): string => `REQ-${id}`;
/** The earliest day on which a case can be carried out: for a recovery the end of its notice, for a return or merger the day its holder named. */
export const earliestOn = sql<
  string | null
>`coalesce(r.notice_until, case when r.kind in ('return', 'acquisition') then nullif(r.form ->> 'startsOn', '')::date end)`;

/** SQL: request `r` waits for the registry’s decision. */
export const isWithRegistry = sql<boolean>`r.state in ('submitted', 'in-review')`;
const waitsForRegistry = (state: RequestState): boolean => state === 'submitted' || state === 'in-review';

const columns = sql`r.resource_request_id as id, r.account_name, a.org_name, a.economy, a.account_status, r.kind, r.state, r.version, r.form, r.recipient_name,
  r.other_registry, r.receive_form, r.agreed, r.subaccount_id, sub.name as subaccount, r.requested_by, l.full_name as requester_name, l.email as requester_email, r.started_at, r.submitted_at,
  r.since, r.expires_at, r.reminders, reviewer.full_name as reviewer, r.reviewer as reviewer_id, staff.full_name as decided_by, r.by_robot, r.resolved_at, r.note, r.outcome,
  r.fee::text, r.fee_paid_on::text, r.recovery_ground, r.notice_until::text, r.direct, ${earliestOn}::text as earliest_on,
  (select coalesce(json_agg(json_build_object('accountName', q.account_name, 'words', q.words, 'answerBy', q.answer_by) order by q.resource_request_question_id), '[]')
    from resource_request_question q where q.resource_request_id = r.resource_request_id and q.closed_at is null) as questions,
  case when ${isWithRegistry} then (select count(*)::int from resource_request o where o.state in ('submitted', 'in-review')
    and (o.submitted_at, o.resource_request_id) <= (r.submitted_at, r.resource_request_id))
    when r.state = 'on-hold' and r.kind = 'ipv4' then (select count(*)::int from resource_request o where o.state = 'on-hold' and o.kind = 'ipv4'
    and (o.since, o.resource_request_id) <= (r.since, r.resource_request_id)) end as place`;

const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`select ${columns} from resource_request r
  join account a using (account_name) join login l on l.login_id = r.requested_by left join login reviewer on reviewer.login_id = r.reviewer
  left join login staff on staff.login_id = r.decided_by left join subaccount sub on sub.subaccount_id = r.subaccount_id where ${where}`;

/** Forms of earlier versions lack newer fields, and of kinds other than transfers may say that they are incoming; instants inside JSON have the database's format. */
const completed = (row: Row): Row => ({
  ...row,
  questions: row.questions.map(question => ({ ...question, answerBy: new Date(question.answerBy).toISOString() })),
  form: { ...emptyForm, ...row.form, incoming: row.kind === 'transfer' && (row.form.incoming ?? false) },
  receiveForm: row.receiveForm && { ...emptyForm, ...row.receiveForm },
});

export const requestRows = async (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<Row[]> =>
  (await read.rows(rowsWhere(where))).map(completed);

export async function requestById(read: Pick<Read, 'rows'>, id: number): Promise<Row | null> {
  return (await requestRows(read, sql`r.resource_request_id = ${id}`))[0] ?? null;
}

/** The recipient of a transfer sees it once it is offered. */
const known = sql`r.state <> 'draft' and r.submitted_at is not null`;
/** Which cases an account is a party of. */
export const partyOf = (accountName: string): RawBuilder<unknown> =>
  sql`(r.account_name = ${accountName} or (r.recipient_name = ${accountName} and ${known}))`;

const what = { what: 'The request' };

/** A case that the account is a party of. @throws Failure NOT_FOUND */
export async function ownRequest(read: Pick<Read, 'rows'>, accountName: string, requestId: string): Promise<Row> {
  const id = rowNumber(requestId);
  const [row] = id === null ? [] : await requestRows(read, sql`r.resource_request_id = ${id} and ${partyOf(accountName)}`);
  if (!row || (row.state === 'expired' && row.submittedAt === null)) throw refuse('NOT_FOUND', what);
  return row;
}

/** The same, locked until the change ends. */
export async function lockOwnRequest(change: Change, accountName: string, requestId: string): Promise<Row> {
  const { id } = await ownRequest(change, accountName, requestId);
  await lockRequest(change, id);
  return ownRequest(change, accountName, requestId);
}

export async function lockRequest(change: Change, id: number): Promise<void> {
  await change.rows(sql`select 1 from resource_request where resource_request_id = ${id} for no key update`);
}

/**
 * Changes a case; its version grows with every change. A case that is taken into review waits for as long as before: its promise and its place in line stay.
 * @throws Error for a transition that its life doesn’t have, which is a defect
 */
export async function updateRequest(change: Change, row: Pick<Row, 'id' | 'state'>, values: Partial<Values>): Promise<void> {
  const isMove = values.state !== undefined && values.state !== row.state;
  if (isMove && !leadsTo(requestLife, row.state, values.state!))
    throw new Error(`${referenceOf(row.id)} is ${row.state}, and no move of its life leads to ${values.state}.`);
  const waitsOn = isMove && waitsForRegistry(row.state) && waitsForRegistry(values.state!);
  const set = { ...values, ...(isMove && { ...(!waitsOn && { since: change.now }), reminders: 0, expiresAt: values.expiresAt ?? null }) };
  await change
    .updateTable('resourceRequest')
    .set(eb => ({
      version: eb('version', '+', 1),
      ...(Object.fromEntries(
        Object.entries(set).map(([key, value]) => [key, value !== null && typeof value === 'object' ? JSON.stringify(value) : value]),
      ) as object),
    }))
    .where('resourceRequestId', '=', row.id)
    .execute();
}

/** Sets who reviews a case. Its version stays: it counts what is decided, and a second person may be looking at it. */
export async function setReviewer(change: Change, { id }: Pick<Row, 'id'>, loginId: string): Promise<void> {
  await change.updateTable('resourceRequest').set({ reviewer: loginId }).where('resourceRequestId', '=', id).execute();
}

export type Values = {
  state: RequestState;
  form: RequestForm;
  receiveForm: RequestForm;
  recipientName: string | null;
  otherRegistry: string | null;
  submittedAt: string;
  expiresAt: string | null;
  reminders: number;
  reviewer: string | null;
  decidedBy: string | null;
  byRobot: boolean;
  resolvedAt: string;
  note: string;
  outcome: Outcome;
  fee: string | null;
  feePaidOn: string;
  feeReference: string;
};

export type EventKind =
  | 'submitted'
  | 'offered'
  | 'acknowledged'
  | 'in-review'
  | 'question'
  | 'answer'
  | 'message'
  | 'note'
  | 'reserved'
  | 'approved'
  | 'awaiting-fee'
  | 'fee-paid'
  | 'completed'
  | 'rejected'
  | 'withdrawn'
  | 'declined'
  | 'expired'
  | 'reminded'
  | 'on-hold';

/** Records an event or a message of a case. */
export async function recordEvent(
  change: Change,
  id: number,
  kind: EventKind,
  {
    by = null,
    byStaff = false,
    internal = false,
    accountName = null,
    words = '',
  }: { by?: string | null; byStaff?: boolean; internal?: boolean; accountName?: string | null; words?: string } = {},
): Promise<void> {
  await change
    .insertInto('resourceRequestEvent')
    .values({ resourceRequestId: id, kind, at: change.now, loginId: by, byStaff, internal, accountName, words })
    .execute();
}

/** Events of the conversation with one party, hidden from the other. */
const ofOneParty: readonly string[] = ['message', 'answer', 'question', 'reminded', 'on-hold'] satisfies EventKind[];

/**
 * Returns the events of a request, oldest first. A member sees neither internal notes nor names of staff, and of the other party only that it acted,
 * not its words. Messages to both parties belong to neither.
 */
export async function eventsOf(read: Pick<Read, 'rows'>, id: number, reader: { accountName: string } | 'staff'): Promise<RequestEvent[]> {
  const events = await read.rows<{
    eventId: string;
    kind: string;
    at: string;
    by: string | null;
    byStaff: boolean;
    internal: boolean;
    accountName: string | null;
    words: string;
  }>(sql`
    select e.resource_request_event_id::text as event_id, e.kind, e.at, l.full_name as "by", e.by_staff, e.internal, e.account_name, e.words
    from resource_request_event e left join login l using (login_id) where e.resource_request_id = ${id}
      ${reader === 'staff' ? sql`` : sql`and not e.internal`} order by e.resource_request_event_id`);
  return events
    .filter(
      ({ kind, accountName }) =>
        reader === 'staff' || accountName === null || accountName === reader.accountName || !ofOneParty.includes(kind),
    )
    .map(({ accountName, ...rest }) => {
      const event = { ...rest, party: accountName };
      if (reader === 'staff') return event;
      const isOther = accountName !== null && accountName !== reader.accountName;
      return { ...event, by: event.byStaff ? 'Registry staff' : isOther ? accountName : event.by, words: isOther ? '' : event.words };
    });
}

export const isOpen = ({ state }: Pick<Row, 'state'>): boolean => openRequestStates.includes(state);

function nextMoveOf({ state, accountName, recipientName, form, kind, questions }: Row, reader: string): ResourceRequest['nextMove'] {
  const isRecipient = reader === recipientName && reader !== accountName;
  if (!isOpen({ state })) return 'none';
  if (state === 'draft') return 'you';
  if (state === 'offered') return isRecipient ? 'you' : 'other-party';
  if (state === 'needs-info') return questions.some(question => question.accountName === reader) ? 'you' : 'other-party';
  if (state === 'awaiting-fee') return isRecipient || (kind === 'transfer' && form.otherRegistry !== '') ? 'you' : 'other-party';
  return 'registry';
}

/** The case as listed for one of its parties. */
export function forMember(row: Row, reader: string): ResourceRequest {
  const isOther = reader !== row.accountName;
  const isRecipient = isOther || row.form.incoming;
  return {
    requestId: String(row.id),
    reference: referenceOf(row.id),
    kind: row.kind,
    state: row.state,
    asked: inWords(row),
    accountName: row.accountName,
    otherParty: isOther ? row.accountName : (row.recipientName ?? (row.otherRegistry || null)),
    role: isRecipient ? 'recipient' : 'requester',
    nextMove: nextMoveOf(row, reader),
    place: row.place,
    startedAt: row.startedAt,
    submittedAt: row.submittedAt,
    since: row.since,
    expiresAt: row.questions.find(({ accountName }) => accountName === reader)?.answerBy ?? row.expiresAt,
    requestedBy: row.direct || row.recoveryGround !== null ? 'Registry staff' : isOther ? row.orgName : row.requesterName,
    resolvedAt: row.resolvedAt,
    note: row.note,
    resources: row.outcome?.resources ?? [],
    subaccount: isOther ? null : row.subaccount,
  };
}
