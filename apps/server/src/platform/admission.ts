import {
  type AccountKind,
  type StaffPermission,
  type Endpoint,
  type ErrorCode,
  type Flag,
  isOfAccount,
  type PublicApi,
  type ReceivedFile,
  type Upload,
} from '@portal/contract';
import {
  type AdmissionRefusal,
  admissionRefusal,
  type CallerFacts,
  countsInAccount,
  heldPermissions,
  neededFactor,
  neededStaffPermissions,
  obeysCoolDown,
  type Subject,
} from '@portal/contract/admission';
import type { ApiScope } from '@portal/contract/api-scopes';
import { waitsForTexts } from '@portal/contract/legal/waiting-calls';
import { stoppedBy, type StoppedBy } from '@portal/contract/restraints/stopped-calls';
import { confirmationHeader } from '@portal/contract/shell/confirmation';
import { utcDay } from '@portal/contract/days';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Admitted, AdmittedAccount, Caller } from './http/caller.ts';
import type { Change, Database } from './database/index.ts';
import type { SayAct } from './act-names.ts';
import { type AskedAct, type Confirmed, factorSeconds, isConfirmed } from './http/confirmed.ts';
import type { SignedValues } from './http/signed-value.ts';
import type { CallTurns } from './http/call-turns.ts';
import { dayInWords } from './day-words.ts';
import type { Registry } from './registry.ts';
import { type Failure, refuse, refuseWith } from './failure.ts';

/** Answers about callers and their rights, from the modules identity and accounts. */
export type Admission = {
  db: Database;
  /** @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE */
  verifyBearer(authorization: string | undefined): Promise<Caller>;
  /** Returns what the caller confirmed by this value of the confirmation header; null without a valid one. */
  confirmedBy(confirmation: unknown, caller: Caller): Confirmed | null;
  /** @throws Failure API_KEY_MISSING, API_KEY_REFUSED, TOO_MANY_REQUESTS, ACCOUNT_NOT_FOUND, API_KEY_ADDRESS, API_KEY_SCOPE */
  verifyApiKey(call: KeyCall): Promise<AdmittedKey>;
  /** Counts a call with an API key that was answered. */
  noteKeyCall(call: { apiKeyId: string; address: string; refused: boolean }): void;
  /** Locks an account until the change ends, so that what the change was based on still holds when it commits. */
  lockAccount(change: Change, accountName: string): Promise<unknown>;
  /** The caller's membership of an account, read from the database on every call; null when there is none. */
  membershipOf(caller: Caller, accountName: string): Promise<AdmittedAccount | null>;
  /** The permissions of a person of registry staff by their roles, read from the database on every call. */
  staffPermissionsOf(loginId: string): Promise<ReadonlySet<StaffPermission>>;
  /** The staff permissions of which a caller needs one, and who gives them, in the words of the refusal. */
  neededInWords(needed: readonly StaffPermission[]): Promise<{ permission: string; givers: string }>;
  /** The account a person of the registry looks at during a visit; null when they look at none. */
  visitedAccountOf(caller: Caller): Promise<AdmittedAccount | null>;
  /** Until when (ISO 8601) a login waits before it changes the registry again, and why; null when it does not (S27). Read from the database. */
  coolDownOf(loginId: string): Promise<{ until: string; why: string } | null>;
  /** Refuses a change while a legal text is overdue for a person or an account. @throws Failure LEGAL_NOT_ACCEPTED */
  refuseUnaccepted(loginId: string, accountName: string): Promise<void>;
  /**
   * Refuses a call that a hold or a restriction of its account stops. Within a change the account is locked first, so that one set meanwhile either waits for the change or refuses it.
   * @throws Failure ACCOUNT_RESTRAINED
   */
  refuseRestrained(accountName: string, by: StoppedBy, change?: Change): Promise<void>;
  /** Stores an uploaded file after checking its content; a refused one is not kept. @throws Failure FILE_TOO_LARGE, FILE_REFUSED, TOO_MANY_REQUESTS */
  receiveFile(caller: Caller, file: ArrivingFile): Promise<ReceivedFile>;
  /**
   * Notifies the people responsible for the account of a registry change (S30), unless the change has already done so. Runs inside the change, so
   * that neither happens without the other.
   */
  notifyAboutChange(change: Change, account: AdmittedAccount, what: string): Promise<void>;
  /** Returns whether the account requires the approval of a second corporate contact (S25). */
  hasTwoPersonRule(accountName: string): Promise<boolean>;
  /** Records a change that needs a second person's approval, and returns the refusal that says so. */
  propose(change: Change, asked: Omit<ProposedCall, 'title' | 'link'> & { subject: ProposedSubject | null }): Promise<Failure>;
  /** acr asked for in a step-up challenge (RFC 9470). */
  stepUpAcr: string;
  /** Words of the activity log for endpoints, by their ids. */
  actWords: ReadonlyMap<string, string>;
  /** Says what a call does, for the question about it. */
  sayAct: SayAct;
  /** Signs changes that wait for their person. */
  askedActs: Pick<SignedValues<AskedAct>, 'write'>;
  /** See `privilegesNeedFactor`. */
  privilegesNeedFactor: boolean;
  /** Maximum age of the second factor, in seconds, for registry changes (S24); a confirmation for the work of registry staff has the second. */
  stepUpMaxAgeSeconds: number;
  staffStepUpMaxAgeSeconds: number;
  clock: () => Date;
  /** The registry at this moment, for the function of a call. */
  registry: () => Registry;
  /** Limits how many calls of one login or account run at a time. */
  turns: CallTurns;
  /** Called when an endpoint answers an error that it does not declare (a defect of the contract). */
  undeclared: (endpointId: string, code: ErrorCode, traceId: string) => void;
  /** The refusal of a call whose feature is off for its account, or for everyone; read from the database. */
  featureRefusal(flag: Flag, accountName: string | null): Promise<Failure | null>;
};

