import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { ifMissing } from '../if-missing.ts';
import { severalLines } from '../several-lines.ts';

/** Most days of a hold, which one person sets. */
export const holdDays = 14;
/** Days from one hold to the next within which a second person confirms that one: otherwise one person could hold an account for good. */
export const nextHoldDays = 30;
/** Days of notice before a restriction, unless the account is suspected to be hijacked. */
export const restrictionNoticeDays = 14;

/** Restraints: what each stops. */
export const restraintKinds = { hold: 'a hold', restrict: 'a restriction' } as const;
export type RestraintKind = keyof typeof restraintKinds;
export const restraintKindNames = Object.keys(restraintKinds) as [RestraintKind, ...RestraintKind[]];

/** Why an account is restrained. Members read their text, and this. */
export const restraintReasons = {
  hijack: 'Suspected hijack',
  forgery: 'Suspected forged document',
  breach: 'Breach of the agreement',
  contacts: 'Contact details not confirmed',
  order: 'Order of a court or authority',
} as const;
export type RestraintReason = keyof typeof restraintReasons;
export const restraintReasonNames = Object.keys(restraintReasons) as [RestraintReason, ...RestraintReason[]];

/** How a restraint stands: announced and not begun yet, in force, over, or lifted before. */
export const restraintStates = ['announced', 'in-force', 'over', 'lifted'] as const;

export const Restraint = z.object({
  restraintId: z.string(),
  kind: z.enum(restraintKindNames),
  reason: z.enum(restraintReasonNames),
  state: z.enum(restraintStates),
  /** The words that the member reads. */
  memberText: z.string(),
  setBy: z.string(),
  /** The second person; null for a hold that one person set. */
  confirmedBy: z.nullable(z.string()),
  setAt: z.iso.datetime(),
  beginsAt: z.iso.datetime(),
  /** Null: until registry staff lift it. */
  endsAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
  liftedBy: z.nullable(z.string()),
  liftReason: z.string(),
});
export type Restraint = z.infer<typeof Restraint>;

/** An open case that waits while the account is restrained. */
export const WaitingCase = z.object({
  /** `REQ-7`. */
  reference: z.string(),
  /** Its subject, such as `Transfer of 198.51.100.0/24`. */
  what: z.string(),
  /** The other account, which learns that it waits, and not why; null without one. */
  otherParty: z.nullable(z.string()),
  /** Its page at the desk. */
  link: z.string(),
});
export type WaitingCase = z.infer<typeof WaitingCase>;

export const AccountRestraints = z.object({
  accountName: z.string(),
  /** Announced or in force. */
  open: z.array(Restraint),
  /** Over or lifted, the latest first. */
  earlier: z.array(Restraint),
  /** Open cases of the account that wait, or would wait, under either kind. */
  waiting: z.array(WaitingCase),
  /** Who gets the mail: names of corporate contacts. */
  told: z.array(z.string()),
  /** The day on which a restriction with notice would begin, and the last day on which a hold may end; days of the registry. */
  noticeEndsOn: z.iso.date(),
  holdEndsBy: z.iso.date(),
  today: z.iso.date(),
  /** A hold now needs a second person, because another one was set lately. */
  holdNeedsSecond: z.boolean(),
});
export type AccountRestraints = z.infer<typeof AccountRestraints>;

const readers = ['accounts', 'memberships', 'transfers'] as const;
const deciders = ['memberships', 'transfers'] as const;

export const restraints = group('restraints', {
  listRestraints: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/restraints',
    summary: 'Holds and restrictions of an account, and what another one would do: which open cases wait, and who is notified.',
    access: staff(readers),
    answer: AccountRestraints,
    errors: ['NOT_FOUND'],
  }),
  setRestraint: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/restraints',
    summary:
      'Put a hold or a restriction on an account. A hold is one person’s, begins immediately and ends within 14 days; a restriction is confirmed by a second person and begins after its notice, or immediately for a suspected hijack.',
    access: staff(deciders),
    effect: ['holding', 'control'],
    body: z.object({
      kind: z.enum(restraintKindNames, { error: `Choose one of ${restraintKindNames.join(', ')}` }),
      reason: z.enum(restraintReasonNames, { error: `Choose one of ${restraintReasonNames.join(', ')}` }),
      /** The day of the registry at whose beginning it ends; null: until it is lifted. */
      endsOn: z.nullable(
        z
          .string(ifMissing('Enter a date, such as 2027-06-30'))
          .check(
            z.iso.date({ error: 'Enter a date, such as 2027-06-30' }),
            z.regex(/^(?!0000)/, { error: 'Enter a date, such as 2027-06-30' }),
          ),
      ),
      memberText: severalLines(2000, 1),
    }),
    answer: AccountRestraints,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'ACCOUNT_CLOSED', 'RESTRAINED_ALREADY'],
    secondPersonWhen: 'a restriction, or a hold within 30 days of the one before',
    activity: 'Restrained the account',
  }),
  liftRestraint: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/restraints/:restraintId/lift',
    summary: 'Lift a hold or a restriction. It ends immediately, and what waited goes on.',
    access: staff(deciders),
    effect: ['holding', 'control'],
    body: z.object({ reason: severalLines(2000, 1) }),
    answer: AccountRestraints,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'ALREADY_RESOLVED'],
    activity: 'Lifted a restraint of the account',
  }),
});
