import { rowNumber } from '@portal/contract/row-ids';
import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { applications, StaffApplication, StaffApplicationDetail } from '@portal/contract/applications/applications';
import { casePath } from '@portal/contract/staff/case-words';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { attachToAccount } from '../documents/index.ts';
import { acceptAsApplicant } from '../legal/index.ts';
import { notifyFormerHandler } from '../roles/index.ts';
import { registrationKeyColumn, registrationKeyOf, releaseAccountName } from './account-names.ts';
import { notifyApplicant } from './application-notices.ts';
import { byId, eventsOf, documentsOf, recordEvent, referenceOf, type Row, rowsWhere, isOpen } from './application-row.ts';
import { openNewMember } from './new-member.ts';
import { notifyReferrer } from './referral-row.ts';
import { memberWithNumber } from './submission.ts';
import { applicationsTexts } from './mail-texts.ts';

/** Returns an application as registry staff see it. Only submitted ones reach them. */
const forStaff = (row: Row): StaffApplication => ({
  applicationId: String(row.id),
  reference: referenceOf(row.id),
  state: row.state,
  orgName: row.form!.orgName,
  economy: row.form!.economy,
  business: row.form!.business,
  accountName: row.accountName!,
  accountType: row.form!.membership === 'member' ? 'regular' : 'non member',
  resources: row.form!.resources,
  applicantName: row.applicantName,
  applicantEmail: row.applicantEmail,
  submittedAt: row.submittedAt!,
  since: row.since,
  reviewer: row.reviewer,
  resolvedBy: row.state === 'withdrawn' ? row.applicantName : row.resolvedBy,
  resolvedAt: row.resolvedAt,
  note: row.note,
});

/** An application with everything in it, as registry staff read it. */
export async function detailForStaff(read: Read, row: Row): Promise<StaffApplicationDetail> {
  const [events, alike, papers] = await Promise.all([
    eventsOf(read, row.id, { forStaff: true }),
    alikeOf(read, row),
    documentsOf(read, row.id),
  ]);
  return {
    ...forStaff(row),
    form: row.form!,
    agreement: { version: row.agreementVersion!, agreedAt: row.agreedAt! },
    papers,
    events,
    question: row.state === 'needs-info' ? row.question : null,
    alike,
    referredBy: row.referrer === null ? null : { accountName: row.referrer, orgName: row.referrerOrgName! },
  };
}

/** Accounts and open applications that may be the same organisation: by name, or by registration number, in the same economy. */
async function alikeOf(read: Read, { id, form, accountName, state }: Row): Promise<StaffApplicationDetail['alike']> {
  const { orgName, economy, registrationNumber } = form!;
  const key = registrationKeyOf(registrationNumber);
  const own = state === 'approved' ? accountName : null;
  return read.rows<StaffApplicationDetail['alike'][number]>(sql`
    select 'account' as kind, a.account_name as name, null as application_id, a.org_name from account a left join organisation o using (account_name)
      where a.economy = ${economy} and a.account_name is distinct from ${own} and (lower(a.org_name) = lower(${orgName})
        or (${key}::text is not null and o.registration_number <> ''
          and ${registrationKeyColumn} = ${key}::text))
    union all
    select 'application', 'APP-' || m.membership_application_id, m.membership_application_id::text, m.org_name from membership_application m
      where ${isOpen} and m.membership_application_id <> ${id} and m.economy = ${economy}
        and (lower(m.org_name) = lower(${orgName}) or m.registration_key = ${key}::text)
    order by kind, name limit 20`);
}

type Filters = Omit<QueryOf<typeof applications.listStaffApplications>, 'offset' | 'limit'>;

/** Filter and order of applications: waiting ones oldest first, others newest first. */
function chosen({ status, q, state, economy }: Filters): { where: RawBuilder<unknown>; order: RawBuilder<unknown> } {
  const pattern = containsPattern(q.trim());
  const conditions = [
    sql`m.form is not null`,
    status === 'open' ? isOpen : sql`m.resolved_at is not null`,
    ...(state === undefined ? [] : [sql`m.state = ${state}`]),
    ...(economy === undefined ? [] : [sql`m.economy = ${economy}`]),
    ...(q.trim() === ''
      ? []
      : [
          sql`(m.org_name ilike ${pattern} or m.account_name ilike ${pattern} or m.form ->> 'registrationNumber' ilike ${pattern}
            or l.full_name ilike ${pattern} or l.email ilike ${pattern} or 'APP-' || m.membership_application_id ilike ${pattern})`,
        ]),
  ];
  return {
    where: sql.join(conditions, sql` and `),
    order: status === 'open' ? sql`m.submitted_at, m.membership_application_id` : sql`m.resolved_at desc, m.membership_application_id desc`,
  };
}

