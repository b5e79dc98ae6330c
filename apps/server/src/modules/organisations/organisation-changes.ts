import { rowNumber } from '@portal/contract/row-ids';
import type { BodyOf } from '@portal/contract';
import {
  type OrganisationChange,
  type organisationChanges,
  type OrganisationType,
  type RegistryField,
  registryFields,
  type StaffOrganisationChange,
} from '@portal/contract/organisations/changes';
import { casePath } from '@portal/contract/staff/case-words';
import { type RawBuilder, sql } from 'kysely';
import { Accepted } from '../../platform/http/accepted.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { actorOf, correctAccount, lockOwnAccount, refuseClosedAccount } from '../accounts/index.ts';
import { attach, attachedTo, type AttachTo } from '../documents/index.ts';
import { refuseRestrainedChange } from '../restraints/index.ts';
import { notifyFormerHandler } from '../roles/index.ts';
import { notifyCorporateContacts } from './organisation-notices.ts';
import { requireCorporate, writeOrganisation } from './organisation-row.ts';
import { organisationsTexts } from './mail-texts.ts';

export type Row = Omit<StaffOrganisationChange, 'changeId' | 'reference'> & {
  id: number;
  withdrawnBy: string | null;
  reviewerId: string | null;
};

/** The registered value of the field of a request `c`. */
const valueNow = sql`case c.field when 'orgName' then a.org_name when 'registrationNumber' then coalesce(o.registration_number, '')
  else coalesce(o.organisation_type, '') end`;

export const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select c.organisation_change_id as id, c.account_name, c.field, c.present_value, c.wanted_value, c.reason, c.state, asker.full_name as requested_by,
    asker.email as requester_email, c.requested_at, c.question, c.answer, c.note, c.resolved_at, staff.full_name as resolved_by,
    gone.full_name as withdrawn_by, reviewer.full_name as reviewer, c.reviewer as reviewer_id, ${attachedTo(sql`'ORG-' || c.organisation_change_id`)} as papers, a.org_name, a.economy, a.account_status, ${valueNow} as value_now
  from organisation_change c join account a using (account_name) left join organisation o using (account_name)
    join contact asker on asker.contact_id = c.requested_by left join contact gone on gone.contact_id = c.withdrawn_by
    left join login staff on staff.login_id = c.resolved_by left join login reviewer on reviewer.login_id = c.reviewer
  where ${where}`;

export const referenceOf = (id: number): string => `ORG-${id}`;

/** As members see it: the name of the staff member who decided is left out. */
export const forMembers = ({ id, withdrawnBy, resolvedBy, ...row }: Row): OrganisationChange => ({
  changeId: String(id),
  reference: referenceOf(id),
  accountName: row.accountName,
  field: row.field,
  presentValue: row.presentValue,
  wantedValue: row.wantedValue,
  reason: row.reason,
  papers: row.papers,
  state: row.state,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  question: row.question,
  answer: row.answer,
  resolvedBy: withdrawnBy ?? (resolvedBy === null ? null : 'Registry staff'),
  resolvedAt: row.resolvedAt,
  note: row.note,
});

export const forStaff = (row: Row): StaffOrganisationChange => ({
  ...forMembers(row),
  resolvedBy: row.withdrawnBy ?? row.resolvedBy,
  orgName: row.orgName,
  economy: row.economy,
  accountStatus: row.accountStatus,
  valueNow: row.valueNow,
  requesterEmail: row.requesterEmail,
  reviewer: row.reviewer,
});

export const byId = async (read: Read, id: number): Promise<Row> => (await read.rows(rowsWhere(sql`c.organisation_change_id = ${id}`)))[0]!;

/** One request, as registry staff read it. @throws Failure NOT_FOUND */
export async function getStaffOrganisationChange({
  read,
  params: { changeId },
}: Act<typeof organisationChanges.getStaffOrganisationChange>): Promise<StaffOrganisationChange> {
  const id = rowNumber(changeId);
  const row = id === null ? undefined : await byId(read, id);
  if (!row) throw refuse('NOT_FOUND', { what: 'The request' });
  return forStaff(row);
}

const fieldWords = sql`case c.field ${sql.join(
  Object.entries(registryFields).map(([field, { label: words }]) => sql`when ${field} then ${words}`),
  sql` `,
)} else c.field end`;

/** Changes of organisations as rows of the desk's queue. */
export const organisationQueue = sql`select 'organisations' as kind, c.organisation_change_id::text as request_id, c.organisation_change_id as case_number,
  'ORG-' || c.organisation_change_id as reference, c.account_name, a.org_name, ${fieldWords} || ': ' || c.wanted_value as asked,
  c.state,
  asker.full_name as requested_by, c.requested_at, coalesce(gone.full_name, staff.full_name) as resolved_by, c.resolved_at,
  reviewer.full_name as handler, c.reviewer as handler_id
  from organisation_change c join account a using (account_name) join contact asker on asker.contact_id = c.requested_by
    left join contact gone on gone.contact_id = c.withdrawn_by left join login staff on staff.login_id = c.resolved_by
    left join login reviewer on reviewer.login_id = c.reviewer`;

/** Lists the undecided changes of an organisation, oldest first. */
export async function openChanges(read: Read, accountName: string): Promise<OrganisationChange[]> {
  const where = sql`c.account_name = ${accountName} and c.resolved_at is null order by c.organisation_change_id`;
  return (await read.rows(rowsWhere(where))).map(forMembers);
}

/** Lists decided and withdrawn changes, newest first, a page at a time. */
export async function listOrganisationChanges({
  read,
  account: { accountName },
  query: { offset, limit },
}: Act<typeof organisationChanges.listOrganisationChanges>): Promise<{ rows: OrganisationChange[]; total: number }> {
  const where = sql`c.account_name = ${accountName} and c.resolved_at is not null`;
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from organisation_change c where ${where}`),
    read.rows(rowsWhere(sql`${where} order by c.resolved_at desc, c.organisation_change_id desc limit ${limit} offset ${offset}`)),
  ]);
  return { rows: rows.map(forMembers), total: counted[0]!.total };
}

