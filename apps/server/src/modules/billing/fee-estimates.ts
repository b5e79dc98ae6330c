import type { Download, QueryOf } from '@portal/contract';
import type { FeeEstimate, FeeEstimates, feeEstimates } from '@portal/contract/billing/fee-estimates';
import { yearsAfter } from '@portal/contract/days';
import { votingTierOf } from '@portal/contract/elections/voting-tiers';
import { valuesAt } from '../../dated-profile.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { instantOfLocal } from '../../platform/zone-offset.ts';
import type { Profile } from '../../profile.ts';
import { announcedTimes, expectedOn, isLeastDeveloped, kindInWords, yearsWithFees } from './fees/fee-schedules.ts';
import { addressBits, annualFee, componentFee, type Holdings, sumOf, transferFee } from './fees/fees.ts';
import { printCents, times } from './money.ts';
import { saved } from './invoices/invoice-documents.ts';

type Asked = QueryOf<typeof feeEstimates.getFeeEstimate>;
type Policy = Pick<
  Profile,
  'currency' | 'taxEconomy' | 'taxRate' | 'serviceRegion' | 'feeGrowth' | 'leastDevelopedEconomies' | 'votingTiers' | 'nirVotes'
>;

/**
 * The estimate of a fee with each of its steps, and the totals of the years around it (specification, annual-fee-calculator). The formula is that of invoices (`annualFee`):
 * an estimate of what an account holds on its anniversary equals its invoice to the cent.
 * @throws Failure FEES_NOT_ANNOUNCED where the registry has announced none, INVALID_REQUEST for a term before the first schedule, beyond the projected one, or between two
 */
export async function getFeeEstimate({
  read,
  query: asked,
  registry: { profile },
}: {
  read: Read;
  query: Asked;
  registry: Pick<Registry, 'profile'>;
}): Promise<FeeEstimates> {
  const at = (years: number): Promise<FeeEstimate | undefined> => estimateOf(read, asked, yearsAfter(asked.begins, years), profile);
  const kind = scheduleKind(asked.kind);
  const [before, estimate, after, times] = await Promise.all([at(-1), at(0), at(1), announcedTimes(read)]);
  const years = yearsWithFees(times[kind]);
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) throw refuse('FEES_NOT_ANNOUNCED', { kind: kindInWords(kind), day: asked.begins });
  if (!estimate) throw refuseField('begins', unknownInWords(times[kind], { first, last }));
  // Every recipient pays for a transfer by the fees of members, non-members too (`transferFeeOn`).
  const ofMembers = kind === 'member' ? estimate : await estimateOf(read, { ...asked, kind: 'member' }, asked.begins, profile);
  const transferred = BigInt(asked.transferred ?? '0');
  // A share that is confirmed for then counts already in what is asked for then.
  const { transferFeeShare } = valuesAt(profile, new Date(instantOfLocal(profile.timeZone, Date.parse(asked.begins)))).requestPolicy;
  return {
    estimate,
    years: [before, estimate, after].flatMap(each => (each ? [{ begins: each.begins, projected: each.projected, total: each.total }] : [])),
    before: before
      ? {
          base: before.schedule.base,
          factor: before.schedule.factor,
          ipv4Base: before.schedule.ipv4Base,
          ipv6Base: before.schedule.ipv6Base,
          year: Number(before.begins.slice(0, 4)),
        }
      : null,
    choices: { years, economies: profile.serviceRegion },
    // National registries pay no transfer fee, and no one does if the share is zero.
    transferFee:
      transferred === 0n || asked.kind === 'nir' || Number(transferFeeShare) === 0 || !ofMembers
        ? null
        : feeOfTransfer(ofMembers, transferred, transferFeeShare),
  };
}

function feeOfTransfer({ schedule: { base, factor, ipv4Base, ipv6Base } }: FeeEstimate, transferred: bigint, share: string): string {
  return printCents(transferFee({ baseFee: base, bitFactor: factor, ipv4Base, ipv6Base }, transferred, share));
}

