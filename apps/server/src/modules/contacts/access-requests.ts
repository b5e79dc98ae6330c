import { type AnswerOf, type ContactType, defaultPermissions, type Permission, permissions as permissionRows } from '@portal/contract';
import type { AccessRequest, accessRequests, ContactChangeRequest, Resolution } from '@portal/contract/contacts/access-requests';
import { utcDay } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { Accepted } from '../../platform/http/accepted.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import type { LinkMaking } from '../../platform/registry.ts';
import { lockAccount } from '../accounts/index.ts';
import { loginById } from '../identity/index.ts';
import { type Actor, actorOf, changeRole, dismiss, inviteContact } from './contact-changes.ts';
import { notifyApprovers, notifyCorporateContacts, notifyEveryone } from './contact-notices.ts';
import { lockContact, lockContactAt } from './contact-row.ts';
import { checkGrants, inOrder, typesInOrder, writeRole } from './grants.ts';
import { expiryOf } from './permission-requests.ts';
import { fileRegistryRequest } from './registry-requests.ts';
import { contactsTexts } from './mail-texts.ts';

export type Row = Omit<AccessRequest, 'requestId' | 'requester' | 'subject' | 'person' | 'isMine'> & {
  accessRequestId: number;
  accountName: string;
  loginId: string;
  requestedById: string | null;
  requesterName: string;
  requesterEmail: string;
  emailVerified: boolean;
  requesterTypes: ContactType[] | null;
  subjectId: string | null;
  subjectName: string | null;
  subjectEmail: string | null;
  subjectTypes: ContactType[] | null;
  fullName: string | null;
  email: string | null;
};

export const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select q.access_request_id, q.account_name, q.kind, q.status, q.outcome, q.login_id, q.requested_by::text as requested_by_id,
    coalesce(asker.full_name, l.full_name) as requester_name, coalesce(asker.email, l.email) as requester_email, l.email_verified,
    asker.contact_types as requester_types, q.subject_id::text, c.full_name as subject_name, c.email as subject_email,
    c.contact_types as subject_types, q.full_name, q.email, q.contact_types, q.permissions, q.reason, q.requested_at, q.expires_at,
    resolver.full_name as resolved_by, q.resolved_at, q.note, q.granted_types as granted_contact_types, q.granted_permissions
  from access_request q join login l using (login_id) left join contact asker on asker.contact_id = q.requested_by
    left join contact c on c.contact_id = q.subject_id left join contact resolver on resolver.contact_id = q.resolved_by
  where ${where}`;

export const requestOf = (row: Row, caller: Pick<Caller, 'loginId'>): AccessRequest => ({
  requestId: String(row.accessRequestId),
  kind: row.kind,
  status: row.status,
  outcome: row.outcome,
  requester: {
    name: row.requesterName,
    email: row.requesterEmail,
    emailVerified: row.emailVerified,
    contactTypes: row.requesterTypes ?? [],
  },
  subject:
    row.subjectId === null
      ? null
      : { contactId: row.subjectId, name: row.subjectName!, email: row.subjectEmail!, contactTypes: row.subjectTypes! },
  person: row.fullName === null ? null : { fullName: row.fullName, email: row.email! },
  contactTypes: row.contactTypes,
  permissions: row.permissions,
  reason: row.reason,
  requestedAt: row.requestedAt,
  expiresAt: row.expiresAt,
  isMine: row.loginId === caller.loginId,
  resolvedBy: row.resolvedBy,
  resolvedAt: row.resolvedAt,
  note: row.note,
  grantedContactTypes: row.grantedContactTypes,
  grantedPermissions: row.grantedPermissions,
});

const MAX_WAITING = 500;

/** Requests to the account: open ones, oldest first, then the last 20 resolved ones. */
export async function listAccessRequests({
  read,
  account: { accountName },
  caller,
}: Act<typeof accessRequests.listAccessRequests>): Promise<AccessRequest[]> {
  const [waiting, resolved] = await Promise.all([
    read.rows(
      sql<Row>`${rowsWhere(sql`q.account_name = ${accountName} and q.status = 'pending'`)} order by q.access_request_id limit ${MAX_WAITING}`,
    ),
    read.rows(sql<Row>`${rowsWhere(sql`q.account_name = ${accountName} and q.status <> 'pending'`)}
      order by q.resolved_at desc, q.access_request_id desc limit 20`),
  ]);
  return [...waiting, ...resolved].map(row => requestOf(row, caller));
}

/** Lists closed requests, newest first, a page at a time. */
export async function listResolvedRequests({
  read,
  account: { accountName },
  caller,
  query: { status, kind, offset, limit },
}: Act<typeof accessRequests.listResolvedRequests>): Promise<AnswerOf<typeof accessRequests.listResolvedRequests>> {
  const conditions = [sql`q.account_name = ${accountName}`, sql`q.status <> 'pending'`];
  if (status) conditions.push(sql`q.status = ${status}`);
  if (kind) conditions.push(sql`q.kind = ${kind}`);
  const where = sql.join(conditions, sql` and `);
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from access_request q where ${where}`),
    read.rows(sql<Row>`${rowsWhere(where)} order by q.resolved_at desc, q.access_request_id desc limit ${limit} offset ${offset}`),
  ]);
  return { rows: rows.map(row => requestOf(row, caller)), total: counted[0]!.total };
}

