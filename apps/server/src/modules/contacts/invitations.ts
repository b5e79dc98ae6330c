import { isRowId } from '@portal/contract/row-ids';
import { type AnswerOf, type ContactType, defaultPermissions, type Permission } from '@portal/contract';
import type { invitations, OwnInvitation } from '@portal/contract/contacts/invitations';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import type { LinkMaking } from '../../platform/registry.ts';
import { accountNamed, changeContact, lockContact, activeContacts, refuseClosedAccount } from '../accounts/index.ts';
import { endLink, loginById, makeLink, readLink, refuseLinkGuesses, takeLink } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { notifyCorporateContacts, notifyEveryone } from './contact-notices.ts';
import type { ContactRow } from './contact-row.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { contactsTexts } from './mail-texts.ts';

/** How many days an invitation is valid. */
const DAYS = 7;
const MAX_A_DAY = 100;
const MAX_TO_ONE_CONTACT = 5;

type Answer = AnswerOf<typeof invitations.getInvitation>;

/**
 * Sends a contact an invitation, and invalidates earlier ones.
 * @param invitedBy null for the registry @throws Failure TOO_MANY_REQUESTS
 */
export async function sendInvitation(
  change: Change,
  contact: ContactRow,
  invitedBy: { contactId: string; name: string } | null,
  { config, box }: LinkMaking,
): Promise<void> {
  await endInvitation(change, contact.contactId, 'revoked');
  await mayInvite(change, contact.contactId, invitedBy?.contactId ?? null);
  const { orgName } = await accountNamed(change, contact.accountName);
  const { linkId, token } = await makeLink(change, {
    purpose: 'invitation',
    email: contact.email,
    asked: { contactId: contact.contactId },
    minutes: DAYS * 24 * 60,
  });
  const expiresAt = instantAfter(change.now, DAYS * DAY_MS);
  await change
    .insertInto('invitation')
    .values({ contactId: contact.contactId, linkId, invitedBy: invitedBy?.contactId ?? null, sentAt: change.now, expiresAt })
    .execute();
  const message = {
    topic: 'contacts.access' as const,
    recipient: contact.email,
    recipientName: contact.fullName,
    loginId: contact.loginId,
    accountName: contact.accountName,
    act: 'Answer the invitation',
    answerBy: expiresAt,
    text: contactsTexts.written('invitation', {
      accountName: contact.accountName,
      inviter: invitedBy?.name ?? 'The registry',
      contactTypes: contact.contactTypes.join(' and '),
      orgName,
    }),
    link: `${config.appUrl}/accept-invitation/${token}`,
  };
  await sendMail(change, message, box);
}

/**
 * Invites the people named when an account is opened, on behalf of the registry. Existing contacts are skipped.
 * @throws Failure TOO_MANY_REQUESTS
 */
