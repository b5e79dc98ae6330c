import { invitationStates } from './life.ts';
import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { Email } from '../email.ts';
import { contact, endpoint, group, member } from '../endpoint.ts';
import { oneLine, PersonName } from '../one-line.ts';
import { contactTypes, type Permission, permissionKeys } from '../permissions.ts';
import { PhoneNumber } from '../phone.ts';
import { helperPermissions } from './helper-permissions.ts';
import { registryRequestKinds } from './registry-requests.ts';
import { listOffset, rowVersion } from '../whole-numbers.ts';

const PermissionKey = z.enum(permissionKeys as [Permission, ...Permission[]]);
const ContactTypes = z.array(z.enum(contactTypes));
const ChosenTypes = ContactTypes.check(z.minLength(1, { error: 'Choose at least one contact type' }));

export const contactStatuses = ['invited', 'active', 'pending-registry', 'removed'] as const;

/** A person who acts for the account, or was asked to. */
export const Contact = z.object({
  contactId: z.string(),
  /** Grows with every change; a change of what was read earlier is refused with 412 STALE. */
  version: rowVersion,
  fullName: z.string(),
  email: z.string(),
  phone: z.string(),
  position: z.string(),
  contactTypes: ContactTypes,
  status: z.enum(contactStatuses),
  isMe: z.boolean(),
  addedAt: z.iso.datetime(),
  /** When the person last confirmed the details; due again a year later. */
  confirmedAt: z.nullable(z.iso.datetime()),
  confirmationDue: z.boolean(),
  /** The latest invitation, unless it was accepted. */
  invitation: z.nullable(
    z.object({ state: z.enum(invitationStates), sentAt: z.iso.datetime(), expiresAt: z.iso.datetime(), invitedBy: z.string() }),
  ),
  /** The request that waits for the registry's decision. */
  registryRequest: z.nullable(
    z.object({
      kind: z.enum(registryRequestKinds),
      contactTypes: ContactTypes,
      requestedAt: z.iso.datetime(),
      requestedBy: z.string(),
    }),
  ),
  /** End of a helper's access, such as a consultant's; null for all other contacts. */
  helperUntil: z.nullable(z.iso.datetime()),
  /** The rest is for holders of `users-privileges-view`, and of oneself; null for others. */
  permissions: z.nullable(z.array(PermissionKey)),
  maintainers: z.nullable(z.array(z.string())),
  lastSignInAt: z.nullable(z.iso.datetime()),
  /** No sign-in for 180 days. */
  dormant: z.nullable(z.boolean()),
  hasSecondFactor: z.nullable(z.boolean()),
});
export type Contact = z.infer<typeof Contact>;

export const contactSorts = ['fullName', 'email', 'contactTypes', 'status', 'addedAt', 'lastSignInAt', 'confirmedAt'] as const;
const Filters = {
  /** Part of name, e-mail address or position. */
  q: z._default(z.string().check(z.maxLength(100)), ''),
  type: z.optional(z.enum(contactTypes)),
  status: z.optional(z.enum(['invited', 'active', 'pending-registry'])),
  /** Only those to look at: dormant, without a second factor, confirmation due, waiting for the registry. */
  mark: z.optional(z.enum(['dormant', 'no-second-factor', 'confirmation-due', 'registry-decides', 'helper'])),
  sort: z._default(z.enum(contactSorts), 'fullName'),
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
};

/** Holders of a permission in an account, and who can grant it. */
export const PermissionHolders = z.object({
  permission: PermissionKey,
  label: z.string(),
  holders: z.array(z.object({ name: z.string(), contactTypes: ContactTypes })),
  granters: z.array(z.object({ name: z.string() })),
  /** When the caller last asked for it, while the request is open. */
  askedAt: z.nullable(z.iso.datetime()),
});
export type PermissionHolders = z.infer<typeof PermissionHolders>;