/**
 * Asks those who can approve it to add, remove or change a contact. A repetition has to wait a day.
 * @throws Failure NOT_FOUND, STALE, ALREADY_ASKED, ALREADY_CONTACT
 */
export async function requestContactChange({
  change,
  account,
  caller,
  body: wanted,
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Caller;
  body: ContactChangeRequest;
}): Promise<{ requestId: string; asked: string[] }> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  await lockAccount(change, accountName);
  const subject = wanted.kind === 'add-contact' ? null : await lockContactAt(change, account, wanted.contactId, wanted.version);
  const person = wanted.kind === 'add-contact' ? { fullName: wanted.fullName, email: wanted.email } : null;
  const contactTypes = wanted.kind === 'remove-contact' ? [] : typesInOrder(wanted.contactTypes);
  if (person) {
    const [taken] = await change.rows(sql`select from contact where account_name = ${accountName} and lower(email) = lower(${person.email})
      and status <> 'removed'`);
    if (taken) throw refuse('ALREADY_CONTACT', { who: person.email, account: accountName });
  }
  const [same] = await change.rows<{ requestedAt: string }>(sql`select requested_at from access_request where account_name = ${accountName}
    and status = 'pending' and kind = ${wanted.kind} and requested_by = ${actor.contactId}::uuid
    and subject_id is not distinct from ${subject?.contactId ?? null}::uuid and lower(email) is not distinct from lower(${person?.email ?? null})`);
  if (same) throw refuse('ALREADY_ASKED', { when: same.requestedAt.slice(0, 16).replace('T', ' at ').concat(' UTC') });
  const { accessRequestId } = await change
    .insertInto('accessRequest')
    .values({
      accountName,
      kind: wanted.kind,
      loginId: caller.loginId,
      requestedBy: actor.contactId,
      subjectId: subject?.contactId ?? null,
      fullName: person?.fullName ?? null,
      email: person?.email ?? null,
      contactTypes,
      reason: wanted.reason,
      requestedAt: change.now,
      notifiedAt: change.now,
      expiresAt: expiryOf(change.now),
    })
    .returning('accessRequestId')
    .executeTakeFirstOrThrow();
  const whom = person ? `${person.fullName} (${person.email})` : `${subject!.fullName} (${subject!.email})`;
  const what = {
    'add-contact': `add ${whom} as ${contactTypes.join(' and ')} contact`,
    'remove-contact': `remove ${whom}`,
    'change-role': `make ${whom} ${contactTypes.join(' and ')} contact`,
  }[wanted.kind];
  const asked = await notifyApprovers(change, {
    accountName,
    text: contactsTexts.written('asksChangeContacts', {
      actor: actor.name,
      accountName,
      actorEmail: actor.email,
      what,
      note: wanted.reason === '' ? 'No reason given.' : `They write:\n\n${wanted.reason}`,
    }),
  });
  await change.note({ request: accessRequestId, kind: wanted.kind, whom, contactTypes });
  return { requestId: String(accessRequestId), asked };
}

/** Contact types and permissions that a decision granted. */
type Granted = { contactTypes: readonly ContactType[]; permissions: readonly Permission[] };

