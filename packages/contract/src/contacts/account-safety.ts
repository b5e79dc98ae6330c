import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { corporate, endpoint, group } from '../endpoint.ts';
import { contactTypes } from '../permissions.ts';
import { rowVersion } from '../whole-numbers.ts';

/** Security settings of an account, and how secure the logins of its contacts are (S29, S30). */
export const AccountSafety = z.object({
  /** Grows with every change; a change of what was read earlier is refused with 412 STALE. */
  version: rowVersion,
  /** Notified of every change in addition to the corporate contacts; null for no extra address. */
  securityEmail: z.nullable(z.string()),
  /** An address that has yet to be confirmed by the link sent there. */
  securityEmailAsked: z.nullable(z.string()),
  /** Day (UTC) from which every contact needs a second factor; null if the account requires none. */
  secondFactorFrom: z.nullable(z.iso.date()),
  colleagues: z.array(
    z.object({
      contactId: z.string(),
      fullName: z.string(),
      contactTypes: z.array(z.enum(contactTypes)),
      hasSecondFactor: z.boolean(),
      /** Year and month, such as 2026-11; null when none is known. */
      lastSignIn: z.nullable(z.string()),
      /** The login is frozen: a change was reported as not made by its owner. */
      frozen: z.boolean(),
    }),
  ),
});
export type AccountSafety = z.infer<typeof AccountSafety>;

export const accountSafety = group('contacts.accountSafety', {
  getAccountSafety: endpoint({
    method: 'GET',
    path: '/api/:account/safety',
    summary: 'What the account asks for its own safety, and who of its contacts has a second factor.',
    access: corporate,
    answer: AccountSafety,
  }),
  demandSecondFactor: endpoint({
    method: 'POST',
    path: '/api/:account/safety/second-factor',
    summary: 'Require two-factor from every contact from a date, or stop requiring it. Contacts without it get an e-mail.',
    access: corporate,
    effect: 'access',
    body: z.object({ version: rowVersion, from: z.nullable(z.iso.date()) }),
    answer: AccountSafety,
    errors: ['STALE'],
    activity: 'Changed the two-factor requirement',
  }),
  setSecurityAddress: endpoint({
    method: 'POST',
    path: '/api/:account/safety/security-address',
    summary: 'Set an address that gets an e-mail about every change, once confirmed. null removes it.',
    access: corporate,
    effect: 'access',
    body: z.object({ version: rowVersion, email: z.nullable(Email) }),
    answer: AccountSafety,
    errors: ['STALE', 'TOO_MANY_REQUESTS'],
    activity: 'Changed the security address',
  }),
});