/** A page of the applications, as registry staff read them. */
export async function listStaffApplications({
  read,
  query: { offset, limit, ...filters },
}: Act<typeof applications.listStaffApplications>): Promise<AnswerOf<typeof applications.listStaffApplications>> {
  const { where, order } = chosen(filters);
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(
      sql`select count(*)::int as total from membership_application m join login l using (login_id) where ${where}`,
    ),
    read.rows(rowsWhere(sql`${where} order by ${order} limit ${limit} offset ${offset}`)),
  ]);
  return { rows: rows.map(forStaff), total: counted[0]!.total };
}

const exportedColumns = [
  'reference',
  'state',
  'orgName',
  'economy',
  'business',
  'accountName',
  'accountType',
  'resources',
  'applicantName',
  'applicantEmail',
  'submittedAt',
  'reviewer',
  'resolvedBy',
  'resolvedAt',
  'note',
] as const satisfies readonly (keyof StaffApplication)[];
const BATCH = 500;

/** Returns all applications a filter finds as a file. */
export const exportStaffApplications = async ({
  read,
  query: { format, ...filters },
}: Act<typeof applications.exportStaffApplications>): Promise<Download> =>
  tableFile('applications', format, exportedColumns, streamStaffApplications(read, filters));

/** All applications a filter finds, a batch at a time. */
async function* streamStaffApplications(
  read: Read,
  filters: Filters,
): AsyncGenerator<(Omit<StaffApplication, 'resources'> & { resources: string })[]> {
  const { where, order } = chosen(filters);
  for (let offset = 0; ; offset += BATCH) {
    const rows = await read.rows(rowsWhere(sql`${where} order by ${order} limit ${BATCH} offset ${offset}`));
    yield rows.map(row => ({ ...forStaff(row), resources: row.form!.resources.join(' ') }));
    if (rows.length < BATCH) return;
  }
}

/** Submitted membership applications, as rows of the desk's queue, with the account once it exists. */
export const applicationQueue = sql`select 'applications' as kind, m.membership_application_id::text as request_id, m.membership_application_id as case_number,
  'APP-' || m.membership_application_id as reference, case m.state when 'approved' then m.account_name end as account_name, m.org_name,
  'Become a member as ' || m.account_name as asked,
  case when m.state in ('draft', 'expired') then 'withdrawn' else m.state end as state,
  l.full_name as requested_by, m.submitted_at as requested_at, staff.full_name as resolved_by, m.resolved_at,
  reviewer.full_name as handler, m.reviewer as handler_id
  from membership_application m join login l using (login_id) left join login staff on staff.login_id = m.resolved_by left join login reviewer on reviewer.login_id = m.reviewer
  where m.form is not null`;

const what = { what: 'The application' };

/** An application that was submitted once. @throws Failure NOT_FOUND */
export async function found(read: Read, applicationId: string): Promise<Row> {
  const id = rowNumber(applicationId);
  const row = id === null ? undefined : await byId(read, id);
  // Drafts and applications that were never submitted belong to the applicant only.
  if (!row || row.form === null) throw refuse('NOT_FOUND', what);
  return row;
}

export const getStaffApplication = async ({
  read,
  params: { applicationId },
}: Act<typeof applications.getStaffApplication>): Promise<StaffApplicationDetail> => detailForStaff(read, await found(read, applicationId));

async function proceed(change: Change, row: Row, values: { state: Row['state']; question?: string | null }, caller: Caller): Promise<void> {
  await change
    .updateTable('membershipApplication')
    .set({ ...values, since: change.now, reviewer: caller.loginId })
    .where('membershipApplicationId', '=', row.id)
    .execute();
  const path = casePath({ kind: 'applications', caseId: row.id });
  await notifyFormerHandler(change, caller, { formerId: row.reviewerId, name: referenceOf(row.id), path });
}