/** Returns whether privileged permissions count only in a session with a second factor (setting REQUIRE_MFA). */
export const privilegesNeedFactor = ({ requireMfa }: Pick<Config, 'requireMfa'>): boolean => requireMfa !== 'off';

/** The data of a call with an API key in its request. */
export type KeyCall = {
  authorization: string | undefined;
  /** The caller's address. */
  address: string;
  /** The account of the path. */
  accountName: string;
  /** Requirements of the called endpoint. */
  scope: ApiScope;
  /** Called with the rate limit headers as soon as the key is known: refused calls are counted too. */
  onKey: (apiKeyId: string, headers: Readonly<Record<string, string>>) => void;
};
/** A key whose creator may act for the account, with the permissions that the key may use. */
export type AdmittedKey = { apiKeyId: string; caller: Caller; account: AdmittedAccount };

/** An incoming file: its claimed name and type, and what the endpoint accepts. `announced` is its Content-Length, if sent. */
export type ArrivingFile = { name: string; announced: number | null; chunks: AsyncIterable<Uint8Array>; takes: Upload };

/** A call that runs once a second person has approved it: its input, and its activity log line. */
export type ProposedCall = {
  endpoint: Endpoint;
  caller: Caller;
  account?: AdmittedAccount | undefined;
  /** The account the call is about, if its path doesn't name one. */
  concerns: string | null;
  /** The change in words. */
  title: string;
  /** The page where it is decided; null for the list of pending approvals. */
  link: string | null;
  input: { params: unknown; body: unknown };
  shown: Record<string, unknown>;
};

/** Title and decision page of a call, where its handler knows better ones than the act's defaults. */
export type ProposedSubject = { title: string; link: string };

type CoolDown = { until: string; why: string } | null;

/**
 * Identifies the caller and their membership of the account in the path, and fills `who`. @throws Failure with what `admissionRefusal` of the contract
 * says, LEGAL_NOT_ACCEPTED, ACCOUNT_RESTRAINED, FEATURE_OFF, FEATURE_NOT_ON, and those of `verifyBearer`
 */
export async function admit(who: Admitted, endpoint: Endpoint, request: FastifyRequest, admission: Admission): Promise<void> {
  if (endpoint.access.who !== 'anyone') {
    const caller = await admission.verifyBearer(request.headers.authorization);
    const { account: accountName = '' } = request.params as { account?: string };
    const confirmed = confirmedFor(
      { endpoint, accountName },
      admission.confirmedBy(request.headers[confirmationHeader], caller),
      admission,
    );
    return admitCaller(who, endpoint, { caller: { ...caller, confirmed }, accountName }, admission);
  }
  await refuseSwitchedOff(endpoint, null, admission);
}

/** Like `admit`, for a caller who has already been identified. */
export async function admitCaller(
  who: Admitted,
  endpoint: Endpoint,
  { caller, accountName }: { caller: Caller; accountName: string },
  admission: Admission,
): Promise<void> {
  const admitted = caller.staff ? { ...caller, staffPermissions: await admission.staffPermissionsOf(caller.loginId) } : caller;
  who.caller = admitted;
  const account = isOfAccount(endpoint.access) ? await accountOf(endpoint, { caller: admitted, accountName }, admission) : null;
  if (account) who.account = account;
  await admitAs(endpoint, { caller: admitted, account, accountName }, admission);
  if (account && waitsForTexts(endpoint)) await admission.refuseUnaccepted(admitted.loginId, accountName);
  await refuseStopped(endpoint, account, admission);
  await refuseSwitchedOff(endpoint, account, admission);
}