export async function inviteFirstContact(
  change: Change,
  invited: Pick<ContactRow, 'accountName' | 'fullName' | 'email' | 'phone' | 'contactTypes'>,
  registry: LinkMaking,
): Promise<void> {
  const { accountName, fullName, email, phone, contactTypes } = invited;
  const contact = await change
    .insertInto('contact')
    .values({
      accountName,
      fullName,
      email,
      phone,
      contactTypes,
      permissions: defaultPermissions(contactTypes),
      status: 'invited',
      createdAt: change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (contact) await sendInvitation(change, contact as ContactRow, null, registry);
}

/** Prevents flooding a mailbox in the registry's name: five invitations a contact and a hundred a person within a day. */
async function mayInvite(change: Change, contactId: string, invitedBy: string | null): Promise<void> {
  const { since, until } = theLast(DAY_MS, change.now);
  const sent = sql`select count(*) as count from invitation where sent_at between ${since} and ${until}`;
  if (invitedBy !== null)
    await refuseBeyond(change, {
      of: `contacts.invited-by-${invitedBy}`,
      counted: sql`${sent} and invited_by = ${invitedBy}::uuid`,
      limit: MAX_A_DAY,
      seconds: HOUR_MS / 1000,
    });
  await refuseBeyond(change, {
    of: `contacts.invited-${contactId}`,
    counted: sql`${sent} and contact_id = ${contactId}::uuid`,
    limit: MAX_TO_ONE_CONTACT,
    seconds: HOUR_MS / 1000,
  });
}

/** Ends the open invitation of a contact, if there is one, and the link with it. */
export async function endInvitation(
  change: Change,
  contactId: string,
  state: 'accepted' | 'revoked' | 'expired' | 'declined',
): Promise<void> {
  const ended = await change
    .updateTable('invitation')
    .set({ state, endedAt: change.now })
    .where('contactId', '=', contactId)
    .where('state', '=', 'sent')
    .returning('linkId')
    .executeTakeFirst();
  if (ended?.linkId) await endLink(change, ended.linkId);
}

type Found = {
  invitationId: number;
  linkId: string | null;
  state: 'sent' | 'accepted' | 'declined' | 'expired' | 'revoked';
  sentAt: string;
  expiresAt: string;
  invitedBy: string | null;
  inviterName: string;
  contactId: string;
  accountName: string;
  orgName: string;
  accountStatus: string;
  fullName: string;
  email: string;
  contactTypes: ContactType[];
  permissions: Permission[];
  status: ContactRow['status'];
  ownEmail: string;
  ownVerified: boolean;
  alreadyContact: boolean;
};

/** Identifies an invitation: the token of its link, or its id if it was sent to the caller's own verified address. */
type Opener = { token: string } | { invitationId: string };

async function findInvitation(read: Read, opener: Opener, caller: Caller, now: Date): Promise<Found | null> {
  if ('invitationId' in opener) {
    if (!isRowId(opener.invitationId)) return null;
    const found = await invitationWhere(read, sql`i.invitation_id = ${Number(opener.invitationId)}`, caller, now);
    return found && emailMatchOf(found) === 'same' ? found : null;
  }
  const found = await readLink(read, opener.token, 'invitation', now);
  if (found.state === 'unknown') return null;
  return invitationWhere(read, sql`i.link_id = ${found.state === 'open' ? found.link.linkId : found.linkId}`, caller, now);
}

/** An invitation with its viewer, or null. */
async function invitationWhere(read: Read, where: RawBuilder<unknown>, caller: Caller, now: Date): Promise<Found | null> {
  const [row] = await read.rows<Omit<Found, 'ownEmail' | 'ownVerified'>>(sql`
    select i.invitation_id, i.link_id, i.state, i.sent_at, i.expires_at, i.invited_by::text, coalesce(b.full_name, 'Registry') as inviter_name,
      c.contact_id::text, c.account_name, a.org_name, a.account_status, c.full_name, c.email, c.contact_types, c.permissions, c.status,
      exists (select from contact o where o.account_name = c.account_name and o.login_id = ${caller.loginId} and o.status <> 'removed') as already_contact
    from invitation i join contact c using (contact_id) join account a using (account_name) left join contact b on b.contact_id = i.invited_by
    where ${where}`);
  if (!row) return null;
  const login = await loginById(read, caller.loginId);
  const expired = row.state === 'sent' && Date.parse(row.expiresAt) <= now.getTime();
  return {
    ...row,
    state: expired ? 'expired' : row.state,
    ownEmail: login?.email ?? caller.email,
    ownVerified: login?.emailVerified ?? false,
  };
}

/** Whether the verified address is the invited one; otherwise only invitations of non-corporate contacts can be accepted (S23). */
function emailMatchOf({ email, ownEmail, ownVerified, contactTypes }: Found): Answer['emailMatch'] {
  if (ownVerified && ownEmail.toLowerCase() === email.toLowerCase()) return 'same';
  return contactTypes.includes('corporate') ? 'refused' : 'confirm';
}

const ended = { accepted: 'used', declined: 'used', expired: 'expired', revoked: 'revoked' } as const;

/** Returns an invitation for the page that asks whether to accept. Guessing tokens is slowed down. @throws Failure INVITATION_NOT_FOUND, TOO_MANY_REQUESTS */
export async function getInvitation({
  read,
  caller,
  params: { acceptanceToken: token },
  registry: { now },
}: Act<typeof invitations.getInvitation>): Promise<Answer> {
  await refuseLinkGuesses(read, caller, now);
  const found = await findInvitation(read, { token }, caller, now);
  if (!found) throw refuse('INVITATION_NOT_FOUND');
  const open = found.accountStatus === 'closed' ? 'account-closed' : found.alreadyContact ? 'already-contact' : 'open';
  return {
    state: found.state === 'sent' ? open : ended[found.state],
    accountName: found.accountName,
    orgName: found.orgName,
    contactTypes: found.contactTypes,
    permissions: found.permissions,
    invitedBy: found.inviterName,
    sentAt: found.sentAt,
    expiresAt: found.expiresAt,
    email: found.email,
    ownEmail: found.ownEmail,
    emailMatch: emailMatchOf(found),
  };
}

/** An invitation with what opened it. */
export type OpenedInvitation = { found: Found; opener: Opener };

/** Invitations, answered by the holder of the link, or by the person whose own verified address was invited. Their contact is locked first. */
export const invitationCases: CasesOf<OpenedInvitation> = {
  stateOf: ({ found }) => found.state,
  lock: async ({ change, caller, params: { acceptanceToken: token, invitationId } }) => {
    const opener = token === undefined ? { invitationId: invitationId! } : { token };
    const at = new Date(change.now);
    await refuseLinkGuesses(change, caller, at);
    const seen = await findInvitation(change, opener, caller, at);
    if (!seen) throw refuse('INVITATION_NOT_FOUND');
    await lockContact(change, seen.contactId);
    const found = (await findInvitation(change, opener, caller, at))!;
    await change.concerns(found.accountName, found.contactId);
    return { found, opener };
  },
  refusal: async ({ found: { state } }) =>
    refuse(state === 'revoked' ? 'INVITATION_REVOKED' : state === 'expired' ? 'INVITATION_EXPIRED' : 'INVITATION_USED'),
};

/** Makes the link void, whichever way the invitation was answered. @throws Failure INVITATION_USED */
async function endLinkOf(change: Change, { opener, found: { linkId } }: OpenedInvitation): Promise<void> {
  if ('token' in opener) {
    if ((await takeLink(change, opener.token, 'invitation')).state !== 'open') throw refuse('INVITATION_USED');
  } else if (linkId !== null) await endLink(change, linkId);
}

/** Open invitations to the verified address of the caller's login. */
export async function listOwnInvitations({
  read,
  caller,
  registry: { now },
}: Act<typeof invitations.listOwnInvitations>): Promise<OwnInvitation[]> {
  const login = await loginById(read, caller.loginId);
  if (!login?.emailVerified) return [];
  return read.rows<OwnInvitation>(sql`select i.invitation_id::text, c.account_name, a.org_name, c.contact_types,
      coalesce(b.full_name, 'Registry') as invited_by, i.sent_at, i.expires_at
    from contact c join invitation i using (contact_id) join account a using (account_name) left join contact b on b.contact_id = i.invited_by
    where c.status = 'invited' and lower(c.email) = lower(${login.email}) and i.state = 'sent' and i.expires_at > ${now.toISOString()}
      and a.account_status <> 'closed'
      and not exists (select from contact o where o.account_name = c.account_name and o.login_id = ${caller.loginId} and o.status <> 'removed')
    order by i.invitation_id limit 100`);
}

/** Accepts the invitation of a link, as `accept`. @throws Failure those of `accept` */
export const acceptInvitation = ({
  change,
  caller,
  row,
  body: { otherEmailConfirmed },
}: CaseAct<typeof invitations.acceptInvitation, OpenedInvitation>): Promise<{ accountName: string }> =>
  accept(change, row, otherEmailConfirmed, caller);

/** Accepts an invitation to the caller's own verified address. @throws Failure those of `accept` */
export const acceptOwnInvitation = ({
  change,
  caller,
  row,
}: CaseAct<typeof invitations.acceptOwnInvitation, OpenedInvitation>): Promise<{ accountName: string }> =>
  accept(change, row, false, caller);

/**
 * Makes the caller the invited contact. An invitation of a corporate contact is bound to its address; others confirm that both addresses are theirs.
 * @throws Failure INVITATION_USED, ACCOUNT_CLOSED, ALREADY_CONTACT, EMAIL_MISMATCH, EMAIL_NOT_CONFIRMED
 */
async function accept(
  change: Change,
  opened: OpenedInvitation,
  otherEmailConfirmed: boolean,
  caller: Caller,
): Promise<{ accountName: string }> {
  const { found } = opened;
  const { accountName, contactId, fullName, contactTypes, email, ownEmail } = found;
  refuseClosedAccount(found);
  if (found.alreadyContact) throw refuse('ALREADY_CONTACT', { who: 'Your login', account: accountName });
  const match = emailMatchOf(found);
  if (match === 'refused') throw refuse('EMAIL_MISMATCH', { email });
  if (match === 'confirm' && !otherEmailConfirmed) throw refuse('EMAIL_NOT_CONFIRMED', { email, own: ownEmail });
  await endLinkOf(change, opened);
  await change
    .updateTable('invitation')
    .set({ state: 'accepted', endedAt: change.now })
    .where('invitationId', '=', found.invitationId)
    .execute();
  await changeContact(change, contactId, { loginId: caller.loginId, status: 'active', confirmedAt: change.now });
  await change.note({ contact: fullName, email, login: ownEmail, contactTypes, invitedBy: found.inviterName });
  const loginWords = match === 'same' ? '' : ` with the login ${ownEmail}, an address other than the invited one`;
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('invitationAccepted', {
      fullName,
      accountName,
      email,
      inviter: found.inviterName,
      loginWords,
      contactTypes: contactTypes.join(' and '),
    }),
    persons: [{ fullName, email }, ...(await inviterOf(change, found))],
  });
  return { accountName };
}

