import type { Permission, StaffPermission } from '@portal/contract';
import type { Confirmed } from './confirmed.ts';

/** The person behind a bearer, as verified by the identity module. */
export type Caller = {
  loginId: string;
  issuer: string;
  subject: string;
  name: string;
  email: string;
  sid: string | null;
  amr: readonly string[];
  acr: string | null;
  /** Seconds since 1970 of the last sign-in with all factors; null when the provider does not say. */
  authTime: number | null;
  /** Seconds since 1970 at which the bearer expires. */
  expiresAt: number;
  /** The session was opened with a second factor. */
  mfa: boolean;
  /** Registry staff. */
  staff: boolean;
  /** The permissions of registry staff by their roles, read from the database on every call; empty for others. */
  staffPermissions: ReadonlySet<StaffPermission>;
  /** The confirmation of the page that calls, if it counts for this call: of its kind, and recent. Unset or null without. */
  confirmed?: Confirmed | null;
  /** The login of the second person who approved this call; unset where none was asked. */
  approvedBy?: string;
};

/** The account of the path and what the caller may do in it. Only `mount` makes one, after membership was checked. */
export type AdmittedAccount = {
  accountName: string;
  accountStatus: string;
  accountType: string;
  nir: boolean;
  contactId: string | null;
  contactTypes: readonly string[];
  permissions: ReadonlySet<Permission>;
  /** The day (UTC) from which the account asks its contacts for a second factor; null: it does not. */
  secondFactorFrom?: string | null;
  /** Registry staff looks at an account they are no contact of: reading only. */
  asStaff: boolean;
};

/** The caller, as far as admission got: the log line of a refused attempt has what is known. */
export type Admitted = { caller?: Caller; account?: AdmittedAccount };