/**
 * Like `admit`, for a call with an API key, which acts as its creator with fewer permissions. @throws Failure also those of `verifyApiKey`
 */
export async function admitKey(
  who: Admitted,
  endpoint: Endpoint & { publicApi: PublicApi },
  request: FastifyRequest,
  admission: Admission,
  onKey: KeyCall['onKey'],
): Promise<void> {
  const { account: accountName = '' } = request.params as { account?: string };
  const { authorization } = request.headers;
  const { scope } = endpoint.publicApi;
  const { caller, account } = await admission.verifyApiKey({ authorization, address: request.address, accountName, scope, onKey });
  who.caller = caller;
  who.account = account;
  await admitAs(endpoint, { caller, account, accountName }, admission);
  await refuseStopped(endpoint, account, admission);
  await refuseSwitchedOff(endpoint, account, admission);
}

/**
 * Refuses what a hold or a restriction of the account stops: once when a call is admitted, so that its sender learns it first, and once within its change. @throws Failure
 * ACCOUNT_RESTRAINED
 */
export async function refuseStopped(
  endpoint: Endpoint,
  account: AdmittedAccount | null | undefined,
  admission: Pick<Admission, 'refuseRestrained'>,
  change?: Change,
): Promise<void> {
  const by = account ? stoppedBy(endpoint) : null;
  if (account && by) await admission.refuseRestrained(account.accountName, by, change);
}

/** Checks an identified caller against the endpoint's access rule. Used by the portal and the registry API. */
async function admitAs(
  endpoint: Endpoint,
  { caller, account, accountName }: { caller: Caller; account: AdmittedAccount | null; accountName: string },
  admission: Admission,
): Promise<void> {
  const coolDown = obeysCoolDown(endpoint) ? await admission.coolDownOf(caller.loginId) : null;
  const { privilegesNeedFactor } = admission;
  const facts: CallerFacts = {
    caller: callerFacts(caller, { coolDown, admission }),
    account: account && accountFacts(account, admission),
    privilegesNeedFactor,
  };
  const code = admissionRefusal(endpoint, facts);
  const isFresh = neededFactor(endpoint, heldPermissions(endpoint, facts), privilegesNeedFactor) === 'fresh';
  if (code === 'NO_STAFF_PERMISSION') {
    // Without a visit, reading accounts comes first.
    const needed = isOfAccount(endpoint.access) && !account ? (['accounts'] as const) : neededStaffPermissions(endpoint);
    throw refuse(code, await admission.neededInWords(needed));
  }
  if (code) throw failureOf(code, { accountName, coolDown, isFresh, endpoint }, admission);
}

/** Refuses a call whose feature is off for its account; of a call without one, for everyone. Every call is admitted here. @throws Failure FEATURE_OFF, FEATURE_NOT_ON */
async function refuseSwitchedOff({ flag }: Endpoint, account: AdmittedAccount | null, admission: Admission): Promise<void> {
  const refusal = flag ? await admission.featureRefusal(flag, account?.accountName ?? null) : null;
  if (refusal) throw refusal;
}

/**
 * Returns why a call in one account would be refused to a caller, null where it would not: for calls that are about several accounts of a person. Not for calls that take
 * a second factor given just now.
 */
export const refusalIn = (
  account: AdmittedAccount,
  subject: Subject,
  caller: Caller,
  { clock, privilegesNeedFactor }: Pick<Admission, 'clock' | 'privilegesNeedFactor'>,
): AdmissionRefusal | null =>
  admissionRefusal(subject, {
    caller: {
      staff: caller.staff,
      staffPermissions: caller.staffPermissions,
      factor: caller.mfa ? (caller.amr.includes('rc') ? 'recovery-code' : 'old') : 'none',
      coolingDown: false,
    },
    account: accountFacts(account, { clock }),
    privilegesNeedFactor,
  });

/** The account as seen by one of its contacts, or by registry staff during a visit; null as if it did not exist. */
async function accountOf(
  endpoint: Endpoint,
  { caller, accountName }: { caller: Caller; accountName: string },
  admission: Admission,
): Promise<AdmittedAccount | null> {
  const account = await admission.membershipOf(caller, accountName);
  if (account && countsInAccount(endpoint, account)) return account;
  // A visit requires a second factor.
  if (!caller.staff || !caller.mfa) return null;
  const visited = await admission.visitedAccountOf(caller);
  return visited?.accountName === accountName ? visited : null;
}

/** Allowed difference between the clocks of two machines. */
const TOLERANCE_SECONDS = 5;