/**
 * Approves a request, fully or in part, or rejects it. A request is resolved once: of two concurrent decisions the second gets
 * the row as the first left it. A contact can't resolve their own request.
 * @throws Failure INVALID_REQUEST and those of what is approved
 */
export async function resolveAccessRequest({
  change,
  account,
  caller,
  row: request,
  body: { decision, note, requestId: _requestId, ...narrowed },
  registry,
}: CaseAct<typeof accessRequests.resolveAccessRequest, Row>): Promise<AccessRequest> {
  if (decision === 'rejected' && note === '') throw refuseField('note', 'Enter a reason for rejecting it');
  const actor = await actorOf(change, account);
  const granted = decision === 'approved' ? await grant(change, account, request, { narrowed, actor, registry }) : null;
  await change
    .updateTable('accessRequest')
    .set({
      status: decision,
      resolvedBy: actor.contactId,
      resolvedAt: change.now,
      note,
      grantedTypes: granted && [...granted.contactTypes],
      grantedPermissions: granted && [...granted.permissions],
    })
    .where('accessRequestId', '=', request.accessRequestId)
    .execute();
  await change.note({
    request: request.accessRequestId,
    kind: request.kind,
    requester: request.requesterName,
    decision,
    ...(granted && { granted }),
    ...(note !== '' && { note }),
  });
  await notifyRequester(change, request, { decision, note, granted, actor });
  const [resolved] = await change.rows(rowsWhere(sql`q.access_request_id = ${request.accessRequestId}`));
  return requestOf(resolved!, caller);
}

async function notifyRequester(
  change: Change,
  request: Row,
  { decision, note, granted, actor }: { decision: string; note: string; granted: Granted | null; actor: Actor },
): Promise<void> {
  const { accountName } = request;
  const words = granted && [
    ...(granted.contactTypes.length > 0 ? [`Contact types: ${granted.contactTypes.join(', ')}`] : []),
    ...(granted.permissions.length > 0 ? [`Permissions: ${granted.permissions.map(key => permissionRows[key].label).join(', ')}`] : []),
  ];
  await notifyEveryone(change, {
    accountName,
    text:
      decision === 'approved'
        ? contactsTexts.written('requestApproved', {
            accountName,
            actor: actor.name,
            requestedOn: utcDay(request.requestedAt),
            details: words && words.length > 0 ? words.join('\n') : '',
            note: note === '' ? '' : `They write:\n\n${note}`,
          })
        : contactsTexts.written('requestRejected', {
            accountName,
            actor: actor.name,
            requestedOn: utcDay(request.requestedAt),
            details: words && words.length > 0 ? words.join('\n') : '',
            note: note === '' ? '' : `They write:\n\n${note}`,
          }),
    ...(decision === 'approved' && { path: '/member-account-settings/my-accounts', act: 'Open My accounts' }),
    persons: [{ fullName: request.requesterName, email: request.requesterEmail, loginId: request.loginId }],
  });
}

/** Returns `given`, or everything requested if it is empty. @throws Failure INVALID_REQUEST if it was not requested */
function narrow<T extends string>(name: string, given: readonly T[] | undefined, asked: readonly T[]): readonly T[] {
  const more = given?.filter(item => !asked.includes(item)) ?? [];
  if (more.length > 0) throw refuseField(name, `${more.join(', ')} wasn’t requested`);
  if (given?.length === 0) throw refuseField(name, 'Keep at least one, or reject the request');
  return given ?? asked;
}

type Narrowed = Pick<Resolution, 'contactTypes' | 'permissions'>;

