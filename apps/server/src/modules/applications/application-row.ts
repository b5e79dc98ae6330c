import { rowNumber } from '@portal/contract/row-ids';
import type { ApplicationDraft, ApplicationStep } from '@portal/contract/applications/application-form';
import type { ApplicationState } from '@portal/contract/applications/life';
import type { Application, ApplicationDetail, ApplicationEvent } from '@portal/contract/applications/applications';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { Attachment } from '@portal/contract/documents/documents';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { attachmentsOf } from '../documents/index.ts';

/** How long an untouched draft is stored, and when its owner is reminded. */
export const DRAFT_DAYS = 14;
export const DRAFT_REMINDER_DAYS = 10;

/** An application as used in this module. */
export type Row = {
  id: number;
  loginId: string;
  applicantName: string;
  applicantEmail: string;
  emailVerified: boolean;
  state: ApplicationState;
  startedAt: string;
  since: string;
  form: ApplicationDraft | null;
  accountName: string | null;
  agreementVersion: string | null;
  agreedAt: string | null;
  submittedAt: string | null;
  reviewer: string | null;
  reviewerId: string | null;
  question: string | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
  note: string | null;
  /** Version of the draft; null if it was deleted. */
  version: number | null;
  step: ApplicationStep | null;
  draft: ApplicationDraft | null;
  savedAt: string | null;
  accountStatus: NonNullable<Application['accountStatus']> | null;
  referrer: string | null;
  referrerOrgName: string | null;
};

/** SQL: application `m` is open, and reserves its account name; see `openApplicationStates`. */
export const isOpen = sql<boolean>`m.state in ('submitted', 'in-review', 'needs-info')`;

export const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select m.membership_application_id as id, m.login_id, l.full_name as applicant_name, l.email as applicant_email, l.email_verified, m.state,
    m.started_at, m.since, m.form, m.account_name, m.agreement_version, m.agreed_at, m.submitted_at, reviewer.full_name as reviewer, m.reviewer as reviewer_id, m.question,
    staff.full_name as resolved_by, m.resolved_at, m.note, d.version, d.step, d.draft, d.saved_at,
    case m.state when 'approved' then a.account_status end as account_status, r.account_name as referrer, ra.org_name as referrer_org_name
  from membership_application m join login l using (login_id) left join application_draft d using (membership_application_id)
    left join login reviewer on reviewer.login_id = m.reviewer left join login staff on staff.login_id = m.resolved_by
    left join account a on a.account_name = m.account_name
    left join referral r on r.membership_application_id = m.membership_application_id left join account ra on ra.account_name = r.account_name
  where ${where}`;

export const referenceOf = (id: number): string => `APP-${id}`;
/** A number in a path; null for anything else. */
export const byId = async (read: Read, id: number): Promise<Row> =>
  (await read.rows(rowsWhere(sql`m.membership_application_id = ${id}`)))[0]!;

const later = (instant: string, days: number): string => instantAfter(instant, days * DAY_MS);
/** Returns when a draft saved at this time is deleted. */
export const expiryOf = (savedAt: string): string => later(savedAt, DRAFT_DAYS);

/** Returns the application as the applicant sees it in the list. */
export const forApplicant = (row: Row): Application => ({
  applicationId: String(row.id),
  reference: referenceOf(row.id),
  state: row.state,
  orgName: (row.draft ?? row.form)?.orgName ?? '',
  accountName: row.accountName ?? row.draft?.accountName ?? '',
  step: row.step ?? 'organisation',
  startedAt: row.startedAt,
  savedAt: row.savedAt ?? row.since,
  submittedAt: row.submittedAt,
  expiresAt: row.state === 'draft' && row.savedAt !== null ? expiryOf(row.savedAt) : null,
  accountStatus: row.accountStatus,
  referredBy: row.referrerOrgName,
});

/** The files that go with an application. */
export const documentsOf = async (read: Read, id: number): Promise<Attachment[]> =>
  (await attachmentsOf(read, [referenceOf(id)])).get(referenceOf(id))!;

/** Returns the history of an application, oldest first. Applicants see `Registry staff` instead of names. */
export async function eventsOf(read: Read, id: number, { forStaff }: { forStaff: boolean }): Promise<ApplicationEvent[]> {
  const events = await read
    .selectFrom('applicationEvent')
    .leftJoin('login', 'login.loginId', 'applicationEvent.loginId')
    .select(['kind', 'at', 'words', 'byStaff', 'login.fullName'])
    .where('membershipApplicationId', '=', id)
    .orderBy('applicationEventId')
    .execute();
  return events.map(({ kind, at, words, byStaff, fullName }) => ({
    kind: kind as ApplicationEvent['kind'],
    at,
    words,
    by: byStaff && !forStaff ? 'Registry staff' : fullName,
  }));
}

/** Records an event of an application. */
export async function recordEvent(
  change: Change,
  id: number,
  { kind, by, words = '' }: { kind: ApplicationEvent['kind']; by: Caller | null; words?: string },
  { byStaff = false } = {},
): Promise<void> {
  await change
    .insertInto('applicationEvent')
    .values({ membershipApplicationId: id, kind, at: change.now, loginId: by?.loginId ?? null, byStaff, words })
    .execute();
}

/** The complete application, for the applicant. */
export async function detailFor(read: Read, row: Row): Promise<ApplicationDetail> {
  return {
    ...forApplicant(row),
    version: row.version ?? 0,
    draft: (row.draft ?? row.form)!,
    applicant: { fullName: row.applicantName, email: row.applicantEmail },
    question: row.state === 'needs-info' ? row.question : null,
    agreement: row.agreementVersion === null ? null : { version: row.agreementVersion, agreedAt: row.agreedAt! },
    papers: await documentsOf(read, row.id),
    events: await eventsOf(read, row.id, { forStaff: false }),
  };
}

const what = { what: 'The application' };

/** Returns the caller's application. Another person's application looks non-existent, and so does a deleted draft. */
export async function ownRow(read: Read, applicationId: string, caller: Caller): Promise<Row> {
  const id = rowNumber(applicationId);
  const [row] = id === null ? [] : await read.rows(rowsWhere(sql`m.membership_application_id = ${id} and m.login_id = ${caller.loginId}`));
  if (!row || (row.form === null && row.draft === null)) throw refuse('NOT_FOUND', what);
  return row;
}

/** The same, locked. @throws Failure NOT_FOUND */
export async function lockOwnRow(change: Change, applicationId: string, caller: Caller): Promise<Row> {
  const { id } = await ownRow(change, applicationId, caller);
  await lockApplication(change, id);
  return ownRow(change, applicationId, caller);
}

/** Locks an application, before locking anything that belongs to it. */
export async function lockApplication(change: Change, id: number): Promise<void> {
  await change
    .selectFrom('membershipApplication')
    .select('membershipApplicationId')
    .where('membershipApplicationId', '=', id)
    .forNoKeyUpdate()
    .execute();
}
