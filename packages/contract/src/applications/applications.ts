import { applicationLife, applicationStates } from './life.ts';
import * as z from 'zod/mini';
import { accountStatuses } from '../accounts/accounts.ts';
import { AttachedIds, Attachment } from '../documents/documents.ts';
import { endpoint, group, signedIn, staff, unrecordedEndpoint } from '../endpoint.ts';
import { staffList } from '../organisations/changes.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { severalLines } from '../several-lines.ts';
import { ApplicationDraft, applicationStepNames } from './application-form.ts';
import { rowVersion } from '../whole-numbers.ts';

/** The terms a new member agrees to, and who may become one. */
export const ApplicationTerms = z.object({
  /** ISO 3166 alpha-2 codes of the registry's service region. */
  economies: z.array(z.string()),
  /** Economies that have a registry of their own: applicants are pointed to it first. */
  nationalRegistries: z.array(z.object({ economy: z.string(), name: z.string(), url: z.string() })),
  agreement: z.object({ version: z.string(), url: z.string() }),
  /** Within what time an application is reviewed, in words: `two to five working days`. */
  reviewTime: z.string(),
  /** Maximum number of drafts per person, and the days for which an untouched draft is kept. */
  maxDrafts: z.int(),
  draftDays: z.int(),
});
export type ApplicationTerms = z.infer<typeof ApplicationTerms>;

export const applicationEventKinds = [
  'submitted',
  'in-review',
  'question',
  'answer',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
] as const;
/** Something that happened to an application. */
export const ApplicationEvent = z.object({
  kind: z.enum(applicationEventKinds),
  at: z.iso.datetime(),
  /** Applicants see `Registry staff`; null without a person. */
  by: z.nullable(z.string()),
  /** The question, the answer, the reason or the note. */
  words: z.string(),
});
export type ApplicationEvent = z.infer<typeof ApplicationEvent>;

/** A membership application in its applicant's list. */
export const Application = z.object({
  applicationId: z.string(),
  /** Quoted in mails: `APP-12`. */
  reference: z.string(),
  state: z.enum(applicationStates),
  /** Empty until it is filled in, as is the account name. */
  orgName: z.string(),
  accountName: z.string(),
  /** The step the applicant was at. */
  step: z.enum(applicationStepNames),
  startedAt: z.iso.datetime(),
  savedAt: z.iso.datetime(),
  submittedAt: z.nullable(z.iso.datetime()),
  /** When an untouched draft is deleted. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** Status of the account that was created. */
  accountStatus: z.nullable(z.enum(accountStatuses)),
  /** The member that proposed it. */
  referredBy: z.nullable(z.string()),
});
export type Application = z.infer<typeof Application>;

const Agreement = z.nullable(z.object({ version: z.string(), agreedAt: z.iso.datetime() }));
const Applicant = z.object({ fullName: z.string(), email: z.string() });

/** The whole of it. */
export const ApplicationDetail = z.extend(Application, {
  /** Incremented by each save; saving over a newer version is refused with 412 STALE. */
  version: rowVersion,
  draft: ApplicationDraft,
  /** Becomes the corporate contact. */
  applicant: Applicant,
  /** The registry's question; null unless an answer is pending. */
  question: z.nullable(z.string()),
  agreement: Agreement,
  /** Papers that go with it, in the order they were sent; `documents.files.openOwnFile` opens one. */
  papers: z.array(Attachment),
  /** Oldest first. */
  events: z.array(ApplicationEvent),
});
export type ApplicationDetail = z.infer<typeof ApplicationDetail>;

/** An application in the list of registry staff. */
export const StaffApplication = z.object({
  applicationId: z.string(),
  reference: z.string(),
  state: z.enum(applicationStates),
  orgName: z.string(),
  economy: z.string(),
  business: z.string(),
  /** The account name asked for, or given. */
  accountName: z.string(),
  accountType: z.enum(['regular', 'non member']),
  resources: z.array(z.enum(resourceKinds)),
  applicantName: z.string(),
  applicantEmail: z.string(),
  submittedAt: z.iso.datetime(),
  /** Since when it is in its state. */
  since: z.iso.datetime(),
  /** Staff member who reviews it, and who decided; null before that. */
  reviewer: z.nullable(z.string()),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
});
export type StaffApplication = z.infer<typeof StaffApplication>;