/** Carries out the request, narrowed by the approver. */
async function grant(
  change: Change,
  account: AdmittedAccount,
  request: Row,
  { narrowed, actor, registry }: { narrowed: Narrowed; actor: Actor; registry: LinkMaking },
): Promise<Granted> {
  const { reason } = request;
  switch (request.kind) {
    case 'link':
      return admitRequester({ change, account, request, narrowed, actor });
    case 'add-contact': {
      const contactTypes = narrow('contactTypes', narrowed.contactTypes, request.contactTypes);
      const permissions = narrowed.permissions && narrow('permissions', narrowed.permissions, defaultPermissions(contactTypes));
      const invited = {
        fullName: request.fullName!,
        email: request.email!,
        phone: '',
        position: '',
        contactTypes: [...contactTypes],
        reason,
      };
      const body = { ...invited, ...(permissions && { permissions: [...permissions] }) };
      const answer = await inviteContact({ change, account, body, registry });
      const contact = answer instanceof Accepted ? answer.answer : answer;
      return { contactTypes: contact.contactTypes, permissions: permissions ?? defaultPermissions(contactTypes) };
    }
    case 'remove-contact': {
      const contact = await lockContact(change, account.accountName, request.subjectId!);
      if (contact.contactTypes.includes('corporate') && !account.contactTypes.includes('corporate')) throw refuse('CORPORATE_ONLY');
      // Before removing the contact, which cancels requests by and about it, except this one.
      await markApproved(change, request.accessRequestId);
      await dismiss(change, actor, contact, { reason });
      return { contactTypes: [], permissions: [] };
    }
    case 'change-role': {
      const contact = await lockContact(change, account.accountName, request.subjectId!);
      if (contact.contactId === actor.contactId) throw refuse('OWN_PERMISSIONS');
      const contactTypes = narrow('contactTypes', narrowed.contactTypes, request.contactTypes);
      const permissions = narrowed.permissions && narrow('permissions', narrowed.permissions, defaultPermissions(contactTypes));
      await changeRole({ change, account, actor, contact, role: { contactTypes, permissions, reason } });
      return { contactTypes, permissions: permissions ?? defaultPermissions(contactTypes) };
    }
    case 'permission': {
      const contact = await lockContact(change, account.accountName, request.subjectId!);
      const permissions = inOrder(narrow('permissions', narrowed.permissions, request.permissions));
      await changeRole({
        change,
        account,
        actor,
        contact,
        role: {
          contactTypes: contact.contactTypes,
          permissions: inOrder([...contact.permissions, ...permissions]),
          reason,
        },
      });
      return { contactTypes: [], permissions };
    }
  }
}

/** Marks a request as resolved, before carrying it out. */
const markApproved = (change: Change, accessRequestId: number): Promise<unknown> =>
  change
    .updateTable('accessRequest')
    .set({ status: 'approved', resolvedAt: change.now })
    .where('accessRequestId', '=', accessRequestId)
    .execute();

/** Makes the requester a contact: immediately or, as corporate contact, once the registry has approved. */
async function admitRequester({
  change,
  account,
  request,
  narrowed,
  actor,
}: {
  change: Change;
  account: AdmittedAccount;
  request: Row;
  narrowed: Narrowed;
  actor: Actor;
}): Promise<Granted> {
  const { accountName } = account;
  const contactTypes = typesInOrder(narrowed.contactTypes ?? []);
  if (contactTypes.length === 0) throw refuseField('contactTypes', 'Choose a contact type');
  const corporate = contactTypes.includes('corporate');
  if (corporate && !account.contactTypes.includes('corporate')) throw refuse('CORPORATE_ONLY');
  const defaults = defaultPermissions(contactTypes);
  const permissions = corporate ? defaults : inOrder(narrow('permissions', narrowed.permissions, defaults));
  if (!corporate) checkGrants(account, permissions, contactTypes);
  const login = await loginById(change, request.loginId);
  const { fullName, email } = login!;
  const added = await change
    .insertInto('contact')
    .values({
      accountName,
      loginId: request.loginId,
      fullName,
      email,
      contactTypes,
      permissions: [],
      status: corporate ? 'pending-registry' : 'active',
      createdAt: change.now,
      confirmedAt: corporate ? null : change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('contactId')
    .executeTakeFirst();
  if (!added) throw refuse('ALREADY_CONTACT', { who: `${fullName} (${email})`, account: accountName });
  if (corporate) {
    const contact = await lockContact(change, accountName, added.contactId);
    await fileRegistryRequest(change, contact, { kind: 'add', contactTypes, reason: request.reason, requestedBy: actor });
    return { contactTypes, permissions };
  }
  await writeRole(change, added.contactId, { contactTypes, permissions, decidedBy: actor.contactId });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('contactLinked', {
      fullName,
      accountName,
      actor: actor.name,
      email,
      contactTypes: contactTypes.join(' and '),
    }),
  });
  return { contactTypes, permissions };
}