/** Returns whether something that was proven at this time (seconds since 1970) is no older than that. */
function isRecent(at: number, maxSeconds: number, { clock }: Pick<Admission, 'clock'>): boolean {
  const age = clock().getTime() / 1000 - at;
  return age <= maxSeconds + TOLERANCE_SECONDS && age >= -TOLERANCE_SECONDS;
}

/** Returns a confirmation if it counts for this call: of its kind and its account, and recent. The only place where one is judged. */
function confirmedFor(
  { endpoint, accountName }: { endpoint: Endpoint; accountName: string },
  confirmed: Confirmed | null,
  admission: Admission,
): Confirmed | null {
  const account = isOfAccount(endpoint.access) ? accountName : null;
  if (!confirmed || !isConfirmed(confirmed, endpoint, account)) return null;
  return isRecent(confirmed.at, factorSeconds(endpoint, admission), admission) ? confirmed : null;
}

function callerFacts(
  caller: Caller,
  { coolDown, admission }: { coolDown: CoolDown; admission: Admission },
): NonNullable<CallerFacts['caller']> {
  const { staff, staffPermissions: held, amr, mfa, authTime, confirmed } = caller;
  // A confirmation proves two factors for changes of its kind, whatever the session was opened with; nothing makes up for a recovery code.
  const isFresh = Boolean(confirmed);
  const signedInNow = mfa && authTime !== null && isRecent(authTime, admission.stepUpMaxAgeSeconds, admission);
  const proven = amr.includes('rc') ? 'recovery-code' : isFresh || signedInNow ? 'fresh' : 'old';
  return { staff, staffPermissions: held, factor: mfa || isFresh ? proven : 'none', coolingDown: coolDown !== null };
}

function accountFacts(account: AdmittedAccount, { clock }: Pick<Admission, 'clock'>): NonNullable<CallerFacts['account']> {
  if (account.asStaff) return { as: 'visitor' };
  const { contactTypes, permissions, secondFactorFrom, nir, accountType } = account;
  const demandsSecondFactor = typeof secondFactorFrom === 'string' && secondFactorFrom <= utcDay(clock());
  return { as: 'contact', contactTypes, permissions, demandsSecondFactor, nir, accountType };
}

/** The Failure for a refused admission, with a step-up challenge if the caller can meet one. */
function failureOf(
  code: Exclude<AdmissionRefusal, 'NO_STAFF_PERMISSION'>,
  { accountName, coolDown, isFresh, endpoint }: { accountName: string; coolDown: CoolDown; isFresh: boolean; endpoint: Endpoint },
  admission: Admission,
): Failure {
  // Of the sign-in, which is what the provider is asked for.
  const maxSeconds = admission.stepUpMaxAgeSeconds;
  const { access } = endpoint;
  switch (code) {
    case 'NOT_FOUND':
      // Callers who aren't staff must not learn that a staff call exists.
      return refuse(code, { what: 'This address' });
    case 'ACCOUNT_NOT_FOUND':
    case 'VISIT_NEEDED':
    case 'VISIT_READS_ONLY':
      return refuse(code, { account: accountName });
    case 'WRONG_ACCOUNT_KIND':
      return refuse(code, { account: accountName, accounts: kindWords[(access.who === 'member' && access.accounts) || 'nir'] });
    case 'SECOND_FACTOR_DEMANDED':
      return refuseWith(challenge(admission, endpoint), code, { account: accountName });
    case 'MFA_REQUIRED':
      return refuseWith(challenge(admission, endpoint, isFresh ? maxSeconds : undefined), code);
    case 'MFA_TOO_OLD':
      return refuseWith(challenge(admission, endpoint, maxSeconds), code, {
        minutes: String(Math.max(1, Math.round(maxSeconds / 60))),
      });
    case 'COOLING_DOWN':
      return refuse(code, { why: coolDown!.why, until: inWords(coolDown!.until) });
    default:
      return refuse(code);
  }
}

const kindWords: Record<AccountKind, string> = { nir: 'national registries', 'regular-or-non-member': 'regular and non-member accounts' };

/**
 * The challenge of RFC 9470: the portal asks for what is missing, then asks the person about the call again. It names what the call does, percent-encoded, as
 * RFC 6750 section 3 lets it have parameters of its own; `withAskedAct` adds what it does it to.
 */
function challenge({ stepUpAcr, actWords }: Admission, { id }: Endpoint, maxAgeSeconds?: number): { 'www-authenticate': string } {
  const act = actWords.get(id);
  return {
    'www-authenticate': [
      `Bearer error="insufficient_user_authentication", acr_values="${stepUpAcr}"`,
      ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
      ...(act === undefined ? [] : [`act="${encodeURIComponent(act)}"`]),
    ].join(', '),
  };
}

const inWords = (instant: string): string => `${dayInWords(instant)} at ${instant.slice(11, 16)} UTC`;
