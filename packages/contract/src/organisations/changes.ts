import { organisationChangeLife, organisationChangeStates } from './life.ts';
import * as z from 'zod/mini';
import { AttachedIds, Attachment } from '../documents/documents.ts';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { listOffset } from '../whole-numbers.ts';

export const organisationTypes = ['company', 'partnership', 'sole trader', 'government', 'education', 'not for profit', 'other'] as const;
export type OrganisationType = (typeof organisationTypes)[number];

/** Fields that only the registry changes, at a member's request. */
export const registryFields = {
  /** Only a corporate contact can request another name. `evidence`: the documents that prove it; null if none are needed. */
  orgName: { label: 'Legal name', corporate: true, evidence: 'a certificate of the name change or another official document' },
  registrationNumber: { label: 'Registration number', corporate: false, evidence: 'an extract from the public register' },
  organisationType: { label: 'Organisation type', corporate: false, evidence: null },
} as const;
export type RegistryField = keyof typeof registryFields;
const registryFieldNames = Object.keys(registryFields) as [RegistryField, ...RegistryField[]];

/** The legal name of an organisation in any script. */
export const LegalName = oneLine(255).check(z.minLength(2, { error: 'Enter the legal name, at least 2 characters' }));
/** The number of an organisation in the public register of its economy. */
export const RegistrationNumber = oneLine(40).check(
  z.regex(/[\p{L}\p{N}]/u, { error: 'Enter the number as in the public company register' }),
);
const OrganisationTypeName = z.enum(organisationTypes, { error: `Choose one of ${organisationTypes.join(', ')}` });

/** Fields that a change can be requested for. */
const wanted = { orgName: LegalName, registrationNumber: RegistrationNumber, organisationType: OrganisationTypeName };
/** Returns what is wrong with a requested value; null if it is valid. */
export function problemOfWanted(field: RegistryField, value: string): string | null {
  const result = z.safeParse(wanted[field], value);
  return result.success ? null : (result.error.issues[0]?.message ?? 'This isn’t possible');
}

/** A change that waits for the registry, or one that it decided. */
export const OrganisationChange = z.object({
  changeId: z.string(),
  /** Quoted in mails and on documents sent for it: `ORG-12`. */
  reference: z.string(),
  accountName: z.string(),
  field: z.enum(registryFieldNames),
  /** The registered value when the change was requested; empty if there was none. */
  presentValue: z.string(),
  wantedValue: z.string(),
  reason: z.string(),
  /** Documents sent with it and since. */
  papers: z.array(Attachment),
  state: z.enum(organisationChangeStates),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  /** The registry's last question, and the answer. */
  question: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  /** Who withdrew or decided it; members see `Registry staff`. */
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
});
export type OrganisationChange = z.infer<typeof OrganisationChange>;

/** The same as registry staff see it, with the account it belongs to. */
export const StaffOrganisationChange = z.extend(OrganisationChange, {
  orgName: z.string(),
  economy: z.nullable(z.string()),
  accountStatus: z.string(),
  /** The value registered now, if it differs from `presentValue`. */
  valueNow: z.string(),
  requesterEmail: z.string(),
  reviewer: z.nullable(z.string()),
});
export type StaffOrganisationChange = z.infer<typeof StaffOrganisationChange>;

const WantedChange = z
  .object({
    field: z.enum(registryFieldNames),
    value: z.string().check(z.trim(), z.maxLength(255, { error: 'Enter at most 255 characters', abort: true })),
    reason: z._default(severalLines(500), ''),
    documentIds: AttachedIds,
  })
  .check(input => {
    const problem = problemOfWanted(input.value.field, input.value.value);
    if (problem) input.issues.push({ code: 'custom', path: ['value'], message: problem, input: input.value.value });
  });

const paged = {
  offset: listOffset,
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
};
/** A list over all accounts, as registry staff read it. */
export const staffList = {
  status: z._default(z.enum(['open', 'resolved']), 'open'),
  q: z._default(z.string().check(z.maxLength(100)), ''),
  ...paged,
};

const ask = member('member-details-update');
const registryDecides = 'registry staff have approved it';
const decisionErrors = ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST', 'REQUEST_STATE'] as const;

