import { FailureBanner, reading, useChange, useDownload, useKit, useRefusal } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import {
  type BookMonth,
  type BookMonthSheet,
  type Books,
  books,
  closingChecks,
  type LedgerAccount,
  ledgerAccountNames,
} from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import {
  Button,
  ButtonRow,
  DateText,
  formatCount,
  groupDigits,
  KeyValueList,
  Link,
  Mono,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BookDocuments } from './BookDocuments.tsx';
import { BookNumber } from './BookNumber.tsx';
import { DeferredFees, Receivables, Tax } from './BookReports.tsx';
import styles from './Books.module.css';
import { LedgerFiles } from './LedgerFiles.tsx';
import { monthName, type NumberAsked, sumOf } from './book-words.ts';

/** A month by account of the ledger, and its closing. */
export function BookMonthParts({ desk, month }: { desk: Books; month: BookMonth }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, books.getBookMonth, { month: month.month }));
  const reports = useQuery(reading(call, books.getBookReports, { month: month.month }));
  const save = useDownload(books.exportJournal);
  const [asked, setAsked] = useState<NumberAsked | null>(null);
  const name = monthName(month.month);
  return (
    <>
      <div className={styles.split}>
        <Stack gap={16}>
          <Sheet
            title={`Journal of ${name}`}
            meta={data && <span>{data.entries === 1 ? '1 entry' : `${formatCount(data.entries)} entries`}</span>}
            actions={
              <ButtonRow>
                <Button size="s" icon="download" onClick={() => void save({ month: month.month })}>
                  Journal (CSV)
                </Button>
                <LedgerFiles month={month.month} />
              </ButtonRow>
            }
          >
            {error ? (
              <FailureBanner failure={error} />
            ) : data ? (
              <Accounts sheet={data} onAsk={setAsked} />
            ) : (
              <SkeletonLines lines={6} label="Adding up the month" />
            )}
          </Sheet>
          {reports.data ? (
            <>
              <Receivables reports={reports.data} onAsk={setAsked} />
              <Tax reports={reports.data} onAsk={setAsked} />
            </>
          ) : reports.error ? (
            <FailureBanner failure={reports.error} />
          ) : (
            <Sheet title="Reports">
              <SkeletonLines lines={6} label="Adding up the reports" />
            </Sheet>
          )}
        </Stack>
        <Stack gap={16}>
          {month.closed ? <Closed name={name} closed={month.closed} /> : data && <Closing desk={desk} sheet={data} name={name} />}
          {reports.data && <DeferredFees reports={reports.data} />}
        </Stack>
      </div>
      {asked && <BookDocuments month={month.month} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const amount = (text: string): string => (text === '0.00' ? '' : groupDigits(text));

function Accounts({ sheet: { accounts }, onAsk }: { sheet: BookMonthSheet; onAsk: (asked: NumberAsked) => void }) {
  const sum = (of: 'before' | 'debit' | 'credit' | 'after'): string => sumOf(accounts.map(each => each[of]));
  const movement = (account: LedgerAccount, side: 'debit' | 'credit', value: string) =>
    value !== '0.00' && (
      <BookNumber
        amount={value}
        of={`${ledgerAccountNames[account]}, ${side}`}
        onOpen={() => onAsk({ title: `${ledgerAccountNames[account]}: ${side}`, query: { account, side } })}
      />
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label="Accounts of the ledger" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="num">
              Before
            </th>
            <th scope="col" className="num">
              Debit
            </th>
            <th scope="col" className="num">
              Credit
            </th>
            <th scope="col" className="num">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ account, before, debit, credit, after }) => (
            <tr key={account}>
              <th scope="row">{ledgerAccountNames[account]}</th>
              <td className="num">{amount(before) || '0.00'}</td>
              <td className="num">{movement(account, 'debit', debit)}</td>
              <td className="num">{movement(account, 'credit', credit)}</td>
              <td className="num">
                <b className="strong">{amount(after) || '0.00'}</b>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td className="num">{amount(sum('before')) || '0.00'}</td>
            <td className="num">{amount(sum('debit')) || '0.00'}</td>
            <td className="num">{amount(sum('credit')) || '0.00'}</td>
            <td className="num">{amount(sum('after')) || '0.00'}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Closed({
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
                <Mono>{sha256}</Mono>
              </span>
            ),
          },
        ]}
      />
    </Sheet>
  );
}

/** The checks of a month that is open, and its closing by two people. */
function Closing({
  desk: { closable, firstOpenDay },
  sheet: { month, checks },
  name,
}: {
  desk: Books;
  sheet: BookMonthSheet;
  name: string;
}) {
  const hasEnded = closable !== null && month <= closable;
  const isFirst = firstOpenDay === null || month === firstOpenDay.slice(0, 7);
  return (
    <Sheet
      title={`Close ${name}`}
      meta={
        <span>
          {checks.filter(({ passed }) => passed).length} of {checks.length} checks
        </span>
      }
    >
      <ul className={styles.checks}>
        {checks.map(({ check, passed, says }) => (
          <li key={check}>
            <StateMark plain state={passed ? 'valid' : 'warning'}>
              {closingChecks[check]}
            </StateMark>
            {!passed && <span className="quiet small"> {says}</span>}
            {!passed && check === 'transfers' && (
              <>
                {' '}
                <Link href={pages.deskPayments.path}>Match them</Link>
              </>
            )}
          </li>
        ))}
      </ul>
      <Stack gap={12}>
        <p className={styles.words}>
          No entry can be dated in a closed month, and its journal never changes. This can’t be undone: mistakes found later are corrected
          in an open month.
          {!isFirst && ' Open months before it are closed too.'}
        </p>
        {hasEnded ? (
          <Acts month={month} name={name} isReady={checks.every(({ passed }) => passed)} />
        ) : (
          <p className={styles.words}>It can be closed two days after it ends.</p>
        )}
      </Stack>
    </Sheet>
  );
}

/** Close the month; once a person has asked for it, the second one decides here. */
function Acts({ month, name, isReady }: { month: string; name: string; isReady: boolean }) {
  const { call, notify } = useKit();
  const { data } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const refresh = [books.getBooks, books.getBookMonth, proposals.listStaffProposals];
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const refusal = useRefusal(books.closeMonths);
  const close = useChange(books.closeMonths, done(`The books are closed through ${name}.`));
  const approve = useChange(proposals.approveStaffProposal, done(`The books are closed through ${name}.`));
  const reject = useChange(proposals.rejectStaffProposal, done(`${name} stays open.`));
  const waiting = data?.waiting.find(({ link }) => link === `${pages.deskBooks.path}?month=${month}`);
  if (waiting)
    return (
      <Stack gap={8}>
        <p className={styles.words}>
          {waiting.isMine ? 'You asked' : `${waiting.proposedBy} asked`} to close the books through {name}. A second person can confirm it
          until <DateText value={waiting.expiresAt} />.
        </p>
        <ProposalActs
          proposal={waiting}
          busy={approve.isPending || reject.isPending}
          onApprove={({ proposalId, fingerprint }) => approve.mutate({ proposalId, body: { fingerprint } })}
          onReject={({ proposalId }, note) => reject.mutate({ proposalId, body: { note } })}
          onWithdraw={({ proposalId }) => reject.mutate({ proposalId, body: { note: '' } })}
        />
      </Stack>
    );
  // Others read why there is nothing to press.
  if (refusal?.hides) return <p className={styles.words}>{refusal.reason}</p>;
  if (!isReady) return <p className={styles.words}>It can be closed once every check passes.</p>;
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
