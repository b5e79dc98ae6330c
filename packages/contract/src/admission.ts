import { consequencesOf, type DeclaredEffect } from './effects.ts';
import { type Access, type AccountKind, isOfAccount, type Method } from './endpoint.ts';
import { countsOnlyWithSecondFactor, type Permission, permissions } from './permissions.ts';
import { holdsOneOf, type StaffPermission } from './staff-permissions.ts';

/** The second factor of a session: none; a recovery code, which counts for reading only; one given a while ago; or one given just now. */
export type ProvenFactor = 'none' | 'recovery-code' | 'old' | 'fresh';

/** Everything that decides whether a person may call an endpoint or open a page. */
export type CallerFacts = {
  /** Null without a sign-in. */
  caller: {
    staff: boolean;
    /** The permissions of registry staff by their roles; they count only for staff. */
    staffPermissions: ReadonlySet<string>;
    factor: ProvenFactor;
    coolingDown: boolean;
  } | null;
  /**
   * The caller's relation to the account: a contact of it, registry staff during a visit, or null for none. To a caller without a relation
   * the account looks non-existent.
   */
  account:
    | {
        as: 'contact';
        contactTypes: readonly string[];
        permissions: ReadonlySet<string>;
        demandsSecondFactor: boolean;
        nir: boolean;
        accountType: string;
      }
    | { as: 'visitor' }
    | null;
  /** Privileged permissions count only in a session with a second factor: whenever the setting REQUIRE_MFA requires one of anyone. */
  privilegesNeedFactor: boolean;
};

/** An endpoint, or a page (which counts as a read). */
export type Subject = { access: Access; method?: Method; effect?: DeclaredEffect };

/** The refusals of admission, in the order in which they are looked for. */
export type AdmissionRefusal =
  | 'NOT_SIGNED_IN'
  | 'NOT_FOUND'
  | 'ACCOUNT_NOT_FOUND'
  | 'NO_STAFF_PERMISSION'
  | 'VISIT_NEEDED'
  | 'VISIT_READS_ONLY'
  | 'SECOND_FACTOR_DEMANDED'
  | 'CORPORATE_ONLY'
  | 'CORPORATE_OR_TECHNICAL_ONLY'
  | 'NO_PERMISSION'
  | 'WRONG_ACCOUNT_KIND'
  | 'COOLING_DOWN'
  | 'MFA_REQUIRED'
  | 'MFA_TOO_OLD';

/** Returns whether an account is of a kind that a call or page is for (S21). Used by server and browser. */
export const isOfKind = (kind: AccountKind | undefined, { nir, accountType }: { nir: boolean; accountType: string }): boolean =>
  kind === undefined || (kind === 'nir' ? nir : accountType === 'regular' || accountType === 'non member');

/**
 * Returns whether a contact's relation to an account counts for a call or page: that to a closed one does only where it is declared (`closed`). To everything else the account
 * looks non-existent. Used by server, documentation and tests.
 */
export const countsInAccount = ({ access }: Subject, { accountStatus }: { accountStatus: string }): boolean =>
  accountStatus !== 'closed' || ((access.who === 'member' || access.who === 'contact') && access.closed === true);

/** Returns whether a login in its cool-down is refused (S27). Used by server, browser, documentation and tests. */
export const obeysCoolDown = (subject: Subject): boolean => subject.access.who !== 'anyone' && consequencesOf(subject).waits;

/**
 * The second factor that a subject requires of a contact with these of its permissions. Decided only here.
 * @param privilegesNeedFactor see `CallerFacts`
 */
export function neededFactor(subject: Subject, held: readonly Permission[], privilegesNeedFactor: boolean): 'none' | 'any' | 'fresh' {
  const { access } = subject;
  if (consequencesOf(subject).factor === 'fresh') return 'fresh';
  if (('mfa' in access && access.mfa) || countsOnlyWithSecondFactor(held)) return 'any';
  return privilegesNeedFactor && usesPrivilege(subject, held) ? 'any' : 'none';
}

/** Returns whether a call uses a privileged permission. A change open to every contact does, unless it is theirs by its effect: its handler checks permissions itself. */
function usesPrivilege(subject: Subject, held: readonly Permission[]): boolean {
  const { access } = subject;
  if (access.who === 'member') return held.length > 0 && held.every(permission => permissions[permission].privileged);
  return isOfAccount(access) && consequencesOf(subject).factor !== 'none';
}

/** The permissions of a subject that these facts hold; empty where it asks for none. */
export const heldPermissions = ({ access }: Subject, { account }: CallerFacts): readonly Permission[] =>
  access.who === 'member' && account?.as === 'contact' ? access.permissions.filter(permission => account.permissions.has(permission)) : [];