export const organisationChanges = group('organisations.changes', {
  listOrganisationChanges: endpoint({
    method: 'GET',
    path: '/api/:account/organisation/changes',
    summary: 'Changes the registry decided and those that were withdrawn, newest first.',
    access: member('contacts-details-view', { staff: true }),
    query: z.object(paged),
    answer: z.object({ rows: z.array(OrganisationChange), total: z.int() }),
  }),
  requestOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/:account/organisation/changes',
    summary: 'Ask the registry to change legal name (corporate contacts only), registration number or organisation type.',
    access: ask,
    effect: 'control',
    body: WantedChange,
    answer: OrganisationChange,
    errors: ['SECOND_PERSON', 'CORPORATE_ONLY', 'REGISTRY_DECIDES', 'DOCUMENT_MISSING', 'NOT_FOUND', 'FILE_UNUSABLE'],
    waitsFor: registryDecides,
    activity: 'Requested a change of the organisation',
  }),
  answerOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/:account/organisation/changes/:changeId/answer',
    summary: 'Say what the registry asked for; it looks into the request again.',
    moves: organisationChangeLife.answer,
    access: ask,
    effect: 'statements',
    body: z.object({ answer: severalLines(1000, 1), documentIds: AttachedIds }),
    answer: OrganisationChange,
    errors: ['NOT_FOUND', 'FILE_UNUSABLE', 'ALREADY_RESOLVED', 'REQUEST_STATE', 'CORPORATE_ONLY'],
    activity: 'Answered the registry about a change of the organisation',
  }),
  withdrawOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/:account/organisation/changes/:changeId/withdraw',
    summary: 'Withdraw what was asked; everything stays as it is.',
    moves: organisationChangeLife.withdraw,
    access: ask,
    effect: 'control',
    alone: 'the organisation stays as it is',
    answer: OrganisationChange,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'CORPORATE_ONLY'],
    activity: 'Withdrew a change of the organisation',
  }),
  listStaffOrganisationChanges: endpoint({
    method: 'GET',
    path: '/api/staff/organisation-changes',
    summary: 'Changes of organisations over all accounts: those that wait oldest first, the others newest first.',
    access: staff('memberships'),
    query: z.object(staffList),
    answer: z.object({ rows: z.array(StaffOrganisationChange), total: z.int() }),
  }),
  getStaffOrganisationChange: endpoint({
    method: 'GET',
    path: '/api/staff/organisation-changes/:changeId',
    summary: 'One change of an organisation, as registry staff read it.',
    access: staff('memberships'),
    answer: StaffOrganisationChange,
    errors: ['NOT_FOUND'],
  }),
  reviewOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/staff/organisation-changes/:changeId/review',
    summary: 'Take a change of an organisation into review.',
    moves: organisationChangeLife.review,
    access: staff('memberships'),
    effect: 'statements',
    answer: StaffOrganisationChange,
    errors: decisionErrors,
    activity: 'Started reviewing a change of the organisation',
  }),
  askAboutOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/staff/organisation-changes/:changeId/ask',
    summary: 'Ask the member for more, in words.',
    moves: organisationChangeLife.ask,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ question: severalLines(1000, 1) }),
    answer: StaffOrganisationChange,
    errors: decisionErrors,
    activity: 'Asked the member about a change of the organisation',
  }),
  approveOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/staff/organisation-changes/:changeId/approve',
    summary: 'Approve a change of an organisation; it takes effect immediately.',
    moves: organisationChangeLife.approve,
    access: staff('memberships'),
    effect: 'control',
    body: z.object({ note: z._default(severalLines(500), '') }),
    answer: StaffOrganisationChange,
    errors: [...decisionErrors, 'ACCOUNT_CLOSED', 'ACCOUNT_RESTRAINED'],
    activity: 'Approved a change of the organisation',
  }),
  refuseOrganisationChange: endpoint({
    method: 'POST',
    path: '/api/staff/organisation-changes/:changeId/refuse',
    summary: 'Refuse a change of an organisation, with the reason.',
    moves: organisationChangeLife.refuse,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ reason: severalLines(500, 1) }),
    answer: StaffOrganisationChange,
    errors: decisionErrors,
    activity: 'Rejected a change of the organisation',
  }),
});
