import { reading, useKit } from '@portal/app-kit';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { accountPictures } from '@portal/contract/staff/account-pictures';
import { DateText, KeyValueList, Link, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { findingsOf } from '../shell/health-words.ts';
import { useMay } from '../shell/use-may.ts';
import { asHeading } from './Parts.tsx';
import styles from './Request.module.css';

/**
 * The account that a case is about: its state and name, what the case knows of it, since when it is a member, and how it does. Those who can't open accounts read what the case
 * knows alone.
 * @param holdings above the facts: what it holds
 * @param items facts that the case knows, between its name and how it does
 */
export function CaseAccount({
  accountName,
  accountStatus,
  orgName,
  economy,
  holdings,
  items = [],
}: {
  accountName: string;
  accountStatus: string;
  orgName: string;
  economy?: string | null;
  holdings?: ReactNode;
  items?: ComponentProps<typeof KeyValueList>['items'];
}) {
  const { call } = useKit();
  const may = useMay();
  const mayRead = may(accountPictures.getAccountPicture);
  const health = useQuery({
    ...reading(call, accountPictures.getAccountPicture, { accountName, query: { part: 'health' } }),
    enabled: mayRead,
  });
  const { data } = health;
  const place = economy ? economyWords(economy).replace(/ \(..\)$/, '') : null;
  return (
    <Sheet
      title={accountName}
      meta={
        <StateMark state={accountStatus === 'open' ? 'valid' : 'warning'} plain>
          {asHeading(accountStatus)}
        </StateMark>
      }
      actions={<Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>Account</Link>}
    >
      <Stack gap={8} className={styles.onSheet}>
        {holdings}
        <KeyValueList
          align="left"
          items={[
            { key: 'Legal name', value: orgName },
            ...(data?.memberSince
              ? [
                  {
                    key: 'Member since',
                    value: (
                      <>
                        <DateText value={data.memberSince} shape="date" />
                        {place && `, ${place}`}
                      </>
                    ),
                  },
                ]
              : place
                ? [{ key: 'Economy', value: place }]
                : []),
            ...items,
            ...(data ? findingsOf(data) : []).map(({ subject, state, words, brief }) => ({
              key: subject,
              value: (
                <span title={words} className={styles.brief}>
                  <StateMark plain state={state}>
                    {brief}
                  </StateMark>
                </span>
              ),
            })),
          ]}
        />
        {mayRead && health.isPending && <SkeletonLines lines={5} label="Loading how the account does" />}
        {data && data.failed.length > 0 && <p className="quiet small">{asHeading(data.failed.join(', '))} couldn’t be read.</p>}
      </Stack>
    </Sheet>
  );
}