/**
 * Returns why an endpoint or a page is refused to a caller, or null if admitted. Used by server and browser. Refusals that must not reveal anything
 * come first: staff calls and accounts look non-existent, then contact types and permissions, then the second factor.
 */
export function admissionRefusal(subject: Subject, facts: CallerFacts): AdmissionRefusal | null {
  const { access, method = 'GET' } = subject;
  const { caller, account, privilegesNeedFactor } = facts;
  if (access.who === 'anyone') return null;
  if (!caller) return 'NOT_SIGNED_IN';
  if (access.who === 'signed-in') return factorRefusal(subject, caller, neededFactor(subject, [], privilegesNeedFactor));
  const lacksStaffPermission = !holdsOneOf(caller.staffPermissions, neededStaffPermissions(subject), method === 'GET');
  if (access.who === 'staff') {
    if (!isStaffNow(caller) && !(caller.staff && access.withoutRole)) return 'NOT_FOUND';
    return lacksStaffPermission && !access.withoutRole
      ? 'NO_STAFF_PERMISSION'
      : factorRefusal(subject, caller, neededFactor(subject, [], privilegesNeedFactor));
  }
  if (account?.as !== 'contact') {
    if (!isStaffNow(caller)) return 'ACCOUNT_NOT_FOUND';
    // Without it there are no visits; what a visit doesn't show looks non-existent to those who may begin one.
    if (!holdsOneOf(caller.staffPermissions, ['accounts'], true)) return 'NO_STAFF_PERMISSION';
    if (caller.factor === 'none') return 'MFA_REQUIRED';
    if (!account) return 'VISIT_NEEDED';
    if (method !== 'GET') return 'VISIT_READS_ONLY';
    if (!isOpenToVisits(access)) return 'ACCOUNT_NOT_FOUND';
    return lacksStaffPermission ? 'NO_STAFF_PERMISSION' : null;
  }
  if (account.demandsSecondFactor && caller.factor === 'none') return 'SECOND_FACTOR_DEMANDED';
  if (access.who === 'corporate' && !isOfTypes(access, account.contactTypes))
    return access.orTechnical ? 'CORPORATE_OR_TECHNICAL_ONLY' : 'CORPORATE_ONLY';
  const held = heldPermissions(subject, facts);
  if (access.who === 'member' && held.length === 0) return 'NO_PERMISSION';
  if (access.who === 'member' && !isOfKind(access.accounts, account)) return 'WRONG_ACCOUNT_KIND';
  return factorRefusal(subject, caller, neededFactor(subject, held, privilegesNeedFactor));
}

/** Returns whether a contact of these types is one that the access names. Used by server and browser. */
export const isOfTypes = ({ orTechnical }: { orTechnical?: true }, types: readonly string[]): boolean =>
  types.includes('corporate') || (orTechnical === true && types.includes('technical'));

/** Returns whether a person is of registry staff with a role that counts now. Without one the desk and other people's accounts look non-existent, as to any stranger. */
export const isStaffNow = ({ staff, staffPermissions }: { staff: boolean; staffPermissions: ReadonlySet<string> }): boolean =>
  staff && staffPermissions.size > 0;

/** Returns whether registry staff read it during a visit. */
const isOpenToVisits = (access: Access): boolean => access.who === 'contact' || (access.who === 'member' && access.staff !== undefined);

/** The permissions of which registry staff need one for a call or page of the desk, or to read it during a visit. Used by server, browser and documentation. */
export function neededStaffPermissions({ access }: Subject): readonly StaffPermission[] {
  if (access.who === 'staff') return access.permissions;
  const own = access.who === 'contact' || access.who === 'member' ? access.staff : undefined;
  if (own === undefined || own === true) return ['accounts'];
  return typeof own === 'string' ? [own] : own;
}

function factorRefusal(
  subject: Subject,
  caller: NonNullable<CallerFacts['caller']>,
  needed: 'none' | 'any' | 'fresh',
): AdmissionRefusal | null {
  // Checked first, so that no one enters a second factor for nothing.
  if (obeysCoolDown(subject) && caller.coolingDown) return 'COOLING_DOWN';
  if (needed === 'none') return null;
  if (caller.factor === 'none') return 'MFA_REQUIRED';
  // A recovery code lets a person in to enrol a new factor; it doesn't count as a second factor for changes of the registry.
  if (caller.factor === 'recovery-code' && obeysCoolDown(subject)) return 'MFA_REQUIRED';
  return needed === 'fresh' && caller.factor === 'old' ? 'MFA_TOO_OLD' : null;
}
