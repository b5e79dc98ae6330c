import { portalNameOf } from '../../brand.ts';
import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { roles, Staff } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import {
  endLink,
  type LinkFound,
  type Login,
  loginById,
  makeLink,
  makeStaff,
  readLink,
  refuseLinkGuesses,
  takeLink,
} from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { assignRole, notifyMember, notifyOverseers } from './giving.ts';
import { allRoles, lockRoles, staffPermissionsOf } from './held-roles.ts';
import { InvitationOffer } from './open-invitations.ts';
import { staffList } from './staff-list.ts';
import { rolesTexts } from './mail-texts.ts';

/** Days in which an invitation is answered. */
export const INVITATION_DAYS = 7;

/**
 * Mails an invitation to a person who has a login, or will have one at another provider. They become registry staff once they accept it, signed in with the login of that
 * address: nothing is given to a login because someone else wrote its address down.
 * @param to its login; null while there is none
 */
export async function sendStaffInvitation(
  change: Change,
  { email, to, offer, role, lines }: { email: string; to: Login | null; offer: InvitationOffer; role: string; lines: readonly string[] },
  { registry, by }: { registry: Pick<Registry, 'config' | 'box' | 'profile'>; by: string },
): Promise<void> {
  const { linkId, token } = await makeLink(change, {
    purpose: 'staff-invitation',
    loginId: to?.loginId ?? null,
    email,
    asked: offer,
    minutes: INVITATION_DAYS * 24 * 60,
  });
  // A newer invitation of an address ends the older ones.
  const older = await change.rows<{
    linkId: string;
  }>(sql`select link_id from login_link where purpose = 'staff-invitation' and lower(email) = lower(${email})
    and link_id <> ${linkId} and used_at is null and expires_at > ${change.now}::timestamptz`);
  for (const each of older) await endLink(change, each.linkId);
  const { registryName } = registry.profile;
  const product = portalNameOf(registry.profile);
  await sendMail(
    change,
    {
      topic: 'login.links',
      recipient: email,
      recipientName: offer.fullName,
      loginId: to?.loginId ?? null,
      act: 'Answer the invitation',
      answerBy: instantAfter(change.now, INVITATION_DAYS * DAY_MS),
      text: rolesTexts.written('staffInvitation', { registryName, actor: by, product, role, lines: lines.join('\n') }),
      link: `${registry.config.appUrl}/accept-staff-invitation/${token}`,
    },
    registry.box,
  );
}

type Found = { login: Login; offer: InvitationOffer; email: string; madeAt: string; expiresAt: string; isMine: boolean };

/** The open invitation of a token with the caller's login. @throws Failure INVITATION_NOT_FOUND, INVITATION_EXPIRED, INVITATION_USED, TOO_MANY_REQUESTS */
async function foundBy(read: Read, token: string, caller: Caller, now: Date): Promise<Found | Exclude<LinkFound['state'], 'open'>> {
  await refuseLinkGuesses(read, caller, now);
  const found = await readLink(read, token, 'staff-invitation', now);
  if (found.state !== 'open') return found.state;
  const { link } = found;
  const login = (await loginById(read, caller.loginId))!;
  // The link proves the mailbox; the login has to be the one that was invited, or with another provider the one with this address.
  const isMine = link.loginId === null ? login.email.toLowerCase() === link.email.toLowerCase() : link.loginId === login.loginId;
  const { email, madeAt, expiresAt } = link;
  return { login, offer: InvitationOffer.parse(link.asked), email, madeAt, expiresAt, isMine };
}