const PermissionRequest = z.object({
  permissions: z.array(PermissionKey).check(z.minLength(1)),
  /** Path of the page where the person was refused; empty when it was asked for elsewhere. */
  page: z._default(z.string().check(z.maxLength(300), z.regex(/^(\/(?!\/)\S*)?$/)), ''),
  message: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** The caller's permissions in the account, their source, and who to ask for more. */
export const MyPermissions = z.object({
  contactTypes: ContactTypes,
  groups: z.array(
    z.object({
      group: z.string(),
      permissions: z.array(
        z.object({
          permission: PermissionKey,
          label: z.string(),
          held: z.boolean(),
          /** `contact-type`: default of the contact types, held or not. `decision`: granted or revoked by a person. */
          from: z.enum(['contact-type', 'decision']),
          decidedBy: z.nullable(z.string()),
          decidedAt: z.nullable(z.iso.datetime()),
          /** It counts only in a session with a second factor. */
          needsSecondFactor: z.boolean(),
          /** Some of the changes that it allows need one given just now. */
          someChangesNeedSecondFactor: z.boolean(),
          /** Why it cannot be granted to the caller; null if it can. */
          notGrantable: z.nullable(z.string()),
          /** When the caller asked for it, while the request is open. */
          requestedAt: z.nullable(z.iso.datetime()),
        }),
      ),
    }),
  ),
  /** Whois maintainers the caller may use: one `whois-mntner:<name>` permission each. */
  maintainers: z.array(z.string()),
  /** Contacts who can change permissions. */
  corporateContacts: z.array(z.object({ name: z.string(), email: z.string() })),
  /** Accounts of some types have no votes. */
  mayVote: z.boolean(),
});
export type MyPermissions = z.infer<typeof MyPermissions>;

const Position = oneLine(100);
const details = { fullName: PersonName, phone: PhoneNumber, position: Position };

const NewContact = z.object({
  fullName: PersonName,
  email: Email,
  phone: z._default(PhoneNumber, ''),
  position: z._default(Position, ''),
  contactTypes: ChosenTypes,
  /** Instead of those the contact types start with; needs `users-privileges-update`. */
  permissions: z.optional(z.array(PermissionKey)),
  /** For the registry, where it decides. */
  reason: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
});
export type NewContact = z.infer<typeof NewContact>;

/** Omitted fields stay as they are, except permissions: new contact types come with their defaults unless permissions are given too. */
const ContactChange = z.object({
  version: rowVersion,
  fullName: z.optional(PersonName),
  phone: z.optional(PhoneNumber),
  position: z.optional(Position),
  contactTypes: z.optional(ChosenTypes),
  permissions: z.optional(z.array(PermissionKey)),
  maintainers: z.optional(
    z
      .array(
        z
          .string()
          .check(
            z.trim(),
            z.toUpperCase(),
            z.regex(/^[A-Z][A-Z0-9-]{1,78}[A-Z0-9]$/, { error: 'Enter a maintainer, such as MAINT-EXAMPLE-AU' }),
          ),
      )
      .check(z.maxLength(100)),
  ),
  reason: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
});
export type ContactChange = z.infer<typeof ContactChange>;

const HelperPermission = z.enum(helperPermissions as [Permission, ...Permission[]]);
const NewEmail = z.object({ version: rowVersion, email: Email });
/** Outcome in one sentence: removed, or waiting for the registry. */
const Removal = z.object({ removed: z.boolean(), words: z.string() });

const seeContacts = member('contacts-details-view', { staff: true });
const manageContacts = member('contacts-details-update');
const flag = 'contactmanagement';
const registryDecides = 'registry staff have approved it';

export const contacts = group('contacts', {
  whoHoldsPermission: endpoint({
    method: 'GET',
    path: '/api/:account/permission-holders',
    summary: 'Who in the account holds a permission, and who can grant it.',
    access: contact,
    query: z.object({ permission: PermissionKey }),
    answer: PermissionHolders,
  }),
  askForPermission: endpoint({
    method: 'POST',
    path: '/api/:account/permission-requests',
    summary: 'Ask those who can grant permissions for one or several; they get an e-mail and find an access request.',
    access: contact,
    effect: 'asking',
    body: PermissionRequest,
    answer: z.object({ requestId: z.string(), askedAt: z.iso.datetime(), asked: z.array(z.string()) }),
    errors: ['ALREADY_ASKED', 'PERMISSION_NOT_GRANTABLE'],
    activity: 'Requested a permission',
  }),
  getMyPermissions: endpoint({
    method: 'GET',
    path: '/api/:account/my-permissions',
    summary: 'What the caller may do in the account, where each permission comes from, and who to ask for more.',
    access: contact,
    answer: MyPermissions,
  }),
  listContacts: endpoint({
    method: 'GET',
    path: '/api/:account/contacts',
    publicApi: { path: '/contacts', scope: 'account:read' },
    summary: 'The contacts of the account, those who were invited included, a page at a time.',
    access: seeContacts,
    query: z.object({
      ...Filters,
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
    }),
    answer: z.object({
      rows: z.array(Contact),
      total: z.int(),
      /** The permissions that a contact without a second factor can't use, or not for some of the changes that they allow. */
      secondFactorFor: z.object({ always: z.array(PermissionKey), someChanges: z.array(PermissionKey) }),
    }),
  }),
  getContact: endpoint({
    method: 'GET',
    path: '/api/:account/contacts/:contactId',
    publicApi: { path: '/contacts/:contactId', scope: 'account:read' },
    summary: 'One contact of the account, as the list shows it.',
    access: seeContacts,
    answer: Contact,
    errors: ['NOT_FOUND'],
  }),
  getMyContact: endpoint({
    method: 'GET',
    path: '/api/:account/my-contact',
    summary: 'The caller as a contact of the account.',
    access: contact,
    answer: Contact,
    errors: ['NOT_FOUND'],
  }),
  changeContactEmail: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/email',
    summary:
      'Request a new e-mail address for a contact. It counts once a link sent there was opened; the old one can take it back for 24 hours.',
    access: manageContacts,
    effect: 'control',
    body: NewEmail,
    answer: Contact,
    errors: ['NOT_FOUND', 'STALE', 'CORPORATE_ONLY', 'ALREADY_CONTACT', 'TOO_MANY_REQUESTS'],
    flag,
    activity: 'Requested a new e-mail address for a contact',
  }),
  changeOwnEmail: endpoint({
    method: 'POST',
    path: '/api/:account/my-contact/email',
    summary: 'Request a new e-mail address in this account. It counts once a link sent there was opened.',
    access: contact,
    effect: 'own details',
    body: NewEmail,
    answer: Contact,
    errors: ['STALE', 'ALREADY_CONTACT', 'TOO_MANY_REQUESTS'],
    activity: 'Requested a new e-mail address',
  }),
  exportContacts: endpoint({
    method: 'GET',
    path: '/api/:account/contacts-export',
    publicApi: { path: '/contacts-export', scope: 'account:read' },
    summary: 'All contacts that match, as CSV or JSON.',
    access: seeContacts,
    query: z.object({ ...Filters, format: z._default(z.enum(['csv', 'json']), 'csv') }),
    answer: 'download',
  }),
  inviteContact: endpoint({
    method: 'POST',
    path: '/api/:account/contacts',
    summary: 'Invite a person by e-mail to become a contact. A corporate contact is invited when registry staff have approved it.',
    access: manageContacts,
    effect: 'control',
    body: NewContact,
    answer: Contact,
    errors: ['SECOND_PERSON', 'ALREADY_CONTACT', 'PERMISSION_NOT_GRANTABLE', 'CORPORATE_ONLY', 'NO_PERMISSION'],
    flag,
    waitsFor: registryDecides,
    activity: 'Invited a contact',
  }),
  updateContact: endpoint({
    method: 'PATCH',
    path: '/api/:account/contacts/:contactId',
    summary: 'Change a contact: details with `contacts-details-update`, types, permissions and maintainers with `users-privileges-update`.',
    access: member(['contacts-details-update', 'users-privileges-update']),
    effect: 'control',
    body: ContactChange,
    answer: Contact,
    errors: [
      'SECOND_PERSON',
      'NOT_FOUND',
      'STALE',
      'OWN_PERMISSIONS',
      'PERMISSION_NOT_GRANTABLE',
      'CORPORATE_ONLY',
      'LAST_CORPORATE_CONTACT',
      'REGISTRY_DECIDES',
    ],
    flag,
    waitsFor: registryDecides,
    activity: 'Changed a contact',
  }),
  removeContact: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/remove',
    summary: 'End that a person acts for the account. A corporate contact goes when registry staff have approved it.',
    access: { ...manageContacts, closed: true },
    effect: 'control',
    secondPersonOfClosed: 'registry staff',
    body: z.object({ version: rowVersion, reason: z._default(z.string().check(z.trim(), z.maxLength(500)), '') }),
    answer: Removal,
    errors: ['SECOND_PERSON', 'NOT_FOUND', 'STALE', 'CORPORATE_ONLY', 'LAST_CORPORATE_CONTACT', 'LAST_PAYER', 'REGISTRY_DECIDES'],
    flag,
    waitsFor: registryDecides,
    activity: 'Removed a contact',
  }),
  inviteHelper: endpoint({
    method: 'POST',
    path: '/api/:account/helpers',
    summary:
      'Invite a helper, such as a consultant, to act for the account until a day, with chosen permissions for resources and whois alone.',
    access: manageContacts,
    effect: 'control',
    body: z.object({ ...details, email: Email, until: calendarDay(), permissions: z.array(HelperPermission).check(z.minLength(1)) }),
    answer: Contact,
    errors: ['ALREADY_CONTACT', 'PERMISSION_NOT_GRANTABLE', 'NO_PERMISSION', 'TOO_MANY_REQUESTS'],
    flag,
    activity: 'Invited a helper',
  }),
  setHelperEnd: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/helper-end',
    summary: 'Let a helper go on until another day.',
    access: manageContacts,
    effect: 'control',
    body: z.object({ version: rowVersion, until: calendarDay() }),
    answer: Contact,
    errors: ['NOT_FOUND', 'STALE'],
    flag,
    activity: 'Changed a helper’s end date',
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/resend-invitation',
    summary: 'Send a new invitation; the link of the one before no longer works.',
    access: manageContacts,
    effect: 'control',
    alone: 'it repeats an invitation that stands',
    body: z.object({ version: rowVersion }),
    answer: Contact,
    errors: ['NOT_FOUND', 'STALE', 'TOO_MANY_REQUESTS', 'CORPORATE_ONLY'],
    flag,
    activity: 'Resent an invitation',
  }),
  revokeInvitation: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/revoke-invitation',
    summary: 'Withdraw an invitation that was not accepted; the person is no contact.',
    access: manageContacts,
    effect: 'control',
    alone: 'it only takes an invitation back',
    body: z.object({ version: rowVersion }),
    errors: ['NOT_FOUND', 'STALE', 'CORPORATE_ONLY'],
    flag,
    activity: 'Withdrew an invitation',
  }),
  updateOwnDetails: endpoint({
    method: 'PATCH',
    path: '/api/:account/my-contact',
    summary: 'Change one’s own name, telephone number and position as a contact of this account; they count as confirmed.',
    access: contact,
    effect: 'own details',
    body: z.object({ version: rowVersion, ...details }),
    answer: Contact,
    errors: ['STALE'],
    activity: 'Changed own contact details',
  }),
  confirmOwnDetails: endpoint({
    method: 'POST',
    path: '/api/:account/my-contact/confirm',
    summary: 'Say that one’s own details are right, as is asked once a year.',
    access: contact,
    effect: 'own details',
    answer: Contact,
    activity: 'Confirmed own contact details',
  }),
  leaveAccount: endpoint({
    method: 'POST',
    path: '/api/:account/leave',
    summary: 'Leave the account. A corporate contact leaves when registry staff have approved it.',
    access: { ...contact, closed: true },
    effect: 'joining',
    body: z.object({ reason: z._default(z.string().check(z.trim(), z.maxLength(500)), '') }),
    answer: Removal,
    errors: ['LAST_CORPORATE_CONTACT', 'LAST_PAYER', 'REGISTRY_DECIDES'],
    waitsFor: registryDecides,
    activity: 'Left the account',
  }),
});
