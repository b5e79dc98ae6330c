import { type Cents, cents, printCents, times, timesPower } from '../money.ts';

/** A schedule of fees: a row of `fee_schedule`. Amounts and factors are decimal numbers as announced. */
export type FeeSchedule = {
  baseFee: string;
  bitFactor: string;
  /** Lengths of the largest prefixes that cost the base fee. */
  ipv4Base: number;
  ipv6Base: number;
  /** Fee of a member without addresses. */
  associateFee: string;
  nirMultiplier: string;
  /** Share of the address fee in a least developed country. */
  ldcShare: string;
  asnFee: string;
  /** AS numbers that cost nothing. */
  freeAsns: number;
  signUpFee: string;
};

/** Counted holdings: IPv4 addresses, /56 blocks of IPv6, AS numbers. */
export type Holdings = { ipv4: bigint; ipv6: bigint; asns: number };

/** Circumstances that lower or raise the fee of an account. */
export type FeeCircumstances = {
  nir: boolean;
  /** In an economy on the UN's list of least developed countries when the term begins. */
  ldc: boolean;
  /** A new account pays for signing up, once. */
  signUp?: boolean;
};

export type FeeKind = 'addresses' | 'associate' | 'nir' | 'ldc' | 'asns' | 'sign-up';
/** One line of an invoice; `quantity` times `unit` is the amount. */
export type FeeLine = { kind: FeeKind; quantity: number; unit: Cents; amount: Cents };

type Family = 'ipv4' | 'ipv6';
/** The part of a schedule that says what a size of a family costs. */
export type FeeCurve = Pick<FeeSchedule, 'baseFee' | 'bitFactor' | 'ipv4Base' | 'ipv6Base'>;

/** Bits of the largest holding that costs the base fee: 8 for a /24 of IPv4 in addresses, 22 for a /34 of IPv6 in blocks of /56. */
const offsetOf = (family: Family, { ipv4Base, ipv6Base }: Pick<FeeCurve, 'ipv4Base' | 'ipv6Base'>): number =>
  family === 'ipv4' ? 32 - ipv4Base : 56 - ipv6Base;

/** Address bits of a holding, with their fraction: log2(count) less those that cost the base fee, and never below zero: nothing smaller is cheaper. */
export function addressBits(curve: Pick<FeeCurve, 'ipv4Base' | 'ipv6Base'>, family: Family, count: bigint): number {
  // Math.log2 isn't exact for powers of two.
  const exact = (count & (count - 1n)) === 0n ? count.toString(2).length - 1 : Math.log2(Number(count));
  return Math.max(0, exact - offsetOf(family, curve));
}

/** The fee for the holdings of one address family alone; no addresses, no fee. */
export const componentFee = (curve: FeeCurve, family: Family, count: bigint): Cents =>
  count === 0n ? 0n : timesPower(cents(curve.baseFee), curve.bitFactor, addressBits(curve, family, count));

/**
 * The annual fee, one line each: base fee times bit factor to the power of the address bits, for the family with the greater fee; times the
 * multiplier of a national registry; the reduction for least developed countries; AS numbers beyond the free ones; and the sign-up fee of a new
 * account. Each line is rounded half-up to a cent, and the fee is their sum.
 */
export function annualFee(
  schedule: FeeSchedule,
  { ipv4, ipv6, asns }: Holdings,
  { nir, ldc, signUp = false }: FeeCircumstances,
): FeeLine[] {
  const lines: FeeLine[] = [];
  const add = (kind: FeeKind, unit: Cents, quantity = 1): void => {
    lines.push({ kind, quantity, unit, amount: unit * BigInt(quantity) });
  };
  const components = [componentFee(schedule, 'ipv4', ipv4), componentFee(schedule, 'ipv6', ipv6)] as const;
  let fee = components[0] > components[1] ? components[0] : components[1];
  if (ipv4 === 0n && ipv6 === 0n) {
    fee = cents(schedule.associateFee);
    add('associate', fee);
  } else add('addresses', fee);
  if (nir) {
    const whole = times(fee, schedule.nirMultiplier);
    add('nir', whole - fee);
    fee = whole;
  }
  if (ldc) add('ldc', times(fee, schedule.ldcShare) - fee);
  const charged = Math.max(0, asns - schedule.freeAsns);
  if (charged > 0 && cents(schedule.asnFee) > 0n) add('asns', cents(schedule.asnFee), charged);
  if (signUp) add('sign-up', cents(schedule.signUpFee));
  return lines;
}

/**
 * Returns the one-time fee of the recipient of a transfer of so many IPv4 addresses, without tax. Moves to a national registry cost nothing.
 * @param share part of what the moved block alone would cost in a year, as the profile has it (`transferFeeShare`)
 */
export const transferFee = (curve: FeeCurve, ipv4: bigint, share: string): Cents => times(componentFee(curve, 'ipv4', ipv4), share);

/**
 * The schedule expected a year after the last announced one: the base fee grows, rounded to a whole unit of the currency; everything else stays.
 * @param growth a share such as `0.0475`, as the profile has it (`feeGrowth`)
 */
export const projectedSchedule = <S extends FeeSchedule>(last: S, growth: string): S => ({
  ...last,
  baseFee: printCents(((cents(last.baseFee) + times(cents(last.baseFee), growth) + 50n) / 100n) * 100n),
});

export const sumOf = (lines: readonly { amount: Cents }[]): Cents => lines.reduce((sum, { amount }) => sum + amount, 0n);
