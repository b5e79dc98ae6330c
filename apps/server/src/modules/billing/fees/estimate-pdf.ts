import { type FeeAccountKind, type FeeEstimate, type FeeEstimates, feeKinds } from '@portal/contract/billing/fee-estimates';
import { groupDigits } from '@portal/number-resources';
import type { Profile } from '../../../profile.ts';
import { cents, inCurrency } from '../money.ts';
import { dayInFull, openDocumentPage, mutedColor } from '../documents/document-page.ts';

/** The contents of a fee estimate. */
export type EstimatePrint = {
  estimates: FeeEstimates;
  /** Inputs beyond the addresses, which the estimate itself has. */
  about: { kind: FeeAccountKind; economy: string | null; asns: number; transferred: string };
  /** The day it was made. */
  day: string;
  profile: Profile;
  fonts: string[];
};

/** The steps of a fee in words, as an estimate names them. @param asns how many AS numbers are held */
export const stepsInWords = ({ schedule, charged }: FeeEstimate, asns: number): Record<FeeEstimate['lines'][number]['step'], string> => ({
  addresses: `Annual fee by ${charged === 'ipv6' ? 'IPv6' : 'IPv4'}, the greater of both families`,
  associate: 'Annual fee without addresses',
  nir: `National registry: ${Number(schedule.nirMultiplier)} times the annual fee`,
  ldc: `Least developed country: ${Number(schedule.ldcShare) * 100} % of the annual fee`,
  asns: `AS numbers beyond ${schedule.freeAsns} (${groupDigits(String(asns))} held)`,
  'sign-up': 'Sign-up fee',
});

/** A fee estimate: inputs, each step, the total, and the years around it. The same content gives the same bytes. */
export function estimatePdf({ estimates, about, day, profile, fonts }: EstimatePrint): Promise<Uint8Array> {
  const { estimate, years, transferFee } = estimates;
  const { begins, currency, schedule, ipv4, ipv6, taxRate, projected } = estimate;
  const { top, put, heading, items, sums, finish } = openDocumentPage({
    title: 'Fee estimate',
    number: begins.slice(0, 4),
    day,
    recipient: null,
    facts: [
      ['Made on', dayInFull(day)],
      ['Term begins', dayInFull(begins)],
      ['Kind of account', feeKinds[about.kind]],
      ['Economy', about.economy ?? 'not given'],
      ['IPv4 addresses', groupDigits(ipv4.count)],
      ['IPv6 /56', groupDigits(ipv6.count)],
      ['AS numbers', groupDigits(String(about.asns))],
    ],
    profile,
    fonts,
  });
  const words = stepsInWords(estimate, about.asns);
  let y = items(
    top,
    currency,
    estimate.lines.map(({ step, quantity, unit, amount }) => ({ description: words[step], quantity, unitPrice: unit, amount })),
  );
  y = sums(y, [
    ['Subtotal', estimate.subtotal],
    [taxRate === null ? `${profile.taxName} not applicable` : `${profile.taxName} ${Number(taxRate) * 100} %`, estimate.tax],
    [`Total ${currency}`, estimate.total, true],
  ]);

  y = heading('How it is calculated', y + 22) + 4;
  for (const [name, { count, bits, fee }] of [
    ['IPv4', ipv4],
    ['IPv6', ipv6],
  ] as const)
    y =
      put(
        count === '0'
          ? `${name}: nothing held, no fee.`
          : `${name}: ${groupDigits(schedule.base)} × ${Number(schedule.factor)} ^ ${Number(bits.toFixed(4))} = ${groupDigits(fee)}`,
        y,
      ) + 2;
  y = put(`By the fees ${projected ? 'projected' : 'that apply'} from ${dayInFull(schedule.validFrom)}.`, y + 2, {
    size: 9,
    colour: mutedColor,
  });

  y = heading('Years side by side', y + 18) + 4;
  for (const each of years)
    y =
      put(`${each.begins.slice(0, 4)}${each.projected ? ', projected' : ''}: ${inCurrency(currency, cents(each.total))}`, y, {
        ...(each.begins === begins && { font: 'Helvetica-Bold' }),
      }) + 2;
  if (transferFee !== null)
    y = put(
      `And ${inCurrency(currency, cents(transferFee))} once for the transfer of ${groupDigits(about.transferred)} IPv4 addresses, without tax, paid by its recipient before it completes.`,
      y + 8,
    );
  put('This is an estimate. Don’t pay it. The invoice counts what is held on the anniversary of the membership.', y + 18, {
    size: 9,
    colour: mutedColor,
  });
  return finish();
}
