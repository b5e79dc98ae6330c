import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { corporate, corporateFresh, endpoint, group } from '../endpoint.ts';
import { contactTypes } from '../permissions.ts';

/** What an account asks for its own safety, and how safe the logins of its contacts are (S29, S30). */
export const AccountSafety = z.object({
  /** Grows with every change; a change of what was read earlier is refused with 412 STALE. */
  version: z.int(),
  /** Told of every change beside the corporate contacts; null: nobody else is. */
  securityEmail: z.nullable(z.string()),
  /** An address that has yet to be confirmed by the link sent there. */
  securityEmailAsked: z.nullable(z.string()),
  /** The day (UTC) from which everybody needs a second factor; null: nobody needs one for being a contact. */
  secondFactorFrom: z.nullable(z.iso.date()),
  colleagues: z.array(
    z.object({
      contactId: z.string(),
      fullName: z.string(),
      contactTypes: z.array(z.enum(contactTypes)),
      hasSecondFactor: z.boolean(),
      /** Year and month, such as 2026-11; null when none is known. */
      lastSignIn: z.nullable(z.string()),
      /** Nobody gets in with the login: somebody said that a change was not made by this person. */
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
    summary: 'Demand a second factor of every contact from a day on, or stop to. Those without one are told by e-mail.',
    access: corporateFresh,
    body: z.object({ version: z.int(), from: z.nullable(z.iso.date()) }),
    answer: AccountSafety,
    errors: ['STALE'],
    activity: 'Changed whether contacts need a second factor',
  }),
  setSecurityAddress: endpoint({
    method: 'POST',
    path: '/api/:account/safety/security-address',
    summary: 'Name an address that is told of every change, which is asked by e-mail first; null takes away the one there is.',
    access: corporateFresh,
    body: z.object({ version: z.int(), email: z.nullable(Email) }),
    answer: AccountSafety,
    errors: ['STALE', 'TOO_MANY_REQUESTS'],
    activity: 'Changed the security address',
  }),
});
