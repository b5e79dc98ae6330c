import { reading, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay } from '@portal/app-kit/words/billing-words';
import { type BankLine, bankMatches, bankStatements } from '@portal/contract/billing/bank-statements';
import { books } from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { Badge, Button, DateText, formatCount, groupDigits, Icon, Link, Mono, Row, Sheet, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RecordLine } from '../shell/RecordLine.tsx';
import { SetAside } from '../shell/SetAside.tsx';
import styles from './BookTransfers.module.css';
import { lastDayOf, matchedInWords, matchSigns, monthAlone } from './book-words.ts';

/** As many as are shown here; the page of payments has all. */
const SHOWN = 3;
/** Reads that a match changes here, besides the transfers. */
const alsoRefresh = [books.getBookMonth, books.getBookReports];

/** The transfers of a month that are neither recorded nor set aside, the newest first, each with the invoice that it may pay. */
export function BookTransfers({ month }: { month: string }) {
  const { call } = useKit();
  const days = { from: `${month}-01`, to: lastDayOf(month) };
  const { data } = useQuery(reading(call, bankStatements.listBankLines, { query: { state: 'open', ...days } }));
  if (!data) return null;
  const { counts, rows } = data;
  const isNone = counts.open + counts.recorded + counts['set-aside'] === 0;
  const all = `${pages.deskPayments.path}?${new URLSearchParams(days)}`;
  if (counts.open === 0)
    return (
      <Sheet title="Unmatched bank lines" actions={!isNone && <Link href={`${all}&state=recorded`}>Recorded lines</Link>}>
        <p className={styles.none}>
          {isNone
            ? `No bank line of ${monthAlone(month)} is imported.`
            : `Every bank line of ${monthAlone(month)} is recorded or set aside.`}
        </p>
      </Sheet>
    );
  return (
    <Sheet
      flush
      title="Unmatched bank lines"
      meta={
        <>
          <Badge kind="warning" icon="warning">
            {formatCount(counts.open)} left
          </Badge>
          <span>{matchedInWords(counts, month)}</span>
        </>
      }
      actions={<Link href={all}>{counts.open > SHOWN ? `All ${formatCount(counts.open)}` : 'On the page of payments'}</Link>}
    >
      <ul className={styles.lines} aria-label="Unmatched bank lines">
        {rows.slice(0, SHOWN).map(line => (
          <Transfer key={line.bankLineId} line={line} />
        ))}
      </ul>
    </Sheet>
  );
}

function Transfer({ line }: { line: BankLine }) {
  const [act, setAct] = useState<{ parts: string } | 'aside' | null>(null);
  const mayRecord = useRefusal(bankStatements.recordBankLine);
  const maySetAside = useRefusal(bankStatements.setAsideBankLine);
  const { bookedOn, amount, payer, remittance, reference, suggestions, joint, recordedFor } = line;
  const [likeliest] = suggestions;
  const parts = joint
    ? joint.invoices.map(each => `${each.invoiceNumber} ${each.balance}`).join('\n')
    : likeliest && `${likeliest.invoiceNumber} ${amount}`;
  const close = () => setAct(null);
  return (
    <li>
      <div className={styles.bank}>
        <span>
          <b className="strong">{groupDigits(amount)}</b>{' '}
          <span className="quiet">
            <DateText value={bookedOn} shape="date" format={invoiceDay} />
          </span>
        </span>
        <small>
          <bdi>{payer}</bdi>
        </small>
        <Mono nowrap={false}>
          <bdi>{remittance || reference || 'No message from the payer'}</bdi>
        </Mono>
      </div>
      <Icon name="arrow-right" />
      <div className={styles.proposed}>
        {joint ? (
          <Joint joint={joint} />
        ) : likeliest ? (
          <Likeliest suggestion={likeliest} others={suggestions.length - 1} />
        ) : (
          <span className="quiet">No invoice fits by its number, payer or amount.</span>
        )}
        {recordedFor && (
          <StateMark plain state="warning">
            One that looks the same was recorded for {recordedFor}
          </StateMark>
        )}
        {/* An auditor reads what is left, and has nothing to press. */}
        {!(mayRecord?.hides && maySetAside?.hides) && (
          <Row wrap gap={8}>
            {parts && (
              <Button
                size="s"
                refusal={mayRecord}
                refusalIn="note"
                aria-label={`Record for ${joint ? joint.number : likeliest!.invoiceNumber}`}
                onClick={() => setAct({ parts })}
              >
                Record
              </Button>
            )}
            <Button size="s" refusal={mayRecord} refusalIn="note" onClick={() => setAct({ parts: '' })}>
              {parts ? 'Another invoice' : 'Choose an invoice'}
            </Button>
            <Button size="s" variant="quiet" refusal={maySetAside} refusalIn="note" onClick={() => setAct('aside')}>
              Set aside
            </Button>
          </Row>
        )}
      </div>
      {act === 'aside' && <SetAside line={line} onClose={close} alsoRefresh={alsoRefresh} />}
      {act !== null && act !== 'aside' && <RecordLine line={line} parts={act.parts} onClose={close} alsoRefresh={alsoRefresh} />}
    </li>
  );
}

function Joint({ joint: { number, invoices, exact } }: { joint: NonNullable<BankLine['joint']> }) {
  return (
    <>
      <span>
        <Mono>{number}</Mono>, {invoices.length === 1 ? '1 invoice' : `${invoices.length} invoices`}
      </span>
      <span className={styles.signs}>
        <Sign speaksFor={exact}>{exact ? 'together the amount' : 'together another amount'}</Sign>
      </span>
    </>
  );
}

function Likeliest({
  suggestion: { invoiceNumber, accountName, balance, match },
  others,
}: {
  suggestion: BankLine['suggestions'][number];
  others: number;
}) {
  return (
    <>
      <span>
        <Mono>{invoiceNumber}</Mono> <Link href={`/desk/accounts/${encodeURIComponent(accountName)}#billing`}>{accountName}</Link>,{' '}
        {groupDigits(balance)} due
        {others > 0 && <span className="quiet"> and {others === 1 ? '1 other that fits' : `${others} others that fit`}</span>}
      </span>
      <span className={styles.signs} title={`${bankMatches[match]}.`}>
        {matchSigns[match].map(({ word, speaksFor }) => (
          <Sign key={word} speaksFor={speaksFor}>
            {word}
          </Sign>
        ))}
      </span>
    </>
  );
}

const Sign = ({ speaksFor, children }: { speaksFor: boolean; children: string }) => (
  <StateMark plain state={speaksFor ? 'valid' : 'warning'}>
    {children}
  </StateMark>
);