/** An invitation for the page that asks whether to accept. @throws Failure INVITATION_NOT_FOUND, TOO_MANY_REQUESTS */
export async function getStaffInvitation({
  read,
  caller,
  params: { acceptanceToken },
  registry: { now },
}: Act<typeof roles.getStaffInvitation>): Promise<AnswerOf<typeof roles.getStaffInvitation>> {
  const found = await foundBy(read, acceptanceToken, caller, now);
  if (found === 'unknown') throw refuse('INVITATION_NOT_FOUND');
  const login = (await loginById(read, caller.loginId))!;
  const none = { role: '', permissions: [], invitedBy: '', reason: '', startsAt: null, until: null, email: '', ownEmail: login.email };
  // What it offered is not said to who holds an old link.
  if (typeof found === 'string') return { state: found, ...none, sentAt: now.toISOString(), expiresAt: now.toISOString() };
  const { offer, email, madeAt, expiresAt, isMine } = found;
  const [role, inviter] = await Promise.all([
    allRoles(read).then(all => all.find(({ key }) => key === offer.role)),
    loginById(read, offer.by),
  ]);
  return {
    state: isMine ? 'open' : 'other-login',
    role: role?.name ?? offer.role,
    permissions: role?.permissions ?? [],
    invitedBy: inviter!.fullName,
    reason: offer.reason,
    startsAt: offer.startsAt,
    until: offer.until,
    sentAt: madeAt,
    expiresAt,
    email,
    ownEmail: login.email,
  };
}

/**
 * Makes the caller registry staff with the role of an invitation, which is judged again as if it were given now by who invited.
 * @throws Failure INVITATION_…, TOO_MANY_REQUESTS, EMAIL_MISMATCH for another login, ALREADY_STAFF, INVITER_LEFT, and those of `assignRole`
 */
export async function acceptStaffInvitation({
  change,
  caller,
  params: { acceptanceToken },
  registry,
}: Act<typeof roles.acceptStaffInvitation>): Promise<{ role: string }> {
  await lockRoles(change);
  const found = await foundBy(change, acceptanceToken, caller, new Date(change.now));
  if (found === 'unknown') throw refuse('INVITATION_NOT_FOUND');
  if (found === 'expired') throw refuse('INVITATION_EXPIRED');
  if (found === 'used') throw refuse('INVITATION_USED');
  const { login, offer, email, isMine } = found;
  if (!isMine) throw refuse('EMAIL_MISMATCH', { email });
  if (login.staff) throw refuse('ALREADY_STAFF', { who: login.fullName });
  const inviter = (await loginById(change, offer.by))!;
  const mayGive = inviter.disabledAt === null && inviter.frozenAt === null;
  if (!mayGive || !(await staffPermissionsOf(change, inviter.loginId, new Date(change.now))).has('staff'))
    throw refuse('INVITER_LEFT', { who: inviter.fullName });
  if ((await takeLink(change, acceptanceToken, 'staff-invitation')).state !== 'open') throw refuse('INVITATION_USED');
  await makeStaff(change, login.loginId);
  const begun = offer.startsAt !== null && offer.startsAt <= change.now;
  const { words: role, lines } = await assignRole(
    change,
    login,
    { role: offer.role, reason: offer.reason, startsAt: begun ? null : offer.startsAt, until: offer.until },
    { by: inviter.loginId, profile: registry.profile },
  );
  await change.note({ person: login.fullName, email, role, invitedBy: inviter.fullName });
  await notifyMember(change, login, rolesTexts.written('youAreStaff', { role, inviter: inviter.fullName, roleFacts: lines.join('\n\n') }));
  await notifyOverseers(
    change,
    rolesTexts.written('invitationAccepted', {
      fullName: login.fullName,
      role,
      email,
      inviter: inviter.fullName,
      roleFacts: lines.join('\n\n'),
      reason: offer.reason,
    }),
    [login.loginId],
  );
  return { role };
}

/** Withdraws an invitation that waits for its person. @throws Failure NOT_FOUND */
export async function revokeStaffInvitation({
  change,
  caller,
  params: { invitationId },
  registry,
}: Act<typeof roles.revokeStaffInvitation>): Promise<Staff> {
  await lockRoles(change);
  const [open] = await change.rows<{
    email: string;
  }>(sql`select email from login_link where link_id = ${invitationId} and purpose = 'staff-invitation'
    and used_at is null and expires_at > ${change.now}::timestamptz for update`);
  if (!open) throw refuse('NOT_FOUND', { what: 'An invitation that waits' });
  await endLink(change, invitationId);
  await change.note({ email: open.email });
  return staffList(change, caller, registry);
}
