import type { AnswerOf, ContactType, Download, Permission, QueryOf } from '@portal/contract';
import type { Contact, contacts } from '@portal/contract/contacts/contacts';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { permissionFactors } from './permission-factors.ts';
import { hasConfirmedSince } from '../accounts/index.ts';
import { hasFactor, lastSignInOf } from '../identity/index.ts';

const DORMANT_DAYS = 180;
const CONFIRMATION_DAYS = 365;

type Filters = Pick<QueryOf<typeof contacts.listContacts>, 'q' | 'type' | 'status' | 'mark' | 'sort' | 'direction'>;

type Row = {
  contactId: string;
  version: number;
  fullName: string;
  email: string;
  phone: string;
  position: string;
  contactTypes: ContactType[];
  status: Contact['status'];
  addedAt: string;
  confirmedAt: string | null;
  helperUntil: string | null;
  permissions: Permission[];
  maintainers: string[];
  hasLogin: boolean;
  lastSignInAt: string | null;
  hasSecondFactor: boolean;
  invitationState: NonNullable<Contact['invitation']>['state'] | null;
  sentAt: string | null;
  expiresAt: string | null;
  invitedBy: string | null;
  registryKind: NonNullable<Contact['registryRequest']>['kind'] | null;
  registryTypes: ContactType[] | null;
  registryAt: string | null;
  registryBy: string | null;
};

const lastSignIn = lastSignInOf(sql`c.login_id`);
const secondFactor = hasFactor(sql`c.login_id`);
const registryDecides = sql`exists (select from registry_request r where r.contact_id = c.contact_id and r.status = 'pending')`;

const columns = sql`c.contact_id::text, c.version, c.full_name, c.email, c.phone, c.position, c.contact_types, c.status, c.created_at as added_at,
  c.confirmed_at, c.helper_until, c.permissions, c.maintainers, c.login_id is not null as has_login, ${lastSignIn} as last_sign_in_at,
  ${secondFactor} as has_second_factor, i.state as invitation_state, i.sent_at, i.expires_at,
  coalesce(inviter.full_name, 'Registry') as invited_by, r.kind as registry_kind, r.contact_types as registry_types,
  r.requested_at as registry_at, asker.full_name as registry_by`;
const joins = sql`left join lateral (select * from invitation i where i.contact_id = c.contact_id order by i.invitation_id desc limit 1) i on true
  left join contact inviter on inviter.contact_id = i.invited_by
  left join registry_request r on r.contact_id = c.contact_id and r.status = 'pending'
  left join contact asker on asker.contact_id = r.requested_by`;

function matching(account: AdmittedAccount, { q, type, status, mark }: Filters, now: Date): RawBuilder<unknown> {
  const before = (days: number): RawBuilder<unknown> => sql`${instantBefore(now, days * DAY_MS)}::timestamptz`;
  const conditions = [sql`c.account_name = ${account.accountName}`, status ? sql`c.status = ${status}` : sql`c.status <> 'removed'`];
  if (type) conditions.push(sql`${type} = any (c.contact_types)`);
  const text = q.trim();
  if (text !== '') {
    const pattern = containsPattern(text);
    conditions.push(sql`(c.full_name ilike ${pattern} or c.email ilike ${pattern} or c.position ilike ${pattern})`);
  }
  const ofOthers = account.permissions.has('users-privileges-view') ? sql`true` : sql`c.contact_id = ${account.contactId}::uuid`;
  if (mark === 'dormant')
    conditions.push(
      sql`${ofOthers} and c.status = 'active' and c.login_id is not null and greatest(${lastSignIn}, c.created_at) < ${before(DORMANT_DAYS)}`,
    );
  if (mark === 'no-second-factor')
    conditions.push(sql`${ofOthers} and c.status = 'active' and c.login_id is not null and not ${secondFactor}`);
  if (mark === 'confirmation-due')
    conditions.push(sql`c.status = 'active' and coalesce(c.confirmed_at, c.created_at) < ${before(CONFIRMATION_DAYS)}`);
  if (mark === 'helper') conditions.push(sql`c.helper_until is not null`);
  if (mark === 'registry-decides') conditions.push(registryDecides);
  return sql.join(conditions, sql` and `);
}

const sortColumns = {
  fullName: sql`lower(c.full_name)`,
  email: sql`lower(c.email)`,
  // Corporate contacts first.
  contactTypes: sql`case when 'corporate' = any (c.contact_types) then 0 else 1 end, array_to_string(c.contact_types, ' ')`,
  status: sql`c.status`,
  addedAt: sql`c.created_at`,
  lastSignInAt: lastSignIn,
  confirmedAt: sql`c.confirmed_at`,
} as const satisfies Record<Filters['sort'], RawBuilder<unknown>>;

const orderOf = ({ sort, direction }: Filters): RawBuilder<unknown> =>
  sql`${sortColumns[sort]} ${direction === 'desc' ? sql`desc` : sql`asc`} nulls last, lower(c.full_name), c.contact_id`;

