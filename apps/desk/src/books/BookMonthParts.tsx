import { FailureBanner, reading, useDownload, useKit } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { bankStatements } from '@portal/contract/billing/bank-statements';
import { type BookMonth, type Books, books } from '@portal/contract/billing/books';
import { Button, ButtonRow, formatCount, groupDigits, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { BookDocuments } from './BookDocuments.tsx';
import { DeferredFees, Receivables, Tax } from './BookReports.tsx';
import styles from './Books.module.css';
import { Closed, Closing, WhatClosingDoes } from './Closing.tsx';
import { JournalTable } from './JournalTable.tsx';
import { LedgerFiles } from './LedgerFiles.tsx';
import { differenceOf, monthName, type NumberAsked } from './book-words.ts';

const BookTransfers = optionalPart(() => import('./BookTransfers.tsx'), 'BookTransfers');

/** A month by account of the ledger, the transfers that are left to match in it, and its closing. */
export function BookMonthParts({ desk, month }: { desk: Books; month: BookMonth }) {
  const { call } = useKit();
  const may = useMay();
  const { data, error } = useQuery(reading(call, books.getBookMonth, { month: month.month }));
  const reports = useQuery(reading(call, books.getBookReports, { month: month.month }));
  const save = useDownload(books.exportJournal);
  const [asked, setAsked] = useState<NumberAsked | null>(null);
  const name = monthName(month.month);
  return (
    <>
      <div className={styles.split}>
        <Stack gap={16}>
          {may(bankStatements.listBankLines) && <BookTransfers month={month.month} />}
          <Sheet
            title={`Journal of ${name}`}
            flush
            meta={
              data && (
                <>
                  <Balance difference={differenceOf(data.accounts)} />
                  <span>{entriesInWords(data.entries)}</span>
                </>
              )
            }
            actions={
              <ButtonRow>
                <Button size="s" icon="download" onClick={() => void save({ month: month.month })}>
                  Journal (CSV)
                </Button>
                <LedgerFiles month={month.month} />
              </ButtonRow>
            }
          >
            {data ? (
              <JournalTable sheet={data} today={desk.today} onAsk={setAsked} />
            ) : (
              <div className={styles.inset}>
                {error ? <FailureBanner failure={error} /> : <SkeletonLines lines={6} label="Adding up the month" />}
              </div>
            )}
          </Sheet>
          {reports.data ? (
            <>
              <Receivables reports={reports.data} currency={desk.currency} onAsk={setAsked} />
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
          {month.closed ? (
            <Closed name={name} closed={month.closed} />
          ) : (
            data && (
              <>
                <Closing desk={desk} sheet={data} reports={reports.data} />
                <WhatClosingDoes desk={desk} month={month.month} />
              </>
            )
          )}
          {reports.data && <DeferredFees reports={reports.data} />}
        </Stack>
      </div>
      {asked && <BookDocuments month={month.month} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const entriesInWords = (count: number): string =>
  count === 0 ? 'No entries' : `${count === 1 ? '1 entry' : `${formatCount(count)} entries`}. Each number opens its documents.`;

function Balance({ difference }: { difference: string }) {
  const isZero = difference === '0.00';
  return (
    <StateMark state={isZero ? 'valid' : 'invalid'}>
      {isZero ? 'Balanced' : 'Not balanced'}, difference {groupDigits(difference)}
    </StateMark>
  );
}
