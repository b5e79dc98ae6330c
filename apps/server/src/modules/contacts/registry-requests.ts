import { isRowId } from '@portal/contract/row-ids';
import { type ContactType, permissionKeys } from '@portal/contract';
import type { RegistryRequest, registryRequests } from '@portal/contract/contacts/registry-requests';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { lockAccount, changeContact, noteOnContact, refuseClosedAccount } from '../accounts/index.ts';
import { canAct } from '../identity/index.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { endContact } from './contact-removal.ts';
import { type ContactRow, otherCorporateContacts } from './contact-row.ts';
import { inOrder, writeRole } from './grants.ts';
import { sendInvitation } from './invitations.ts';
import { refuseLastPayer } from './people-with-access.ts';
import { contactsTexts } from './mail-texts.ts';

type Kind = RegistryRequest['kind'];
type Row = Omit<RegistryRequest, 'contact' | 'requestId'> & {
  registryRequestId: number;
  contactId: string;
  requestedById: string;
  permissions: string[];
  name: string;
  email: string;
  position: string;
  phone: string;
  currentTypes: ContactType[];
};

const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select r.registry_request_id, r.kind, r.status, r.account_name, a.org_name, a.account_status, r.contact_id::text, c.full_name as name, c.email,
    c.position, c.phone, c.contact_types as current_types, r.contact_types, r.permissions, r.reason, r.requested_by::text as requested_by_id,
    asker.full_name as requested_by, r.requested_at, l.full_name as resolved_by, r.resolved_at, r.note,
    (select count(*)::int from contact o where o.account_name = r.account_name and ${canAct('o')}
      and 'corporate' = any (o.contact_types) and o.contact_id <> r.contact_id) as other_corporate_contacts
  from registry_request r join account a using (account_name) join contact c on c.contact_id = r.contact_id
    join contact asker on asker.contact_id = r.requested_by left join login l on l.login_id = r.resolved_by
  where ${where}`;

export const requestOf = (row: Row): RegistryRequest => ({
  requestId: String(row.registryRequestId),
  kind: row.kind,
  status: row.status,
  accountName: row.accountName,
  orgName: row.orgName,
  accountStatus: row.accountStatus,
  contact: {
    contactId: row.contactId,
    name: row.name,
    email: row.email,
    position: row.position,
    phone: row.phone,
    contactTypes: row.currentTypes,
  },
  contactTypes: row.contactTypes,
  reason: row.reason,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  otherCorporateContacts: row.otherCorporateContacts,
  resolvedBy: row.resolvedBy,
  resolvedAt: row.resolvedAt,
  note: row.note,
});

const verbs = { add: 'added', 'change-role': 'changed', remove: 'removed' } as const satisfies Record<Kind, string>;

/**
 * Requests the registry's approval for a change of a corporate contact. Nothing changes until staff decide.
 * @throws Failure LAST_CORPORATE_CONTACT, REGISTRY_DECIDES
 */
export async function fileRegistryRequest(
  change: Change,
  contact: ContactRow,
  asked: {
    kind: Kind;
    contactTypes: readonly ContactType[];
    /** Permissions of a contact that is no longer corporate. */
    permissions?: readonly string[];
    reason: string;
    requestedBy: { contactId: string; name: string };
  },
): Promise<void> {
  const { accountName, contactId, fullName, email } = contact;
  await lockAccount(change, accountName);
  const leaves = contact.contactTypes.includes('corporate') && (asked.kind === 'remove' || !asked.contactTypes.includes('corporate'));
  const isCorporate = asked.kind !== 'remove' || contact.contactTypes.includes('corporate');
  if (leaves && (await otherCorporateContacts(change, contact, { leaving: 'left out' })) === 0) throw refuse('LAST_CORPORATE_CONTACT');
  const filed = await change
    .insertInto('registryRequest')
    .values({
      accountName,
      kind: asked.kind,
      contactId,
      contactTypes: [...asked.contactTypes],
      permissions: [...(asked.permissions ?? [])],
      reason: asked.reason,
      requestedBy: asked.requestedBy.contactId,
      requestedAt: change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('registryRequestId')
    .executeTakeFirst();
  if (!filed) throw refuse('REGISTRY_DECIDES', { who: fullName });
  await changeContact(change, contactId, {});
  await change.note({
    registryRequest: filed.registryRequestId,
    kind: asked.kind,
    contact: fullName,
    before: { contactTypes: contact.contactTypes },
    after: { contactTypes: asked.kind === 'remove' ? [] : asked.contactTypes },
  });
  await notifyCorporateContacts(change, {
    accountName,
    text: isCorporate
      ? contactsTexts.written('requestAboutCorporateContact', {
          accountName,
          actor: asked.requestedBy.name,
          fullName,
          email,
          verbs: verbs[asked.kind],
          contactTypes: wordsOf(asked.kind, asked.contactTypes),
          note: asked.reason === '' ? 'No reason given.' : `They write:\n\n${asked.reason}`,
        })
      : contactsTexts.written('requestAboutContact', {
          accountName,
          actor: asked.requestedBy.name,
          fullName,
          email,
          verbs: verbs[asked.kind],
          contactTypes: wordsOf(asked.kind, asked.contactTypes),
          note: asked.reason === '' ? 'No reason given.' : `They write:\n\n${asked.reason}`,
        }),
    persons: asked.kind === 'add' ? [] : [contact],
  });
}

const wordsOf = (kind: Kind, contactTypes: readonly string[]): string =>
  kind === 'remove' ? 'no longer a contact of the account' : `${contactTypes.join(' and ')} contact`;

/** Requests about corporate contacts over all accounts, a page at a time. */
export async function listRegistryRequests({
  read,
  query: { status, q, offset, limit },
}: Act<typeof registryRequests.listRegistryRequests>): Promise<{ rows: RegistryRequest[]; total: number }> {
  const pattern = containsPattern(q.trim());
  const state = status === 'pending' ? sql`r.status = 'pending'` : sql`r.status <> 'pending'`;
  const where =
    q.trim() === ''
      ? state
      : sql`${state} and (r.account_name ilike ${pattern} or c.full_name ilike ${pattern} or c.email ilike ${pattern})`;
  const order = status === 'pending' ? sql`r.registry_request_id` : sql`r.resolved_at desc, r.registry_request_id desc`;
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(
      sql`select count(*)::int as total from registry_request r join contact c on c.contact_id = r.contact_id where ${where}`,
    ),
    read.rows(sql<Row>`${rowsWhere(where)} order by ${order} limit ${limit} offset ${offset}`),
  ]);
  return { rows: rows.map(requestOf), total: counted[0]!.total };
}

export const byId = async (read: Read, id: number): Promise<Row> => (await read.rows(rowsWhere(sql`r.registry_request_id = ${id}`)))[0]!;

/** One request. @throws Failure NOT_FOUND */
export async function getRegistryRequest({
  read,
  params: { requestId },
}: Act<typeof registryRequests.getRegistryRequest>): Promise<RegistryRequest> {
  const row = isRowId(requestId) ? await byId(read, Number(requestId)) : undefined;
  if (!row) throw refuse('NOT_FOUND', { what: 'The request' });
  return requestOf(row);
}

/** The requests about corporate contacts as rows of the desk's queue. */
export const contactQueue = sql`select 'contacts' as kind, r.registry_request_id::text as request_id, r.registry_request_id as case_number, null::text as reference, r.account_name, a.org_name,
  case r.kind when 'remove' then 'Remove ' || c.full_name
    else case r.kind when 'add' then 'Add ' else 'Make ' end || c.full_name || case r.kind when 'add' then ' as ' else ' ' end
      || array_to_string(r.contact_types, ' and ') || ' contact' end as asked,
  case r.status when 'pending' then 'submitted' else r.status end as state,
  asker.full_name as requested_by, r.requested_at, l.full_name as resolved_by, r.resolved_at
  from registry_request r join account a using (account_name) join contact c on c.contact_id = r.contact_id
    join contact asker on asker.contact_id = r.requested_by left join login l on l.login_id = r.resolved_by`;

/** A request with the contact that it is about. */
export type RequestOfContact = { request: Row; contact: ContactRow };

async function resolve(
  change: Change,
  request: Row,
  contact: ContactRow,
  { status, note, caller }: { status: 'approved' | 'rejected'; note: string; caller: Caller },
): Promise<RegistryRequest> {
  const { accountName, registryRequestId } = request;
  await change
    .updateTable('registryRequest')
    .set({ status, note, resolvedBy: caller.loginId, resolvedAt: change.now })
    .where('registryRequestId', '=', registryRequestId)
    .execute();
  await change.note({
    registryRequest: registryRequestId,
    kind: request.kind,
    contact: request.name,
    before: { contactTypes: contact.contactTypes },
    after: { contactTypes: status === 'rejected' ? contact.contactTypes : request.kind === 'remove' ? [] : request.contactTypes },
    ...(note !== '' && { note }),
  });
  await notifyCorporateContacts(change, {
    accountName,
    text:
      status === 'approved'
        ? contact.contactTypes.includes('corporate') || request.kind !== 'remove'
          ? contactsTexts.written('registryApprovedChangeCorporateContacts', {
              accountName,
              requestedBy: request.requestedBy,
              fullName: request.name,
              email: request.email,
              contactTypes: wordsOf(request.kind, request.contactTypes),
              note: note === '' ? '' : `They write:\n\n${note}`,
            })
          : contactsTexts.written('registryApprovedChangeContacts', {
              accountName,
              requestedBy: request.requestedBy,
              fullName: request.name,
              email: request.email,
              contactTypes: wordsOf(request.kind, request.contactTypes),
              note: note === '' ? '' : `They write:\n\n${note}`,
            })
        : contact.contactTypes.includes('corporate') || request.kind !== 'remove'
          ? contactsTexts.written('registryRefusedChangeCorporateContacts', {
              accountName,
              requestedBy: request.requestedBy,
              fullName: request.name,
              email: request.email,
              contactTypes: wordsOf(request.kind, request.contactTypes),
              note: note === '' ? '' : `They write:\n\n${note}`,
            })
          : contactsTexts.written('registryRefusedChangeContacts', {
              accountName,
              requestedBy: request.requestedBy,
              fullName: request.name,
              email: request.email,
              contactTypes: wordsOf(request.kind, request.contactTypes),
              note: note === '' ? '' : `They write:\n\n${note}`,
            }),
    persons: request.kind === 'add' ? [] : [contact],
  });
  return requestOf(await byId(change, registryRequestId));
}

/**
 * Approves: the change takes effect, a new corporate contact is invited. Of a closed account only who leaves can be approved.
 * @throws Failure LAST_CORPORATE_CONTACT, LAST_PAYER, ACCOUNT_CLOSED
 */
export async function approveRegistryRequest({
  change,
  caller,
  row: { request, contact },
  body: { note },
  registry,
}: CaseAct<typeof registryRequests.approveRegistryRequest, RequestOfContact>): Promise<RegistryRequest> {
  if (request.kind !== 'remove') refuseClosedAccount(request);
  else if (request.accountStatus === 'closed') await refuseLastPayer(change, contact, { leaving: 'counted' });
  const { contactId } = contact;
  const staysCorporate = request.kind !== 'remove' && request.contactTypes.includes('corporate');
  if (
    contact.contactTypes.includes('corporate') &&
    !staysCorporate &&
    (await otherCorporateContacts(change, contact, { leaving: 'counted' })) === 0
  )
    throw refuse('LAST_CORPORATE_CONTACT');
  const answer = await resolve(change, request, contact, { status: 'approved', note, caller });
  if (request.kind === 'remove') await endContact(change, contact);
  else {
    const permissions = staysCorporate ? permissionKeys : inOrder(request.permissions);
    await writeRole(change, contactId, { contactTypes: request.contactTypes, permissions, decidedBy: request.requestedById });
  }
  if (request.kind === 'add') {
    const invited = contact.loginId === null;
    await noteOnContact(change, contactId, invited ? { status: 'invited' } : { status: 'active', confirmedAt: change.now });
    if (invited) await sendInvitation(change, contact, { contactId: request.requestedById, name: request.requestedBy }, registry);
  }
  return answer;
}

/** Refuses, with the reason: nothing changes. */
export async function refuseRegistryRequest({
  change,
  caller,
  row: { request, contact },
  body: { reason },
}: CaseAct<typeof registryRequests.refuseRegistryRequest, RequestOfContact>): Promise<RegistryRequest> {
  const answer = await resolve(change, request, contact, { status: 'rejected', note: reason, caller });
  if (request.kind === 'add') await endContact(change, contact);
  return answer;
}
