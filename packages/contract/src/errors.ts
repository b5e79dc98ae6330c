/**
 * Every refusal a caller can meet: HTTP status and the words a person reads. `{blank}` is filled by the server.
 * Texts fixed by the specification (section 8) stand as they are given there.
 */
export const errorCatalogue = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid: {detail}' },
  NOT_SIGNED_IN: { status: 401, message: 'Your login session expired, please login again to continue...' },
  SESSION_ENDED: { status: 401, message: 'This session was signed out. Log in again to continue' },
  MFA_REQUIRED: { status: 401, message: 'This needs a sign-in with a second factor' },
  MFA_TOO_OLD: { status: 401, message: 'This needs a second factor given within the last {minutes} minutes' },
  SECOND_FACTOR_DEMANDED: {
    status: 401,
    message:
      'Account {account} asks everybody for a second factor. Log in with one; whoever has none yet adds it on the way, or under Your login',
  },
  MFA_NOT_ENABLED: { status: 403, message: 'MFA is not enabled!' },
  COOLING_DOWN: { status: 403, message: '{why}. For safety it changes nothing in the registry until {until}' },
  NO_PERMISSION: { status: 403, message: 'You do not have permission to access this feature' },
  CORPORATE_ONLY: { status: 403, message: 'Sorry, you must be a corporate contact' },
  ACCOUNT_SUSPENDED: { status: 403, message: 'Account {account} is suspended: this is not possible until its renewal is paid' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'Account {account} was not found among your accounts' },
  NOT_FOUND: { status: 404, message: '{what} was not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: '{method} is not possible here' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  STALE: { status: 412, message: '{what} was changed by somebody else in the meantime. Load it again, then repeat your change' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than {limit}' },
  ADDRESS_TOO_LONG: { status: 414, message: 'A part of the address is longer than {limit} characters' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request body must be JSON (content-type application/json)' },
  RANGE_OUTSIDE: { status: 416, message: 'The file has no such part' },
  EXPECTATION_FAILED: { status: 417, message: 'What the header Expect asks for is not possible here' },
  MISDIRECTED: { status: 421, message: 'This host name is not served here' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again in {seconds} seconds' },
  HEADERS_TOO_LARGE: { status: 431, message: 'Address and headers together are larger than {limit}' },
  DELEGATION_OVERLAPS: { status: 409, message: '{resource} overlaps an active delegation' },
  ASSIGNMENT_OUTSIDE: { status: 409, message: '{resource} is not inside an allocation of this account' },
  ASSIGNMENT_OVERLAPS: { status: 409, message: '{resource} overlaps the assignment {other}' },
  CUSTOMER_EXISTS: { status: 409, message: 'There is a customer {name} already. Give this one another name' },
  ASSIGNMENT_RESTS: { status: 409, message: '{resource} was given back by {customer} on {when} and rests until {until}' },
  ALREADY_ASKED: { status: 409, message: 'You asked for this on {when}. You can ask again after 24 hours' },
  VISIT_NEEDED: {
    status: 403,
    message: 'Registry staff reads {account} during a visit only. Begin one on the account’s page of the desk; it lasts half an hour',
  },
  VISIT_READS_ONLY: { status: 403, message: 'You look at {account} as registry staff: you can read here and change nothing' },
  FEATURE_OFF: { status: 403, message: 'At the moment {feature} is switched off' },
  PERMISSION_NOT_GRANTABLE: { status: 403, message: 'The permission {permission} cannot be granted here: {reason}' },
  OWN_PERMISSIONS: { status: 403, message: 'Contact types and permissions of your own are changed by somebody else' },
  OWN_REQUEST: { status: 403, message: 'A request of your own is resolved by somebody else' },
  EMAIL_MISMATCH: {
    status: 403,
    message: 'This invitation makes a corporate contact. Accept it with a login that has the verified address {email}',
  },
  EMAIL_NOT_CONFIRMED: { status: 409, message: 'The invitation was sent to {email}, your login has {own}. Confirm that both are yours' },
  LAST_CORPORATE_CONTACT: { status: 409, message: 'At least one corporate contact is required' },
  REGISTRY_DECIDES: { status: 409, message: 'The registry has yet to decide an earlier request about {who}' },
  ALREADY_CONTACT: { status: 409, message: '{who} is a contact of {account} already' },
  SECOND_PERSON: { status: 409, message: 'This waits for a second person. {who} can approve it until {until}; then it is done' },
  NO_SECOND_PERSON: { status: 409, message: 'There has to be a second person with a second factor first: {who}' },
  ALREADY_RESOLVED: { status: 409, message: '{what} was resolved already' },
  ACCOUNT_CLOSED: { status: 409, message: 'Account {account} is closed' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than {limit}. Send a smaller one' },
  FILE_REFUSED: { status: 422, message: 'The file {name} was not taken: {why}' },
  FILE_UNUSABLE: { status: 409, message: 'The file {name} cannot be used: {why}' },
  PAPER_MISSING: { status: 422, message: 'This needs a paper that proves it: {papers}. Add at least one file' },
  BEING_CHECKED: { status: 409, message: 'The file {name} is being checked for viruses. Try again in a minute' },
  DOWNLOAD_EXPIRED: { status: 410, message: 'This address of a file has expired. Open the file again from its page' },
  NOT_READ: { status: 409, message: 'Open {title} and read it before you sign it' },
  NOTHING_TO_SIGN: { status: 409, message: '{title} waits for no signature' },
  TOPIC_LOCKED: { status: 422, message: 'E-mails of the topic {topic} cannot be switched off. {why}' },
  TOO_MANY_DRAFTS: { status: 409, message: 'You have {most} applications open already. Go on with one of them, or withdraw one' },
  WITH_REGISTRY: { status: 409, message: '{what} is with the registry. It can be changed when the registry asks about it' },
  ACCOUNT_NAME_TAKEN: { status: 409, message: '{name} is taken. Choose another account name' },
  ORGANISATION_IS_MEMBER: {
    status: 409,
    message: 'An organisation with this registration number in {economy} is a member already. Link its membership to your login instead',
  },
  AGREEMENT_CHANGED: { status: 409, message: 'The membership agreement is now version {version}. Read it and accept it again' },
  EMAIL_NOT_VERIFIED: { status: 409, message: 'Nobody has shown yet that {email} is yours. Confirm the address of your login first' },
  NOT_A_MEMBER: { status: 403, message: 'Only accounts of the type regular refer customers; {account} is of the type {type}' },
  REFERRAL_NOT_POSSIBLE: { status: 409, message: 'The registry cannot take this referral. Ask the customer to write to the registry' },
  ALREADY_REFERRED: { status: 409, message: 'This customer was referred on {when} already. Say that you want to refer it again' },
  MAINTAINER_LINKED: { status: 409, message: '{maintainer} is linked to this account already' },
  REGISTRY_MAINTAINER: { status: 409, message: '{maintainer} is the registry’s own' },
  PRINCIPAL_MAINTAINER: { status: 409, message: '{maintainer} is the principal maintainer. Choose another one first' },
  CODE_EXPIRED: { status: 410, message: 'There is no code that still counts. Ask for a new one' },
  TOO_MANY_CODES: { status: 429, message: 'A code is sent again at most three times a day. Try again tomorrow' },
  ACCOUNT_RESTRICTED_IRT: {
    status: 403,
    message: 'Whois objects of {account} can be changed again when somebody has shown that {mailbox} of {irt} is read',
  },
  TASK_NOT_CANCELLABLE: { status: 409, message: 'The task has begun, so it cannot be cancelled any more' },
  NOTHING_TO_DO: { status: 409, message: 'There is nothing to do: {why}' },
  TOO_MANY_TASKS: { status: 429, message: 'Two tasks of this account change whois objects already. Try again when one is over' },
  TOO_MANY_EDITS: {
    status: 429,
    message: '{account} changed whois objects {most} times within an hour, which is the most. Go on in {minutes} minutes',
  },
  TOO_MUCH_UPLOADED: { status: 429, message: '{account} may upload {most} MB a day; it uploaded {used} MB, and this text has {size} MB' },
  TOO_MANY_OBJECTS: { status: 409, message: '{account} would have more than {most} whois objects, which is the most' },
  TOO_MANY_FOLLOWS: { status: 409, message: 'You follow {most} things, which is the most. Stop following some first' },
  ELECTION_OVER: { status: 409, message: 'The election is {state}, so this is not possible any more' },
  ELECTION_NOT_READY: { status: 409, message: 'The election cannot be published like this. {why}' },
  ELECTION_BEGUN: { status: 409, message: 'What has begun stays as it was announced. {why}' },
  CONFERENCE_EXISTS: { status: 409, message: 'There is a conference {conference} already' },
  ATTENDANCE_SHRINKS: {
    status: 409,
    message: '{count} of the list that is there {are} missing in this file: {some}. Say that they are no longer registered, or add them',
  },
  INVOICE_NOT_PAYABLE: { status: 409, message: 'No payment can be recorded for {number}: {why}' },
  PAYMENT_RECORDED: { status: 409, message: 'The transfer {reference} was recorded for {number} already, by {who}' },
  INVOICE_SETTLED: { status: 409, message: '{number} cannot be changed any more: {why}' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This idempotency key was used for another request' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no such invitation. Open the newest one you were sent' },
  INVITATION_EXPIRED: { status: 410, message: 'This invitation has expired. Whoever sent it can send it again' },
  INVITATION_USED: { status: 410, message: 'This invitation was answered already' },
  INVITATION_REVOKED: { status: 410, message: 'This invitation was withdrawn' },
  REFERRAL_NOT_FOUND: { status: 404, message: 'There is no such referral. Open the newest one you were sent' },
  REFERRAL_EXPIRED: { status: 410, message: 'This referral has expired. Whoever sent it can send another' },
  REFERRAL_USED: { status: 410, message: 'This referral was answered already' },
  REFERRAL_WITHDRAWN: { status: 410, message: 'This referral was withdrawn' },
  UNEXPECTED_ERROR: {
    status: 500,
    message: 'An unexpected error has occurred, please try again later. If the problem persists, please contact Support',
  },
  UNAVAILABLE: { status: 503, message: 'The service is not available at the moment, please try again in a minute' },
} as const satisfies Record<string, { status: number; message: string }>;
export type ErrorCode = keyof typeof errorCatalogue;

/** Answered by the client itself when its caller aborts (spec section 8). */
export const requestAborted = { status: 299, code: 'REQUEST_ABORTED', message: 'Service request was aborted.' } as const;

/** Messages of the specification that are no answers of a call (section 8). */
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
 * One error as it travels (spec section 3). `field` is there where it is about a part of what was sent: its place, as in `email` or
 * `decisions.3.reason`; of a whole body `body`, of a whole query `query`. `message` can stand beside that field then.
 */
export type ErrorItem = { code: string; message: string; traceId: string; field?: string };
/** What an error says where it stands alone: its message, behind the field it is about. */
export const errorInWords = ({ message, field }: ErrorItem): string => (field === undefined ? message : `${field}: ${message}`);
/** What every call resolves to: a status with either data or errors (spec section 3). */
export type ServiceResponse<T> =
  | { status: number; data: T; errors?: undefined }
  | {
      status: number;
      data?: undefined;
      errors: ErrorItem[];
      /** What is there now, where somebody else was quicker (412 STALE, 409 ALREADY_RESOLVED): as the call would have answered it. */
      current?: unknown;
    };

type Blanks<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | Blanks<Rest> : never;
/** The blanks of an error's words, each to be filled with text. */
export type ErrorParams<C extends ErrorCode> = { [K in Blanks<(typeof errorCatalogue)[C]['message']>]: string };
