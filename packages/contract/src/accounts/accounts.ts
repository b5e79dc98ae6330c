import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { flagKeys } from '../flags.ts';
import { contactTypes, type Permission, permissionKeys } from '../permissions.ts';

export const accountTypes = ['regular', 'confed-isp', 'confed-nir', 'historical', 'rir', 'non member', 'n/a'] as const;
export const accountStatuses = ['open', 'suspended', 'closed', 'new', 'lost', 'prospect', 'n/a'] as const;
export type AccountType = (typeof accountTypes)[number];
export type AccountStatus = (typeof accountStatuses)[number];

/** A membership account as its contact sees it, with what that contact may do in it. */
export const Account = z.object({
  accountName: z.string(),
  accountStatus: z.enum(accountStatuses),
  accountType: z.enum(accountTypes),
  nir: z.boolean(),
  orgName: z.string(),
  /** ISO 3166 alpha-2 of the holder's economy; null where the registry's own record names none. */
  economy: z.nullable(z.string()),
  /** Dates without time, YYYY-MM-DD. */
  memberSince: z.nullable(z.iso.date()),
  expiryDate: z.nullable(z.iso.date()),
  contactTypes: z.array(z.enum(contactTypes)),
  permissions: z.array(z.enum(permissionKeys as [Permission, ...Permission[]])),
  /** The features that the account has; see `flags`. */
  features: z.array(z.enum(flagKeys)),
  /** True when registry staff looks at an account they are no contact of. */
  asStaff: z.boolean(),
});
export type Account = z.infer<typeof Account>;

export const accounts = group('accounts', {
  listAccounts: endpoint({
    method: 'GET',
    path: '/api/accounts',
    summary: 'The accounts the signed-in person is a contact of, closed ones included.',
    access: signedIn,
    answer: z.array(Account),
  }),
});