/** Declines the invitation of a link, as `decline`. @throws Failure INVITATION_USED */
export const declineInvitation = ({ change, row }: CaseAct<typeof invitations.declineInvitation, OpenedInvitation>): Promise<void> =>
  decline(change, row);

/** Declines an invitation to the caller's own verified address, as `decline`. @throws Failure INVITATION_USED */
export const declineOwnInvitation = ({ change, row }: CaseAct<typeof invitations.declineOwnInvitation, OpenedInvitation>): Promise<void> =>
  decline(change, row);

/** Declines an invitation: the contact is removed and the inviter notified. @throws Failure INVITATION_USED */
async function decline(change: Change, opened: OpenedInvitation): Promise<void> {
  const { found } = opened;
  const { accountName, contactId, fullName, email } = found;
  await endLinkOf(change, opened);
  await change
    .updateTable('invitation')
    .set({ state: 'declined', endedAt: change.now })
    .where('invitationId', '=', found.invitationId)
    .execute();
  await changeContact(change, contactId, { status: 'removed', permissions: [], removedAt: change.now });
  await change.note({ contact: fullName, email });
  await notifyEveryone(change, {
    accountName,
    text: contactsTexts.written('declinedInvitation', { fullName, accountName, email }),
    persons: await inviterOf(change, found),
  });
}

async function inviterOf(read: Read, { accountName, invitedBy }: Found): Promise<{ fullName: string; email: string }[]> {
  return invitedBy === null ? [] : (await activeContacts(read, accountName)).filter(({ contactId }) => contactId === invitedBy);
}
