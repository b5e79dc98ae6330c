import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { ifMissing } from '../if-missing.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';

/** Kinds of accounts that have fees of their own. A national registry pays those of members, times a factor. */
export const scheduleKinds = { member: 'Members', 'non-member': 'Non-members' } as const;
export type ScheduleKind = keyof typeof scheduleKinds;
export const scheduleKindNames = Object.keys(scheduleKinds) as ScheduleKind[];

const text = (words: string, pattern: RegExp) => z.string(ifMissing(words)).check(z.trim(), z.regex(pattern, { error: words }));
const amount = (example: string) => text(`Enter an amount, such as ${example}, without currency or commas`, /^\d{1,9}(\.\d{1,2})?$/);
const baseFee = text('Enter an amount above zero, such as 1295.00, without currency or commas', /^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/);
const factor = (example: string, places: number) =>
  text(`Enter a number from 1 to 999, such as ${example}`, new RegExp(`^[1-9]\\d{0,2}(\\.\\d{1,${places}})?$`));
const whole = (words: string, least: number, most: number) =>
  z.int({ error: words }).check(z.minimum(least, { error: words }), z.maximum(most, { error: words }));
const yesNo = (words: string) => z.boolean({ error: `Say whether ${words}: true or false` });

/** The fees of one kind of account. Amounts are decimal numbers in the registry's currency, without tax. */
export const FeeRules = z.strictObject({
  baseFee,
  /** For each bit that a holding is larger than the base. */
  bitFactor: factor('1.320', 4),
  /** Lengths of the largest prefixes that cost the base fee. */
  ipv4Base: whole('Enter a prefix length of IPv4 from 8 to 32, such as 24', 8, 32),
  ipv6Base: whole('Enter a prefix length of IPv6 from 12 to 56, such as 34', 12, 56),
  /** A year without addresses. */
  associateFee: amount('500.00'),
  /** A national registry pays so many times the fee. */
  nirMultiplier: factor('2.9', 2),
  /** The share of the fee that is paid in a least developed country. */
  ldcShare: text('Enter a share from 0 to 1, such as 0.50', /^(0(\.\d{1,4})?|1(\.0{1,4})?)$/),
  /** A year of each AS number beyond those that are free. */
  asnFee: amount('100.00'),
  freeAsns: whole('Enter how many AS numbers cost nothing, from 0 to 1000', 0, 1000),
  /** Once, of a new account. */
  signUpFee: amount('500.00'),
  countHistorical: yesNo('historical space counts'),
  firstPi48Free: yesNo('the first assigned /48 of IPv6 costs nothing'),
});
export type FeeRules = z.infer<typeof FeeRules>;

/** Fees can be announced for so many years. */
const LONGEST_YEARS = 10;

const days = { validFrom: calendarDay('2028-01-01'), validUntil: calendarDay('2028-12-31') };
const fees = z.strictObject({ member: FeeRules, 'non-member': z.optional(FeeRules) });
const inOrder = z.check<{ validFrom: string; validUntil: string }>(({ value, issues }) => {
  if (value.validUntil < value.validFrom)
    issues.push({ code: 'custom', message: `Choose a date on or after ${value.validFrom}`, path: ['validUntil'], input: value });
  if (Number(value.validUntil.slice(0, 4)) > Number(value.validFrom.slice(0, 4)) + LONGEST_YEARS)
    issues.push({
      code: 'custom',
      message: `Choose a date within ${LONGEST_YEARS} years of ${value.validFrom}`,
      path: ['validUntil'],
      input: value,
    });
});

/** Fees for the terms that begin from one day to another, with the reason and the decision that they follow. Non-members are left out by a registry that has none. */
export const FeeAnnouncement = z
  .strictObject({ ...days, fees, reason: z.optional(severalLines(500, 0)), decision: z.optional(oneLine(200)) })
  .check(inOrder as unknown as z.core.$ZodCheck<{ validFrom: string; validUntil: string }>);
export type FeeAnnouncement = z.infer<typeof FeeAnnouncement>;

/** The same in a file of an operator, which also has the announcements of earlier years: the day of each, today where it is left out. */
export const AnnouncedInFile = z
  .strictObject({ ...days, announcedOn: z.optional(calendarDay('2027-09-14')), fees })
  .check(inOrder as unknown as z.core.$ZodCheck<{ validFrom: string; validUntil: string }>);
export type AnnouncedInFile = z.infer<typeof AnnouncedInFile>;

const Amount = z.string();

/** Bills that rise by more than so many percent are counted, and listed. */
export const STEEP_PERCENT = 10;

const FeeChange = z.object({
  accountName: z.string(),
  orgName: z.string(),
  economy: z.nullable(z.string()),
  /** Holdings that are billed: IPv4 addresses, /56 blocks of IPv6, AS numbers. */
  ipv4: z.string(),
  ipv6: z.string(),
  asns: z.int(),
  before: z.nullable(Amount),
  after: Amount,
  /** Negative where it pays less. */
  difference: z.nullable(Amount),
});
export type FeeChange = z.infer<typeof FeeChange>;

/** Accounts whose bills go one way. */
const OneWay = z.object({
  accounts: z.int(),
  /** Of their differences; null without any. */
  median: z.nullable(z.object({ difference: Amount, percent: z.number() })),
});

