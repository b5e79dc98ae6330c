import { reading, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import {
  type BookMonth,
  type BookMonthSheet,
  type BookReports,
  type Books,
  books,
  type ClosingCheck,
  closingChecks,
} from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, ButtonRow, DateText, formatCount, groupDigits, Icon, KeyValueList, Link, Mono, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import styles from './Books.module.css';
import { closedTogether, closingLink, differenceOf, monthAlone, monthName, rateInWords } from './book-words.ts';

/** Who closed a month, and what an auditor compares. */
export function Closed({
  name,
  closed: { closedBy, confirmedBy, closedAt, entries, sha256 },
}: {
  name: string;
  closed: NonNullable<BookMonth['closed']>;
}) {
  return (
    <Sheet title={`${name} is closed`}>
      <KeyValueList
        align="left"
        items={[
          { key: 'Closed by', value: closedBy },
          {
            key: 'Confirmed by',
            value: (
              <>
                {confirmedBy}, <DateText value={closedAt} />
              </>
            ),
          },
          { key: 'Entries', value: formatCount(entries) },
          {
            key: 'SHA-256 of the journal',
            value: (
              <span className={styles.hash}>
                <Mono nowrap={false}>{sha256}</Mono>
              </span>
            ),
          },
        ]}
      />
    </Sheet>
  );
}

/** The checks of a month that is open, and its closing by two people. */
export function Closing({
  desk: { closable, months },
  sheet,
  reports,
}: {
  desk: Books;
  sheet: BookMonthSheet;
  reports: BookReports | undefined;
}) {
  const { month, checks } = sheet;
  // Open months before it are closed with it.
  const name = closedTogether(months.find(({ closed }) => !closed)?.month ?? null, month);
  const hasEnded = closable !== null && month <= closable;
  const passed = checks.filter(each => each.passed).length;
  const inWords = `${passed} of ${checks.length} checks`;
  return (
    <Sheet
      title={`Close ${name}`}
      className={styles.closing}
      meta={<span>{inWords}</span>}
      footer={
        <div className={styles.closingFoot}>
          {hasEnded ? (
            <Acts month={month} name={name} isReady={passed === checks.length} />
          ) : (
            <p className={styles.words}>It can be closed two days after it ends.</p>
          )}
        </div>
      }
    >
      <progress className="vh" aria-label={`${inWords} pass`} max={checks.length} value={passed} />
      <div className={styles.progress} aria-hidden="true">
        <i style={{ inlineSize: `${(passed / Math.max(1, checks.length)) * 100}%` }} />
      </div>
      <ul className={styles.checks}>
        {checks.map(({ check, passed: isPassed, says }) => {
          const { about, figure } = factsOf(check, sheet);
          return (
            <li key={check} data-open={isPassed ? undefined : ''}>
              <Icon name={isPassed ? 'valid' : 'warning'} label={isPassed ? 'Passed:' : 'Open:'} />
              <span>
                {closingChecks[check]}
                {isPassed ? about && <small>{about}</small> : <small>{toDo(check, says)}</small>}
              </span>
              <span className="num">{isPassed && figure}</span>
            </li>
          );
        })}
      </ul>
      {reports && (
        <KeyValueList
          items={[
            { key: 'Deferred fees earned', value: groupDigits(reports.deferred.earned) },
            ...reports.tax.map(({ rate, tax }) => ({
              id: rate ?? 'none',
              key: `${reports.taxName}, ${rateInWords(rate).toLowerCase()}`,
              value: groupDigits(tax),
            })),
          ]}
        />
      )}
    </Sheet>
  );
}

/** Returns what a check that passes was made of: how many, from which to which, and its figure. */
function factsOf(check: ClosingCheck, { entries, accounts, invoices }: BookMonthSheet): { about: string; figure: string } {
  if (check === 'balance')
    return {
      about: entries === 0 ? 'No entries' : entries === 1 ? '1 entry' : `${formatCount(entries)} entries`,
      figure: groupDigits(differenceOf(accounts)),
    };
  if (check === 'numbers' && invoices)
    return {
      about: invoices.count === 1 ? invoices.first : `${invoices.first} to ${invoices.last}`,
      figure: formatCount(invoices.count),
    };
  return { about: '', figure: '' };
}

/** Returns what is open, and where it is done. */
function toDo(check: ClosingCheck, says: string): ReactNode {
  if (check !== 'transfers') return `${says}.`;
  return (
    <>
      {says}. <Link href={pages.deskPayments.path}>Match them</Link>, or set them aside.
    </>
  );
}

/** The consequences of closing a month, before it is done. */
export function WhatClosingDoes({ desk: { firstOpenDay }, month }: { desk: Books; month: string }) {
  const isFirst = firstOpenDay === null || month === firstOpenDay.slice(0, 7);
  return (
    <Sheet title="What closing does">
      <ul className={styles.effects}>
        <li>
          <Icon name="lock" />
          <span>
            No entry can be dated in {monthAlone(month)} any more{!isFirst && ', nor in the open months before it'}. This can’t be undone
          </span>
        </li>
        <li>
          <Icon name="document" />
          <span>Its journal gets a hash and never changes: an auditor’s copy stays true</span>
        </li>
        <li>
          <Icon name="reply" />
          <span>Mistakes found later are corrected in an open month</span>
        </li>
      </ul>
    </Sheet>
  );
}

/** Close the month; once a person has asked for it, the second one decides here. */
function Acts({ month, name, isReady }: { month: string; name: string; isReady: boolean }) {
  const { call, notify } = useKit();
  const through = monthName(month);
  const { data } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const refresh = [books.getBooks, books.getBookMonth, proposals.listStaffProposals];
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const refusal = useRefusal(books.closeMonths);
  const close = useChange(books.closeMonths, done(`The books are closed through ${through}.`));
  const approve = useChange(proposals.approveStaffProposal, done(`The books are closed through ${through}.`));
  const reject = useChange(proposals.rejectStaffProposal, done(`${through} stays open.`));
  const waiting = data?.waiting.find(({ link }) => link === closingLink(month));
  if (waiting)
    return (
      <Stack gap={8}>
        <p className={styles.words}>
          {waiting.isMine ? 'You asked' : `${waiting.proposedBy} asked`} to close the books through {through}. A second person can confirm
          it until <DateText value={waiting.expiresAt} />
          {isReady ? '.' : ', once every check passes.'}
        </p>
        {/* Who can’t close it, such as an auditor, has nothing to press here. */}
        {(waiting.isMine || !refusal?.hides) && (
          <ProposalActs
            proposal={waiting}
            busy={approve.isPending || reject.isPending}
            onApprove={({ proposalId, fingerprint }) => approve.mutate({ proposalId, body: { fingerprint } })}
            onReject={({ proposalId }, note) => reject.mutate({ proposalId, body: { note } })}
            onWithdraw={({ proposalId }) => reject.mutate({ proposalId, body: { note: '' } })}
          />
        )}
      </Stack>
    );
  // Others read why there is nothing to press.
  if (refusal?.hides) return <p className={styles.words}>{refusal.reason}</p>;
  if (!isReady)
    return (
      <p className={`${styles.words} quiet small`}>It can be closed once every check passes. You close it, and a second person confirms.</p>
    );
  return (
    <ButtonRow>
      <Button
        variant="commit"
        refusal={refusal}
        refusalIn="note"
        busy={close.isPending}
        onClick={() => close.mutate({ body: { until: month } })}
      >
        Close {name}
      </Button>
      <span className="quiet small">A second person confirms it.</span>
    </ButtonRow>
  );
}
