import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { contact, endpoint, group, signedIn } from '../endpoint.ts';

/** Kinds of accounts by what they pay. A national registry pays the fee of a member times a factor. */
export const feeKinds = { member: 'Member', 'non-member': 'Non-member', nir: 'National registry' } as const;
export type FeeAccountKind = keyof typeof feeKinds;
const FeeAccountKind = z.enum(Object.keys(feeKinds) as [FeeAccountKind, ...FeeAccountKind[]]);

/** Maximum counts: all addresses of IPv4, all /56 blocks of IPv6. */
export const maxCounted = { ipv4: 1n << 32n, ipv6: 1n << 56n } as const;
/** The most AS numbers that an estimate takes. */
export const maxAsns = 10_000;

const Amount = z.string();
const count = (most: bigint, what: string) =>
  z
    .string()
    .check(z.regex(/^(0|[1-9]\d{0,19})$/, { error: `Enter a whole number of ${what}, such as 1024` }))
    .check(z.refine(text => !/^\d+$/.test(text) || BigInt(text) <= most, { error: `There are only ${most} ${what}` }));
const flag = z.optional(z.enum(['true', 'false']));

const FeeComponent = z.object({
  /** Single IPv4 addresses, or IPv6 blocks of /56. */
  count: z.string(),
  /** log2 of the count less the offset of the family, at least 0. */
  bits: z.number(),
  /** Base fee times factor to the power of the bits; 0.00 where nothing is held. */
  fee: Amount,
});

/** The steps of a fee, in the order they are applied. */
export const feeSteps = ['addresses', 'associate', 'nir', 'ldc', 'asns', 'sign-up'] as const;

/** The fee of a holding for the term that begins on a day. */
export const FeeEstimate = z.object({
  begins: z.iso.date(),
  /** A year without announced fees: the base keeps growing as before, the factor stays. */
  projected: z.boolean(),
  currency: z.string(),
  schedule: z.object({
    validFrom: z.iso.date(),
    base: Amount,
    factor: z.string(),
    /** Lengths of the largest prefixes that cost the base fee. */
    ipv4Base: z.int(),
    ipv6Base: z.int(),
    nirMultiplier: z.string(),
    ldcShare: z.string(),
    freeAsns: z.int(),
    asnFee: Amount,
  }),
  ipv4: FeeComponent,
  ipv6: FeeComponent,
  /** The family whose fee is charged, the greater; null without addresses. */
  charged: z.nullable(z.enum(['ipv4', 'ipv6'])),
  lines: z.array(z.object({ step: z.enum(feeSteps), quantity: z.int(), unit: Amount, amount: Amount })),
  subtotal: Amount,
  /** `0.10`; null where no tax applies. */
  taxRate: z.nullable(z.string()),
  tax: Amount,
  total: Amount,
  /** Votes of an account with this holding, per candidate. */
  votes: z.int(),
});
export type FeeEstimate = z.infer<typeof FeeEstimate>;

export const FeeEstimates = z.object({
  estimate: FeeEstimate,
  /** The fee of the same holding in the year before, the year itself and the year after, as far as fees are known or projected. */
  years: z.array(z.object({ begins: z.iso.date(), projected: z.boolean(), total: Amount })),
  /** The previous year's curve, for comparison; null for the first year. */
  before: z.nullable(z.object({ base: Amount, factor: z.string(), ipv4Base: z.int(), ipv6Base: z.int(), year: z.int() })),
  /** Once, before a transfer of that many IPv4 addresses completes, without tax; null when nothing is transferred. */
  transferFee: z.nullable(Amount),
  /** Valid choices: years with known or projected fees, and economies of the registry's region (ISO 3166). */
  choices: z.object({ years: z.array(z.int()), economies: z.array(z.string()) }),
});
export type FeeEstimates = z.infer<typeof FeeEstimates>;

/** Holdings of an account, as its fee counts them. */
export const CountedHoldings = z.object({
  /** Null for accounts that pay no yearly fee. */
  kind: z.nullable(FeeAccountKind),
  economy: z.nullable(z.string()),
  /** First day of the next term; null where the account has none. */
  begins: z.nullable(z.iso.date()),
  /** One row for each prefix, or for each size where there are many or the caller may not see which. */
  blocks: z.array(
    z.object({
      family: z.enum(['ipv4', 'ipv6']),
      /** `198.18.0.0/22`, `/22`, or a number of addresses that is no prefix, such as `768`. */
      name: z.string(),
      quantity: z.int(),
    }),
  ),
  asns: z.int(),
  /** Holdings that don't count, in words. */
  notCounted: z.array(z.string()),
});
export type CountedHoldings = z.infer<typeof CountedHoldings>;

/** Inputs of an estimate. */
const FeeQuestion = z.object({
  kind: FeeAccountKind,
  /** The first day of the term, or of the year to look at. */
  begins: calendarDay('2027-01-01'),
  /** ISO 3166 code: reductions of least developed countries, and tax. */
  economy: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Enter an ISO 3166 code, such as AU' }))),
  newAccount: flag,
  ipv4: count(maxCounted.ipv4, 'IPv4 addresses'),
  ipv6: count(maxCounted.ipv6, 'IPv6 blocks of /56'),
  asns: z.coerce.number().check(z.int({ error: 'Enter a whole number of AS numbers, such as 3' }), z.minimum(0), z.maximum(maxAsns)),
  /** IPv4 addresses that arrive by transfer, of those counted. */
  transferred: z.optional(count(maxCounted.ipv4, 'IPv4 addresses')),
});

export const feeEstimates = group('billing.feeEstimates', {
  getFeeEstimate: endpoint({
    method: 'GET',
    path: '/api/fee-estimates',
    summary:
      'What a holding costs in the term that begins on a day, step by step. An estimate: the invoice counts what is held on the anniversary.',
    access: signedIn,
    query: FeeQuestion,
    answer: FeeEstimates,
    errors: ['INVALID_REQUEST', 'FEES_NOT_ANNOUNCED'],
  }),
  downloadFeeEstimate: endpoint({
    method: 'GET',
    path: '/api/fee-estimates/pdf',
    summary: 'An estimate as a PDF: each step of the calculation, and the years around it.',
    access: signedIn,
    query: FeeQuestion,
    answer: 'download',
    downloads: ['pdf'],
    errors: ['INVALID_REQUEST', 'FEES_NOT_ANNOUNCED'],
  }),
  getCountedHoldings: endpoint({
    method: 'GET',
    path: '/api/:account/fee-estimates/holdings',
    summary: 'What the account holds as its fee counts it. Prefixes are named for contacts who may see resources; others get sizes.',
    access: contact,
    answer: CountedHoldings,
  }),
});
