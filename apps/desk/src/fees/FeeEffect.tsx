import { useAddress, useDownload } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { type FeeDesk, type FeeEffect as Effect, feeSchedules, STEEP_PERCENT } from '@portal/contract/billing/fee-schedules';
import { Button, formatCount, Sheet, useNarrow } from '@portal/ui';
import type { ReactNode } from 'react';
import { TextButton } from '../shell/TextButton.tsx';
import styles from './Fees.module.css';
import { feesBefore, percentBetween, percentWords } from './fee-words.ts';
import { SizeList } from './SizeList.tsx';
import { SizePicture } from './SizePicture.tsx';

type Props = { effect: Effect; desk: FeeDesk; draftId: string };

/** Effect of fees on every bill: accounts by size, how much a size pays more or less, and the sums. */
export function FeeEffect({ effect, desk, draftId }: Props) {
  const save = useDownload(feeSchedules.exportFeeEffect);
  const narrow = useNarrow();
  const before = feesBefore(effect.announcement, desk)?.fees.member;
  return (
    <Sheet
      flush
      title={`Effect on all ${formatCount(effect.accounts)} accounts`}
      meta="Each bill for what the account holds now"
      actions={
        <Button size="s" icon="download" onClick={() => void save({ draftId, query: { format: 'csv' } })}>
          Every account (CSV)
        </Button>
      }
    >
      {narrow ? <SizeList effect={effect} /> : <SizePicture effect={effect} before={before} after={effect.announcement.fees.member} />}
      <Sums effect={effect} />
    </Sheet>
  );
}

function Sums({ effect }: { effect: Effect }) {
  const { currency, accounts, compared, after, first, more, less, same, steep } = effect;
  const address = useAddress();
  const income = compared && percentBetween(compared.before, compared.after);
  const facts: { number: string; words: ReactNode }[] = compared
    ? [
        { number: formatCount(less.accounts), words: <OneWay way="less" side={less} all={accounts} /> },
        { number: formatCount(more.accounts), words: <OneWay way="more" side={more} all={accounts} /> },
        {
          number: income === null ? 'None' : percentWords(income),
          words: `income, ${money('', compared.before).trim()} to ${money(currency, compared.after)}`,
        },
        {
          number: formatCount(steep),
          words: (
            <>
              pay over {STEEP_PERCENT} % more. {steep > 0 && <TextButton onClick={() => address.set({ only: 'steep' })}>Who</TextButton>}
            </>
          ),
        },
      ]
    : [{ number: money(currency, after), words: 'all bills by these fees. No fees come before them' }];
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(({ number, words }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a list in a fixed order
          <div key={place}>
            <dt>{words}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      {compared && (same > 0 || first > 0) && (
        <p className={styles.rest}>
          {same > 0 && `${formatCount(same)} pay the same. `}
          {first > 0 && `${formatCount(first)} had no fees until now; with them all pay ${money(currency, after)}.`}
        </p>
      )}
    </>
  );
}

const OneWay = ({ way, side: { accounts, median }, all }: { way: 'more' | 'less'; side: Effect['more']; all: number }) => (
  <>
    pay {way}
    {all > 0 && `, ${Math.round((accounts / all) * 100)} %`}
    {median && `. Median ${money('', median.difference).trim().replace('-', '−')}, ${percentWords(median.percent)}`}
  </>
);