/**
 * Takes an application into review, including one whose applicant was asked; the answer is no longer required then.
 */
export async function reviewApplication({
  change,
  caller,
  row,
}: CaseAct<typeof applications.reviewApplication, Row>): Promise<StaffApplicationDetail> {
  await proceed(change, row, { state: 'in-review', question: null }, caller);
  await recordEvent(change, row.id, { kind: 'in-review', by: caller }, { byStaff: true });
  await change.note({ application: referenceOf(row.id) });
  return detailForStaff(change, await byId(change, row.id));
}

/** Asks the applicant for more. */
export async function askAboutApplication({
  change,
  caller,
  row,
  body: { question },
}: CaseAct<typeof applications.askAboutApplication, Row>): Promise<StaffApplicationDetail> {
  await proceed(change, row, { state: 'needs-info', question }, caller);
  await recordEvent(change, row.id, { kind: 'question', by: caller, words: question }, { byStaff: true });
  await change.note({ application: referenceOf(row.id), question });
  await notifyApplicant(change, row, {
    text: applicationsTexts.written('questionAboutApplication', { orgName: row.form!.orgName, question }),
    act: 'Answer',
  });
  return detailForStaff(change, await byId(change, row.id));
}

async function resolve(
  change: Change,
  row: Row,
  { state, note, caller }: { state: 'approved' | 'rejected'; note: string; caller: Caller },
): Promise<void> {
  await change
    .updateTable('membershipApplication')
    .set({ state, since: change.now, note, resolvedBy: caller.loginId, resolvedAt: change.now, reviewer: caller.loginId })
    .where('membershipApplicationId', '=', row.id)
    .execute();
  await change.deleteFrom('applicationDraft').where('membershipApplicationId', '=', row.id).execute();
  await releaseAccountName(change, row.id);
  await recordEvent(change, row.id, { kind: state, by: caller, words: note }, { byStaff: true });
}

/**
 * Approves: creates the account in state new in the same change, with its organisation and the applicant as corporate contact.
 * @throws Failure ORGANISATION_IS_MEMBER
 */
export async function approveApplication({
  change,
  caller,
  row,
  body: { note },
  registry,
}: CaseAct<typeof applications.approveApplication, Row>): Promise<StaffApplicationDetail> {
  const form = row.form!;
  if (await memberWithNumber(change, form)) throw refuse('ORGANISATION_IS_MEMBER', { economy: form.economy });
  await resolve(change, row, { state: 'approved', note, caller });
  await openNewMember(change, row, form, registry);
  if (row.agreementVersion !== null)
    await acceptAsApplicant(change, {
      agreement: row.agreementVersion,
      loginId: row.loginId,
      accountName: form.accountName,
      acceptedAt: row.agreedAt!,
    });
  await attachToAccount(change, referenceOf(row.id), form.accountName);
  await change.concerns(form.accountName);
  await change.note({
    application: referenceOf(row.id),
    accountName: form.accountName,
    organisation: form.orgName,
    corporateContact: `${row.applicantName} (${row.applicantEmail})`,
    ...(note !== '' && { note }),
  });
  await notifyApplicant(change, row, {
    text: applicationsTexts.written('approved', {
      accountName: form.accountName,
      orgName: form.orgName,
      note: note === '' ? '' : `Registry staff write:\n\n${note}`,
    }),
    path: `/${form.accountName}/index.html`,
    act: 'Open account',
  });
  await notifyReferrer(change, row.id, 'approved');
  return detailForStaff(change, await byId(change, row.id));
}

/** Refuses, with the reason; the account name is free again. */
export async function refuseApplication({
  change,
  caller,
  row,
  body: { reason },
}: CaseAct<typeof applications.refuseApplication, Row>): Promise<StaffApplicationDetail> {
  await resolve(change, row, { state: 'rejected', note: reason, caller });
  await change.note({ application: referenceOf(row.id), organisation: row.form!.orgName, accountName: row.accountName, reason });
  await notifyApplicant(change, row, {
    text: applicationsTexts.written('applicationRejected', { orgName: row.form!.orgName, reason }),
  });
  await notifyReferrer(change, row.id, 'declined');
  return detailForStaff(change, await byId(change, row.id));
}