const label = (field: RegistryField): string => registryFields[field].label;
const shown = (value: string): string => value || 'none';

/**
 * Requests a change that needs the registry's approval. The present value stays until then.
 * @throws Failure CORPORATE_ONLY, DOCUMENT_MISSING, REGISTRY_DECIDES with the open request, INVALID_REQUEST, NOT_FOUND, FILE_UNUSABLE
 */
export async function requestOrganisationChange({
  change,
  account,
  caller: { loginId },
  body: { field, value, reason, documentIds },
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Pick<Caller, 'loginId'>;
  body: BodyOf<typeof organisationChanges.requestOrganisationChange>;
}): Promise<Accepted<OrganisationChange>> {
  const { accountName } = account;
  const { corporate, evidence } = registryFields[field];
  if (corporate) requireCorporate(account);
  await lockOwnAccount(change, account);
  const actor = await actorOf(change, account);
  const [present] = await change.rows<{ value: string }>(
    sql`select ${valueNow} as value from account a left join organisation o using (account_name)
      cross join (values (${field}::text)) c (field) where a.account_name = ${accountName}`,
  );
  const presentValue = present!.value;
  if (presentValue === value) throw refuseField('value', 'This is already registered');
  if (evidence !== null && documentIds.length === 0) throw refuse('DOCUMENT_MISSING', { papers: evidence });
  const filed = await change
    .insertInto('organisationChange')
    .values({ accountName, field, presentValue, wantedValue: value, reason, requestedBy: actor.contactId, requestedAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('organisationChangeId')
    .executeTakeFirst();
  if (!filed) {
    const open = (await openChanges(change, accountName)).find(each => each.field === field);
    throw refuseWithCurrent(open, 'REGISTRY_DECIDES', { who: label(field).toLowerCase() });
  }
  const id = filed.organisationChangeId;
  const papers = await attach(change, loginId, documentIds, documentsOf(accountName, id));
  await change.note({ request: referenceOf(id), field, before: presentValue, after: value });
  await notifyCorporateContacts(change, {
    accountName,
    text: organisationsTexts.written('requestChange', {
      reference: referenceOf(id),
      field: label(field).toLowerCase(),
      accountName,
      actor: actor.name,
      actorEmail: actor.email,
      valueNow: shown(presentValue),
      value,
      reasonGiven: reason === '' ? '' : `Reason: ${reason}`,
      attachments: papers.length > 0 ? `Attached: ${papers.map(({ fileName }) => fileName).join(', ')}.` : '',
    }),
  });
  return new Accepted(forMembers(await byId(change, id)));
}

/** Documents of a request become documents of the account, visible to its representatives. */
const documentsOf = (accountName: string, id: number): AttachTo => ({
  reference: referenceOf(id),
  accountName,
  type: 'legal',
  visibility: 'corporate',
});

/** Answers the registry's question. */
export async function answerOrganisationChange({
  change,
  account,
  caller: { loginId },
  row,
  body: { answer, documentIds },
}: CaseAct<typeof organisationChanges.answerOrganisationChange, Row>): Promise<OrganisationChange> {
  const actor = await actorOf(change, account);
  await change.updateTable('organisationChange').set({ state: 'in-review', answer }).where('organisationChangeId', '=', row.id).execute();
  const papers = await attach(change, loginId, documentIds, documentsOf(row.accountName, row.id));
  await change.note({ request: referenceOf(row.id), field: row.field, question: row.question, answer });
  await notifyCorporateContacts(change, {
    accountName: row.accountName,
    text: organisationsTexts.written('answerAbout', {
      reference: referenceOf(row.id),
      accountName: row.accountName,
      actor: actor.name,
      field: label(row.field).toLowerCase(),
      answer,
      attachments: papers.length > 0 ? `Attached: ${papers.map(({ fileName }) => fileName).join(', ')}.` : '',
    }),
  });
  return forMembers(await byId(change, row.id));
}

/** Withdraws an open request. */
export async function withdrawOrganisationChange({
  change,
  account,
  row,
}: CaseAct<typeof organisationChanges.withdrawOrganisationChange, Row>): Promise<OrganisationChange> {
  const actor = await actorOf(change, account);
  await change
    .updateTable('organisationChange')
    .set({ state: 'withdrawn', withdrawnBy: actor.contactId, resolvedAt: change.now })
    .where('organisationChangeId', '=', row.id)
    .execute();
  await change.note({ request: referenceOf(row.id), field: row.field, wanted: row.wantedValue });
  await notifyCorporateContacts(change, {
    accountName: row.accountName,
    text: organisationsTexts.written('requestAboutWithdrawn', {
      reference: referenceOf(row.id),
      accountName: row.accountName,
      actor: actor.name,
      field: label(row.field).toLowerCase(),
      wantedValue: row.wantedValue,
    }),
  });
  return forMembers(await byId(change, row.id));
}

/** Changes over all accounts, as registry staff read them: those that wait oldest first, the others newest first. */
export async function listStaffOrganisationChanges({
  read,
  query: { status, q, offset, limit },
}: Act<typeof organisationChanges.listStaffOrganisationChanges>): Promise<{ rows: StaffOrganisationChange[]; total: number }> {
  const pattern = containsPattern(q.trim());
  const state = status === 'open' ? sql`c.resolved_at is null` : sql`c.resolved_at is not null`;
  const where =
    q.trim() === ''
      ? state
      : sql`${state} and (c.account_name ilike ${pattern} or c.wanted_value ilike ${pattern} or c.present_value ilike ${pattern}
          or 'ORG-' || c.organisation_change_id ilike ${pattern})`;
  const order = status === 'open' ? sql`c.organisation_change_id` : sql`c.resolved_at desc, c.organisation_change_id desc`;
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from organisation_change c where ${where}`),
    read.rows(rowsWhere(sql`${where} order by ${order} limit ${limit} offset ${offset}`)),
  ]);
  return { rows: rows.map(forStaff), total: counted[0]!.total };
}

/** Takes a request into review. */
export async function reviewOrganisationChange({
  change,
  caller,
  row,
}: CaseAct<typeof organisationChanges.reviewOrganisationChange, Row>): Promise<StaffOrganisationChange> {
  await change
    .updateTable('organisationChange')
    .set({ state: 'in-review', reviewer: caller.loginId })
    .where('organisationChangeId', '=', row.id)
    .execute();
  const path = casePath({ kind: 'organisations', caseId: row.id });
  await notifyFormerHandler(change, caller, { formerId: row.reviewerId, name: referenceOf(row.id), path });
  await change.note({ request: referenceOf(row.id), field: row.field });
  return forStaff(await byId(change, row.id));
}

/** Asks the member for more. */
export async function askAboutOrganisationChange({
  change,
  caller,
  row,
  body: { question },
}: CaseAct<typeof organisationChanges.askAboutOrganisationChange, Row>): Promise<StaffOrganisationChange> {
  await change
    .updateTable('organisationChange')
    .set({ state: 'needs-info', question, answer: null, reviewer: caller.loginId })
    .where('organisationChangeId', '=', row.id)
    .execute();
  const path = casePath({ kind: 'organisations', caseId: row.id });
  await notifyFormerHandler(change, caller, { formerId: row.reviewerId, name: referenceOf(row.id), path });
  await change.note({ request: referenceOf(row.id), field: row.field, question });
  await notifyCorporateContacts(change, {
    accountName: row.accountName,
    text: organisationsTexts.written('questionAboutChange', {
      reference: referenceOf(row.id),
      accountName: row.accountName,
      field: label(row.field).toLowerCase(),
      wantedValue: row.wantedValue,
      question,
    }),
  });
  return forStaff(await byId(change, row.id));
}

async function resolve(
  change: Change,
  row: Row,
  { state, note, caller }: { state: 'approved' | 'rejected'; note: string; caller: Caller },
): Promise<void> {
  await change
    .updateTable('organisationChange')
    .set({ state, note, resolvedBy: caller.loginId, resolvedAt: change.now })
    .where('organisationChangeId', '=', row.id)
    .execute();
  await change.note({
    request: referenceOf(row.id),
    field: row.field,
    before: row.valueNow,
    after: state === 'approved' ? row.wantedValue : row.valueNow,
    ...(note !== '' && { note }),
  });
  await notifyCorporateContacts(change, {
    accountName: row.accountName,
    text:
      state === 'approved'
        ? organisationsTexts.written('registryApprovedChange', {
            reference: referenceOf(row.id),
            accountName: row.accountName,
            field: label(row.field).toLowerCase(),
            wantedValue: row.wantedValue,
            valueNow: shown(row.valueNow),
            note: note === '' ? '' : `Registry staff write:\n\n${note}`,
          })
        : organisationsTexts.written('registryRefusedChange', {
            reference: referenceOf(row.id),
            accountName: row.accountName,
            field: label(row.field).toLowerCase(),
            valueNow: shown(row.valueNow),
            requestedBy: row.requestedBy,
            wantedValue: row.wantedValue,
            note: note === '' ? '' : `Registry staff write:\n\n${note}`,
          }),
  });
}

/** Approves: the requested value is registered in the same change. @throws Failure ACCOUNT_CLOSED */
export async function approveOrganisationChange({
  change,
  caller,
  row,
  body: { note },
  registry: { profile },
}: CaseAct<typeof organisationChanges.approveOrganisationChange, Row>): Promise<StaffOrganisationChange> {
  await refuseRestrainedChange(change, { accountName: row.accountName, by: 'hold', profile });
  const { accountName, field, wantedValue } = row;
  refuseClosedAccount(row);
  await resolve(change, row, { state: 'approved', note, caller });
  if (field === 'orgName') await correctAccount(change, accountName, { orgName: wantedValue });
  await writeOrganisation(change, accountName, {
    ...(field === 'registrationNumber' && { registrationNumber: wantedValue }),
    ...(field === 'organisationType' && { organisationType: wantedValue as OrganisationType }),
  });
  return forStaff(await byId(change, row.id));
}

/** Refuses, with the reason: everything stays as it is. */
export async function refuseOrganisationChange({
  change,
  caller,
  row,
  body: { reason },
}: CaseAct<typeof organisationChanges.refuseOrganisationChange, Row>): Promise<StaffOrganisationChange> {
  await resolve(change, row, { state: 'rejected', note: reason, caller });
  return forStaff(await byId(change, row.id));
}