/** The effect of fees on the bills of all accounts, for what they hold now, without tax. */
export const FeeEffect = z.object({
  announcement: FeeAnnouncement,
  currency: z.string(),
  accounts: z.int(),
  /** The bills by the fees of the day before, of the accounts that have some, and what they become; null where none are announced for it. */
  compared: z.nullable(z.object({ before: Amount, after: Amount })),
  /** All bills by these fees. */
  after: Amount,
  /** Accounts without fees on the day before. */
  first: z.int(),
  more: OneWay,
  less: OneWay,
  same: z.int(),
  /** Bills that rise by more than `STEEP_PERCENT`. */
  steep: z.int(),
  /** Accounts by the size that they are billed by, as the length of an IPv4 prefix: what reaches it and not the next. Null is without addresses. */
  sizes: z.array(
    z.object({
      length: z.nullable(z.int()),
      accounts: z.int(),
      /** Of those that have fees before. */
      before: Amount,
      after: Amount,
    }),
  ),
  /** Where the difference is largest; where there is nothing to compare with, the largest bills. */
  largest: z.array(FeeChange),
  /** The account that was asked for; null where it isn’t billed. */
  found: z.nullable(FeeChange),
});
export type FeeEffect = z.infer<typeof FeeEffect>;

const AnnouncedFees = z.object({
  validFrom: z.iso.date(),
  validUntil: z.iso.date(),
  announcedOn: z.iso.date(),
  fees: z.object({ member: z.optional(FeeRules), 'non-member': z.optional(FeeRules) }),
  /** They have not begun, and no invoice was issued by them. */
  canWithdraw: z.boolean(),
  /** Invoices that were computed with them. */
  invoices: z.int(),
});
export type AnnouncedFees = z.infer<typeof AnnouncedFees>;

const FeeDraft = z.object({
  draftId: z.string(),
  announcement: FeeAnnouncement,
  preparedBy: z.string(),
  preparedByEmail: z.string(),
  preparedAt: z.iso.datetime(),
});
export type FeeDraft = z.infer<typeof FeeDraft>;

/** Announced fees, the latest first, and those that are prepared. */
export const FeeDesk = z.object({
  today: z.iso.date(),
  timeZone: z.string(),
  /** Members can ask for the invoice of a term so many days before it begins. */
  advanceDays: z.int(),
  currency: z.string(),
  /** Accounts whose term began on a day without fees, which no one bills, and the first of these days. */
  unbilled: z.nullable(z.object({ accounts: z.int(), from: z.iso.date() })),
  announced: z.array(AnnouncedFees),
  drafts: z.array(FeeDraft),
  /** The first day from today on for which terms can't be billed, by kind of account that has some; empty where that is more than a quarter away. */
  missing: z.array(z.object({ kind: z.enum(scheduleKindNames as [ScheduleKind, ...ScheduleKind[]]), from: z.iso.date() })),
  /** The first days without fees after the last announced ones: where the next ones begin and end. */
  next: z.object({ validFrom: z.iso.date(), validUntil: z.iso.date() }),
});
export type FeeDesk = z.infer<typeof FeeDesk>;

export const feeSchedules = group('billing.feeSchedules', {
  getFees: endpoint({
    method: 'GET',
    path: '/api/staff/fees',
    summary: 'Fees as they were announced, those that are prepared, and whether some are missing.',
    access: staff(['policy', 'billing']),
    answer: FeeDesk,
  }),
  prepareFees: endpoint({
    method: 'POST',
    path: '/api/staff/fees/drafts',
    summary: 'Prepare fees, to see what they do to every bill before they are announced.',
    access: staff(['policy', 'billing']),
    effect: 'drafts',
    body: FeeAnnouncement,
    answer: FeeDraft,
    errors: ['FEES_ANNOUNCED'],
    activity: 'Prepared fees',
  }),
  discardFees: endpoint({
    method: 'DELETE',
    path: '/api/staff/fees/drafts/:draftId',
    summary: 'Discard prepared fees.',
    access: staff(['policy', 'billing']),
    effect: 'drafts',
    errors: ['NOT_FOUND'],
    activity: 'Discarded prepared fees',
  }),
  getFeeEffect: endpoint({
    method: 'GET',
    path: '/api/staff/fees/drafts/:draftId/effect',
    summary: 'What prepared fees do to the bills of all accounts: sums, sizes, how many pay more or less, and the largest differences.',
    access: staff(['policy', 'billing']),
    query: z.object({
      /** The largest of those that rise by more than `STEEP_PERCENT` alone. */
      only: z.optional(z.enum(['steep'])),
      /** One account to look at. */
      account: z.optional(z.string().check(z.trim(), z.maxLength(60))),
    }),
    answer: FeeEffect,
    errors: ['NOT_FOUND'],
  }),
  exportFeeEffect: endpoint({
    method: 'GET',
    path: '/api/staff/fees/drafts/:draftId/effect/table',
    summary: 'The bill of every account by prepared fees and by those before, as CSV or JSON.',
    access: staff(['policy', 'billing']),
    query: z.object({ format: z.enum(['csv', 'json']) }),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  announceFees: endpoint({
    method: 'POST',
    path: '/api/staff/fees/drafts/:draftId/announce',
    summary: 'Announce prepared fees. They are never changed afterwards, and can be withdrawn only before they begin.',
    access: staff('policy'),
    effect: 'money',
    limit: 'two people',
    answer: FeeDesk,
    errors: ['NOT_FOUND', 'FEES_ANNOUNCED'],
    secondPersonWhen: 'fees, always',
    activity: 'Announced fees',
  }),
  withdrawFees: endpoint({
    method: 'POST',
    path: '/api/staff/fees/:validFrom/withdraw',
    summary: 'Withdraw announced fees before they begin, of which no invoice was issued.',
    access: staff('policy'),
    effect: 'money',
    limit: 'two people',
    answer: FeeDesk,
    errors: ['NOT_FOUND', 'FEES_IN_USE'],
    secondPersonWhen: 'fees, always',
    activity: 'Withdrew fees',
  }),
});