/** A row as the caller may see it: some fields only with `users-privileges-view`, or for oneself. */
function contactOf(row: Row, account: AdmittedAccount, now: Date): Contact {
  const isMe = row.contactId === account.contactId;
  const seesAll = isMe || account.permissions.has('users-privileges-view');
  const active = row.status === 'active';
  const days = (since: string): number => (now.getTime() - Date.parse(since)) / DAY_MS;
  const lastSeen = row.lastSignInAt !== null && row.lastSignInAt > row.addedAt ? row.lastSignInAt : row.addedAt;
  return {
    contactId: row.contactId,
    version: row.version,
    fullName: row.fullName,
    email: row.email,
    phone: row.phone,
    position: row.position,
    contactTypes: row.contactTypes,
    status: row.status,
    isMe,
    addedAt: row.addedAt,
    confirmedAt: row.confirmedAt,
    confirmationDue: active && days(row.confirmedAt ?? row.addedAt) > CONFIRMATION_DAYS,
    invitation:
      row.invitationState === null || row.invitationState === 'accepted'
        ? null
        : { state: row.invitationState, sentAt: row.sentAt!, expiresAt: row.expiresAt!, invitedBy: row.invitedBy! },
    registryRequest:
      row.registryKind === null
        ? null
        : { kind: row.registryKind, contactTypes: row.registryTypes!, requestedAt: row.registryAt!, requestedBy: row.registryBy! },
    helperUntil: row.helperUntil,
    permissions: seesAll ? row.permissions : null,
    maintainers: seesAll ? row.maintainers : null,
    lastSignInAt: seesAll ? row.lastSignInAt : null,
    dormant: seesAll ? active && row.hasLogin && days(lastSeen) > DORMANT_DAYS : null,
    hasSecondFactor: seesAll ? row.hasSecondFactor : null,
  };
}

/** Returns a page of the account's contacts; `total` counts all matches. Names of removed contacts are in the activity log. */
export async function listContacts({
  read,
  account,
  query,
  registry: { now },
}: Act<typeof contacts.listContacts>): Promise<AnswerOf<typeof contacts.listContacts>> {
  const where = matching(account, query, now);
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from contact c where ${where}`),
    read.rows<Row>(sql`select ${columns} from (
        select c.* from contact c where ${where} order by ${orderOf(query)} limit ${query.limit} offset ${query.offset}) c
      ${joins} order by ${orderOf(query)}`),
  ]);
  return { rows: rows.map(row => contactOf(row, account, now)), total: counted[0]!.total, secondFactorFor: permissionFactors };
}

/** Returns one contact as the list shows it. @throws Failure NOT_FOUND, also for a removed one */
export async function getContact({
  read,
  account,
  params: { contactId },
  registry: { now },
}: {
  read: Read;
  account: AdmittedAccount;
  params: { contactId: string };
  registry: Pick<Registry, 'now'>;
}): Promise<Contact> {
  const contact = await findContact(read, account, contactId, now);
  if (!contact || contact.status === 'removed') throw refuse('NOT_FOUND', { what: 'The contact' });
  return contact;
}

/** Returns the caller as a contact of the account. @throws Failure NOT_FOUND for staff who look at the account */
export const getMyContact = ({ read, account, registry }: Act<typeof contacts.getMyContact>): Promise<Contact> =>
  getContact({ read, account, params: { contactId: account.contactId ?? '' }, registry });

/** Returns a contact of the account after a change, possibly removed. */
export const contactById = async (change: Change, account: AdmittedAccount, contactId: string): Promise<Contact> =>
  (await findContact(change, account, contactId, new Date(change.now)))!;

/** A contact by an id from outside; null if the account has no such contact. */
async function findContact(read: Read, account: AdmittedAccount, contactId: string, now: Date): Promise<Contact | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(contactId)) return null;
  const [row] = await read.rows<Row>(
    sql`select ${columns} from contact c ${joins} where c.account_name = ${account.accountName} and c.contact_id = ${contactId}::uuid`,
  );
  return row ? contactOf(row, account, now) : null;
}

/** Returns whether a contact should confirm the details again. */
export async function confirmationIsDue(read: Read, contactId: string, now: Date): Promise<boolean> {
  const before = instantBefore(now, CONFIRMATION_DAYS * DAY_MS);
  return !(await hasConfirmedSince(read, contactId, before));
}

/** The columns of the file, stable for scripts. */
const exportedColumns = [
  'fullName',
  'email',
  'phone',
  'position',
  'contactTypes',
  'status',
  'addedAt',
  'confirmedAt',
  'permissions',
  'maintainers',
  'lastSignInAt',
  'dormant',
  'secondFactor',
] as const;

const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no');

/** Returns all contacts that match as a file. */
export const exportContacts = async ({ read, account, query, registry: { now } }: Act<typeof contacts.exportContacts>): Promise<Download> =>
  tableFile(`contacts-${account.accountName}`, query.format, exportedColumns, streamContacts(read, account, query, now));

/** All contacts that match, in batches, lists as words with spaces between. */
async function* streamContacts(
  read: Read,
  account: AdmittedAccount,
  filters: Filters,
  now: Date,
): AsyncGenerator<Record<(typeof exportedColumns)[number], string>[]> {
  const rows = read.stream<Row>(
    sql<Row>`select ${columns} from contact c ${joins} where ${matching(account, filters, now)} order by ${orderOf(filters)}`,
  );
  for await (const batch of rows) {
    yield batch.map(row => {
      const contact = contactOf(row, account, now);
      return {
        fullName: contact.fullName,
        email: contact.email,
        phone: contact.phone,
        position: contact.position,
        contactTypes: contact.contactTypes.join(' '),
        status: contact.status,
        addedAt: contact.addedAt,
        confirmedAt: contact.confirmedAt ?? '',
        permissions: contact.permissions?.join(' ') ?? '',
        maintainers: contact.maintainers?.join(' ') ?? '',
        lastSignInAt: contact.lastSignInAt ?? '',
        dormant: yesNo(contact.dormant),
        secondFactor: yesNo(contact.hasSecondFactor),
      };
    });
  }
}