export const StaffApplicationDetail = z.extend(StaffApplication, {
  /** The form as last submitted or answered. */
  form: ApplicationDraft,
  agreement: Agreement,
  /** `documents.openStaffDocument` opens one. */
  papers: z.array(Attachment),
  events: z.array(ApplicationEvent),
  question: z.nullable(z.string()),
  /** Accounts and other open applications with the same registration number or organisation name in the economy. */
  alike: z.array(
    z.object({
      kind: z.enum(['account', 'application']),
      /** Account name, or reference of the application. */
      name: z.string(),
      /** The application that `GET /api/staff/applications/:applicationId` answers; null for an account. */
      applicationId: z.nullable(z.string()),
      orgName: z.string(),
    }),
  ),
  referredBy: z.nullable(z.object({ accountName: z.string(), orgName: z.string() })),
});
export type StaffApplicationDetail = z.infer<typeof StaffApplicationDetail>;

const filters = {
  status: staffList.status,
  q: staffList.q,
  state: z.optional(z.enum(applicationStates)),
  economy: z.optional(
    z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter country code, such as AU' })),
  ),
};
const decisionErrors = ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'] as const;
const submitErrors = ['NOT_FOUND', 'STALE', 'ACCOUNT_NAME_TAKEN', 'ORGANISATION_IS_MEMBER', 'EMAIL_NOT_VERIFIED'] as const;