/** Returns the same estimate as a PDF. @throws Failure INVALID_REQUEST, as `getFeeEstimate` */
export async function downloadFeeEstimate({
  read,
  query: asked,
  registry: {
    profile,
    config: { certificateFonts: fonts },
    today,
  },
}: Act<typeof feeEstimates.downloadFeeEstimate>): Promise<Download> {
  const estimates = await getFeeEstimate({ read, query: asked, registry: { profile } });
  const about = { kind: asked.kind, economy: asked.economy ?? null, asns: asked.asns, transferred: asked.transferred ?? '0' };
  return saved(`fee-estimate-${estimates.estimate.begins}`, { estimates, about, day: today, profile, fonts: [...fonts] });
}

/** Says for which years fees are known. */
const unknownInWords = (times: readonly { validUntil: string }[], { first, last }: { first: number; last: number }): string => {
  const announced = Number(times.at(-1)!.validUntil.slice(0, 4));
  return `Fees are known from ${first} to ${announced}, and projected for ${last}`;
};

const scheduleKind = (kind: Asked['kind']): 'member' | 'non-member' => (kind === 'non-member' ? 'non-member' : 'member');

async function estimateOf(read: Read, asked: Asked, begins: string, policy: Policy): Promise<FeeEstimate | undefined> {
  const schedule = await expectedOn(read, scheduleKind(asked.kind), begins, policy.feeGrowth);
  if (!schedule) return undefined;
  const economy = asked.economy ?? null;
  const holdings: Holdings = { ipv4: BigInt(asked.ipv4), ipv6: BigInt(asked.ipv6), asns: asked.asns };
  const ldc = isLeastDeveloped(policy, economy, begins);
  const lines = annualFee(schedule, holdings, { nir: asked.kind === 'nir', ldc, signUp: asked.newAccount === 'true' });
  const subtotal = sumOf(lines);
  const taxRate = policy.taxEconomy !== '' && economy === policy.taxEconomy ? policy.taxRate : null;
  const tax = taxRate === null ? 0n : times(subtotal, taxRate);
  const [ipv4Fee, ipv6Fee] = [componentFee(schedule, 'ipv4', holdings.ipv4), componentFee(schedule, 'ipv6', holdings.ipv6)];
  const part = (family: 'ipv4' | 'ipv6', fee: bigint): FeeEstimate['ipv4'] => ({
    count: String(holdings[family]),
    bits: holdings[family] === 0n ? 0 : addressBits(schedule, family, holdings[family]),
    fee: printCents(fee),
  });
  return {
    begins,
    projected: schedule.projected,
    currency: policy.currency,
    schedule: {
      validFrom: schedule.validFrom,
      base: schedule.baseFee,
      factor: schedule.bitFactor,
      ipv4Base: schedule.ipv4Base,
      ipv6Base: schedule.ipv6Base,
      nirMultiplier: schedule.nirMultiplier,
      ldcShare: schedule.ldcShare,
      freeAsns: schedule.freeAsns,
      asnFee: schedule.asnFee,
    },
    ipv4: part('ipv4', ipv4Fee),
    ipv6: part('ipv6', ipv6Fee),
    charged:
      holdings.ipv4 === 0n && holdings.ipv6 === 0n
        ? null
        : ipv4Fee > ipv6Fee
          ? 'ipv4'
          : ipv6Fee > ipv4Fee
            ? 'ipv6'
            : holdings.ipv4 > 0n
              ? 'ipv4'
              : 'ipv6',
    lines: lines.map(({ kind, quantity, unit, amount }) => ({ step: kind, quantity, unit: printCents(unit), amount: printCents(amount) })),
    subtotal: printCents(subtotal),
    taxRate,
    tax: printCents(tax),
    total: printCents(subtotal + tax),
    votes:
      asked.kind === 'nir'
        ? policy.nirVotes
        : votingTierOf(policy.votingTiers, { ipv4Addresses: holdings.ipv4, ipv6Blocks: holdings.ipv6 }).votes,
  };
}
