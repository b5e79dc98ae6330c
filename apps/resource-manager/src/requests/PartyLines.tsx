import { reading, useAccount, useKit, useRefusal } from '@portal/app-kit';
import { resources } from '@portal/contract/resources/resources';
import { formatCount, Icon, type IconName, KeyValueList, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import styles from './KeepsAndGets.module.css';
import type { Course } from './party-steps.ts';

export type Line = { icon: IconName; words: ReactNode; aside: ReactNode };

/** `1 address`, `7 168 addresses`. */
export const counted = (count: number | bigint, one: string, several: string): string =>
  `${formatCount(count)} ${BigInt(count) === 1n ? one : several}`;

/** Lists what a party has afterwards, a line each. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ icon, words, aside }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <li key={index}>
          <Icon name={icon} />
          <span className={styles.words}>{words}</span>
          <span className="quiet small">{aside}</span>
        </li>
      ))}
    </ul>
  );
}

/** Returns the IPv4 addresses that the account holds today; null where the reader may not see them, or before they are read. */
export function useHeld(): bigint | null {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const isShown = useRefusal(resources.getSummary) === null;
  const { data } = useQuery({ ...reading(call, resources.getSummary, { account }), enabled: isShown });
  const totals = data?.totals.find(({ kind }) => kind === 'ipv4');
  return totals ? BigInt(totals.size) : null;
}

/** The terms of a transfer for both parties: how long each has, and when the space can be transferred again. */
export function Terms({
  request: { terms, form, plan },
  isSender,
  other,
}: {
  request: Pick<Course, 'terms' | 'form' | 'plan'>;
  isSender: boolean;
  other: string;
}) {
  const days = (count: number): string => counted(count, 'day', 'days');
  const recipient = isSender ? other || 'the recipient' : 'you';
  return (
    <Sheet title="Terms">
      <KeyValueList
        items={[
          ...(form.otherRegistry === ''
            ? [{ key: isSender ? `${other || 'The recipient'} answers` : 'You answer', value: `within ${days(terms.acknowledgeDays)}` }]
            : []),
          ...(plan?.fee ? [{ key: 'Transfer fee', value: `within ${days(terms.feeDays)} of the invoice` }] : []),
          { key: 'Objects with the plan “Hold”', value: `kept for ${days(terms.holdDays)}` },
          ...(form.otherRegistry === '' ? [{ key: `Hold period for ${recipient}`, value: 'none' }] : []),
          { key: 'Refund for the current term', value: 'none' },
        ]}
      />
      {form.otherRegistry === '' && (
        <p className="small quiet">
          {isSender ? `${other || 'The recipient'} can` : 'You can'} transfer it again from the day of completion. The hold period of{' '}
          {terms.holdYears} years is for addresses that the registry delegates.
        </p>
      )}
    </Sheet>
  );
}