export const applications = group('applications', {
  getApplicationTerms: endpoint({
    method: 'GET',
    path: '/api/application-terms',
    summary: 'Who may become a member, and the agreement that members accept.',
    access: signedIn,
    answer: ApplicationTerms,
  }),
  listApplications: endpoint({
    method: 'GET',
    path: '/api/me/applications',
    summary: 'The membership applications of the signed-in person, newest first: drafts, those with the registry, and those that ended.',
    access: signedIn,
    answer: z.array(Application),
  }),
  startApplication: endpoint({
    method: 'POST',
    path: '/api/me/applications',
    summary: 'Start a membership application; it is a draft until it is submitted.',
    access: signedIn,
    effect: 'drafts',
    answer: ApplicationDetail,
    errors: ['TOO_MANY_DRAFTS'],
    activity: 'Started a membership application',
  }),
  getApplication: endpoint({
    method: 'GET',
    path: '/api/me/applications/:applicationId',
    summary: 'A membership application of one’s own, with what was written and what happened to it.',
    access: signedIn,
    answer: ApplicationDetail,
    errors: ['NOT_FOUND'],
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/me/applications/:applicationId/draft',
    summary: 'Keep what was written so far, finished or not. Possible in a draft, and while the registry waits for an answer.',
    access: signedIn,
    effect: 'drafts',
    body: z.object({
      version: rowVersion,
      step: z.enum(applicationStepNames),
      draft: ApplicationDraft,
      /** The complete list of attached documents: any other is detached. What was submitted to the registry stays there. */
      documentIds: AttachedIds,
    }),
    answer: z.object({ version: rowVersion, savedAt: z.iso.datetime(), expiresAt: z.nullable(z.iso.datetime()) }),
    errors: ['NOT_FOUND', 'STALE', 'WITH_REGISTRY', 'FILE_UNUSABLE'],
    activity: 'Saved a membership application',
  }),
  checkAccountName: unrecordedEndpoint({
    path: '/api/me/applications/:applicationId/account-name',
    summary: 'Whether an account name can be had by this application, and up to three that can, made of the names of its organisation.',
    access: signedIn,
    effect: 'reading',
    body: z.object({ name: z._default(z.string().check(z.maxLength(60)), '') }),
    answer: z.object({
      /** Null if no name was given. */
      free: z.nullable(z.boolean()),
      proposals: z.array(z.string()),
    }),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
    unrecorded: 'How many taken names a person asked for, so that no one reads the list of accounts with it',
  }),
  submitApplication: endpoint({
    method: 'POST',
    path: '/api/me/applications/:applicationId/submit',
    summary: 'Submit the application. All missing or wrong fields are reported together. One already submitted is returned unchanged.',
    moves: applicationLife.submit,
    access: signedIn,
    effect: 'drafts',
    body: z.object({
      version: rowVersion,
      /** Version of the membership agreement that the applicant read and accepts. */
      agreementVersion: z.string().check(z.minLength(1, { error: 'Accept the membership agreement' }), z.maxLength(40)),
      /** The applicant declares that all statements are true. */
      truthful: z.literal(true, { error: 'Confirm that everything is true' }),
    }),
    answer: ApplicationDetail,
    errors: [...submitErrors, 'AGREEMENT_CHANGED', 'WITH_REGISTRY', 'TOO_MANY_DRAFTS'],
    activity: 'Submitted a membership application',
  }),
  answerApplication: endpoint({
    method: 'POST',
    path: '/api/me/applications/:applicationId/answer',
    summary: 'Say what the registry asked for; what was changed in the application since is handed in with it.',
    moves: applicationLife.answer,
    access: signedIn,
    effect: 'conversation',
    body: z.object({ version: rowVersion, answer: severalLines(2000, 1) }),
    answer: ApplicationDetail,
    errors: [...submitErrors, 'WITH_REGISTRY'],
    activity: 'Answered the registry about a membership application',
  }),
  withdrawApplication: endpoint({
    method: 'POST',
    path: '/api/me/applications/:applicationId/withdraw',
    summary: 'Withdraw an application before it’s decided, or delete a draft.',
    moves: applicationLife.withdraw,
    access: signedIn,
    effect: 'protection',
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Withdrew a membership application',
  }),
  listStaffApplications: endpoint({
    method: 'GET',
    path: '/api/staff/applications',
    summary: 'Membership applications: those that wait oldest first, the others newest first. Drafts are the applicant’s alone.',
    access: staff('memberships'),
    query: z.object({ ...staffList, ...filters }),
    answer: z.object({ rows: z.array(StaffApplication), total: z.int() }),
  }),
  exportStaffApplications: endpoint({
    method: 'GET',
    path: '/api/staff/applications/file',
    summary: 'The same list as a file.',
    access: staff('memberships'),
    query: z.object({ ...filters, format: z._default(z.enum(['csv', 'json']), 'csv') }),
    answer: 'download',
  }),
  getStaffApplication: endpoint({
    method: 'GET',
    path: '/api/staff/applications/:applicationId',
    summary: 'One membership application with everything in it.',
    access: staff('memberships'),
    answer: StaffApplicationDetail,
    errors: ['NOT_FOUND'],
  }),
  reviewApplication: endpoint({
    method: 'POST',
    path: '/api/staff/applications/:applicationId/review',
    summary: 'Take a membership application into review.',
    moves: applicationLife.review,
    access: staff('memberships'),
    effect: 'statements',
    answer: StaffApplicationDetail,
    errors: [...decisionErrors, 'REQUEST_STATE'],
    activity: 'Started reviewing a membership application',
  }),
  askAboutApplication: endpoint({
    method: 'POST',
    path: '/api/staff/applications/:applicationId/ask',
    summary: 'Ask the applicant for more, in words. The applicant can change the application until it is answered.',
    moves: applicationLife.ask,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ question: severalLines(2000, 1) }),
    answer: StaffApplicationDetail,
    errors: [...decisionErrors, 'REQUEST_STATE'],
    activity: 'Asked about a membership application',
  }),
  approveApplication: endpoint({
    method: 'POST',
    path: '/api/staff/applications/:applicationId/approve',
    summary:
      'Approve a membership application. The account is created immediately with status new and the applicant as its corporate contact.',
    moves: applicationLife.approve,
    access: staff('memberships'),
    effect: 'control',
    body: z.object({ note: z._default(severalLines(500), '') }),
    answer: StaffApplicationDetail,
    errors: [...decisionErrors, 'REQUEST_STATE', 'ORGANISATION_IS_MEMBER'],
    activity: 'Approved a membership application',
  }),
  refuseApplication: endpoint({
    method: 'POST',
    path: '/api/staff/applications/:applicationId/refuse',
    summary: 'Reject a membership application, with the reason.',
    moves: applicationLife.refuse,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ reason: severalLines(1000, 1) }),
    answer: StaffApplicationDetail,
    errors: decisionErrors,
    activity: 'Rejected a membership application',
  }),
});
