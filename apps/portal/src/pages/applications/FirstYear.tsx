import { AppLink, reading, useKit } from '@portal/app-kit';
import { membershipKinds } from '@portal/contract/applications/application-form';
import { type FeeEstimate, feeEstimates } from '@portal/contract/billing/fee-estimates';
import { utcDay } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { formatMoney, KeyValueList, Sheet, Stack } from '@portal/ui';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { membershipWords } from './application-words.ts';

type Kind = (typeof membershipKinds)[number];
type Fees = Partial<Record<Kind, FeeEstimate>>;

/** Returns what the first year would cost with what most new members get, by kind of membership; empty without announced fees. @param economy of the organisation, empty before it is chosen */
export function useFirstYear(economy: string): Fees {
  const { call } = useKit();
  const [begins] = useState(() => utcDay(new Date()));
  const holding = { begins, newAccount: 'true', ipv4: '256', ipv6: String(2 ** 24), asns: 1 } as const;
  const of = /^[A-Z]{2}$/.test(economy) ? { economy } : {};
  const estimates = useQueries({
    queries: membershipKinds.map(kind => reading(call, feeEstimates.getFeeEstimate, { query: { ...holding, ...of, kind } })),
  });
  return Object.fromEntries(
    membershipKinds.flatMap((kind, at) => {
      const { data } = estimates[at]!;
      return data ? [[kind, data.estimate]] : [];
    }),
  );
}

/** Says what the amounts are for, and where others are. */
export function FirstYearWords({ fees }: { fees: Fees }) {
  const fee = Object.values(fees)[0];
  return (
    <>
      {fee &&
        `The amounts are for the first year with a /24 of IPv4, a /32 of IPv6 and an AS number, ${fee.taxRate === null ? 'with the' : 'with tax and the'} sign-up fee. You pay once the application is approved. `}
      The <AppLink href={pages.annualFeeCalculator.path}>fee calculator</AppLink> shows other holdings and later years.
    </>
  );
}

/** Says before an application what signing up and the first year of a member cost. */
export function SignUpCost() {
  const { member } = useFirstYear('');
  const signUp = member?.lines.find(({ step }) => step === 'sign-up')?.amount;
  return (
    <p className="small muted">
      {member && (
        <>
          {signUp !== undefined && <>Signing up costs {formatMoney(member.currency, signUp)}, once. </>}
          The first year of a member with a /24 of IPv4, a /32 of IPv6 and an AS number costs {formatMoney(member.currency, member.total)},{' '}
          {member.taxRate === null ? 'without tax' : 'with tax'}
          {signUp !== undefined && ', with the sign-up fee'}.{' '}
        </>
      )}
      <a href="/help/fee-calculator">Calculate the fee of other sizes</a>
    </p>
  );
}

/** The amounts again, before the application is submitted, with the chosen kind first. */
export function FirstYear({ membership, economy }: { membership: Kind; economy: string }) {
  const fees = useFirstYear(economy);
  const shown = [membership, ...membershipKinds.filter(kind => kind !== membership)].filter(kind => fees[kind]);
  return (
    <Sheet title="Fees">
      <Stack gap={8}>
        {shown.length > 0 && (
          <KeyValueList
            align="left"
            items={shown.map(kind => ({
              key: kind === membership ? `${membershipWords[kind].label}, as chosen` : membershipWords[kind].label,
              value: formatMoney(fees[kind]!.currency, fees[kind]!.total),
            }))}
          />
        )}
        <p className="small muted">
          <FirstYearWords fees={fees} />
        </p>
      </Stack>
    </Sheet>
  );
}
