import { accountErrors } from './accounts/errors.ts';
import { announcementErrors } from './announcements/errors.ts';
import { apiKeyErrors } from './api-keys/errors.ts';
import { applicationErrors } from './applications/errors.ts';
import { billingErrors } from './billing/errors.ts';
import { contactErrors } from './contacts/errors.ts';
import { customerErrors } from './customers/errors.ts';
import { documentErrors } from './documents/errors.ts';
import { electionErrors } from './elections/errors.ts';
import { encryptedBallotErrors } from './encrypted-ballots/errors.ts';
import { eventErrors } from './events/errors.ts';
import { legalErrors } from './legal/errors.ts';
import { nirErrors } from './nir/errors.ts';
import { notificationErrors } from './notifications/errors.ts';
import { organisationErrors } from './organisations/errors.ts';
import { brandErrors } from './brand/errors.ts';
import { policyErrors } from './policy/errors.ts';
import { privacyErrors } from './privacy/errors.ts';
import { proposalErrors } from './proposals/errors.ts';
import { type ErrorRows, requestErrors, shownErrors } from './request-errors.ts';
import { requestFormErrors } from './requests/errors.ts';
import { restraintErrors } from './restraints/errors.ts';
import { resourceErrors } from './resources/errors.ts';
import { reverseDnsErrors } from './reverse-dns/errors.ts';
import { rolesErrors } from './roles/errors.ts';
import { routeErrors } from './routes/errors.ts';
import { rpkiErrors } from './rpki/errors.ts';
import { staffErrors } from './staff/errors.ts';
import { statusPageErrors } from './status-pages/errors.ts';
import { taskErrors } from './tasks/errors.ts';
import { ticketErrors } from './tickets/errors.ts';
import { webhookErrors } from './webhooks/errors.ts';
import { whoisErrors } from './whois/errors.ts';

export { requestErrors, shownErrors };

/** Every refusal a caller can get. A module with refusals of its own adds one line here. */
export const errorCatalogue = {
  ...requestErrors,
  ...accountErrors,
  ...apiKeyErrors,
  ...announcementErrors,
  ...applicationErrors,
  ...billingErrors,
  ...contactErrors,
  ...customerErrors,
  ...documentErrors,
  ...electionErrors,
  ...encryptedBallotErrors,
  ...eventErrors,
  ...legalErrors,
  ...nirErrors,
  ...notificationErrors,
  ...organisationErrors,
  ...brandErrors,
  ...policyErrors,
  ...privacyErrors,
  ...proposalErrors,
  ...requestFormErrors,
  ...resourceErrors,
  ...restraintErrors,
  ...reverseDnsErrors,
  ...rolesErrors,
  ...routeErrors,
  ...rpkiErrors,
  ...staffErrors,
  ...statusPageErrors,
  ...taskErrors,
  ...ticketErrors,
  ...webhookErrors,
  ...whoisErrors,
} as const satisfies ErrorRows;
export type ErrorCode = keyof typeof errorCatalogue;

/** Answered by the client itself when its caller aborts (specification, section 8). */
export const requestAborted = { status: 299, code: 'REQUEST_ABORTED', message: 'Service request was aborted.' } as const;

/** Answered by the client itself for a change that its person did not confirm with a second factor. */
export const notConfirmed = {
  status: 401,
  code: 'NOT_CONFIRMED',
  message: 'You didn’t confirm that it’s you. Nothing was changed',
} as const;

/** The same, for a change that had been saved before its person was asked again: its first answer was lost. */
export const savedBefore = {
  status: 401,
  code: 'SAVED_BEFORE',
  message: 'This had been saved before you were asked again. Load the page again to see it',
} as const;

/** Messages of a client about a change whose answer did not come (`shell.settleChange`). */
export const unansweredChange = {
  notSaved: {
    status: 503,
    code: 'NOT_SAVED',
    message: 'Your change was not saved, because the registry could not be reached. Nothing was changed. Try again',
  },
  unknown: {
    status: 503,
    code: 'OUTCOME_UNKNOWN',
    message: 'The registry can’t be reached, so it isn’t known whether your change was saved. Check before you make it again',
  },
} as const;

/** Messages of the specification that no call answers with (section 8). */
export const messages = {
  unexpected: "There's an unexpected error, please try again later.",
  sessionExpired: 'Your login session expired, please login again to continue...',
  proxyNotSubmitted: 'Unable to submit proxy at this time.',
  votesCast: 'Votes have already been cast for this account',
  notEligible: 'You are not eligible to vote in this election.',
  noVotePermission: 'You do not have permission to vote on behalf of this account.',
  mfaNotEnabled: 'MFA is not enabled!',
  noPermission: 'You do not have permission to access this feature',
} as const;

/**
 * One error of a response (specification, section 3). `field` names the invalid part of the input, as in `email` or
 * `decisions.3.reason`; `body` for a whole body, `query` for a whole query. `message` fits beside that field.
 */
export type ErrorItem = { code: string; message: string; traceId: string; field?: string };
/** Returns an error as one sentence: its message, preceded by the field it is about. */
export const errorInWords = ({ message, field }: ErrorItem): string => (field === undefined ? message : `${field}: ${message}`);
/** The result of every call: a status with either data or errors (specification, section 3). */
export type ServiceResponse<T> =
  | { status: number; data: T; errors?: undefined }
  | {
      status: number;
      data?: undefined;
      errors: ErrorItem[];
      /** The current value after a concurrent change (412 STALE, 409 ALREADY_RESOLVED), as the call would have answered it. */
      current?: unknown;
    };

type Blanks<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | Blanks<Rest> : never;
/** The placeholders of an error message, each to be filled with text. */
export type ErrorParams<C extends ErrorCode> = { [K in Blanks<(typeof errorCatalogue)[C]['message']>]: string };
