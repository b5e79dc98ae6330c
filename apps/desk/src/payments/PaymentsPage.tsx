import { Page, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { money, invoiceDay } from '@portal/app-kit/words/billing-words';
import { type BankLine, type BankLineState, bankLineStates, bankMatches, bankStatements } from '@portal/contract/billing/bank-statements';
import { pages } from '@portal/contract/pages';
import { Banner, Button, DateText, EmptyState, Link, Row, Sheet, Stack } from '@portal/ui';
import { Segmented } from '@portal/ui/form/Segmented';
import { DayRange, isDay } from '@portal/ui/picker/DayRange';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { useState } from 'react';
import { RecordLine } from '../shell/RecordLine.tsx';
import { SetAside } from '../shell/SetAside.tsx';
import { ImportStatement } from './ImportStatement.tsx';
import { KeptOpen } from './KeptOpen.tsx';
import styles from './PaymentsPage.module.css';
import { ProviderReports } from './ProviderReports.tsx';
import { UndoMatch } from './UndoMatch.tsx';

const states = Object.keys(bankLineStates) as [BankLineState, ...BankLineState[]];

/** /desk/payments: incoming transfers of bank statements, and the invoices they pay. */
export default function PaymentsPage() {
  const address = useAddress();
  const [importing, setImporting] = useState(false);
  const refusal = useRefusal(bankStatements.importBankStatement);
  const state = address.oneOf('state', states) ?? 'open';
  const after = address.get('after') ?? undefined;
  const filter = useLineFilter();
  const { counts, rows, next } = useAnswer(bankStatements.listBankLines, { query: { state, ...filter.query, ...(after && { after }) } });
  const start = (
    <Button variant="primary" icon="upload" refusal={refusal} refusalIn="note" onClick={() => setImporting(true)}>
      Import a statement
    </Button>
  );
  return (
    <Page title={pages.deskPayments.title} sub="Transfers from bank statements, with the invoices they may pay." actions={start}>
      <Stack gap={16}>
        <ProviderReports />
        <KeptOpen />
        <Segmented
          label="Transfers"
          value={state}
          options={states.map(value => ({ value, label: `${bankLineStates[value]} (${counts[value].toLocaleString('en')})` }))}
          onChange={value => address.set({ state: value === 'open' ? null : value, after: null })}
        />
        {(filter.isOn || states.some(each => counts[each] > 0)) && <LineFilters filter={filter} />}
        {state === 'open' && <Exact rows={rows} />}
        <Sheet title={bankLineStates[state]} meta={rows.length > 0 && <span>{counts[state].toLocaleString('en')}</span>}>
          {rows.length === 0 ? (
            <NoLines state={state} filter={filter} />
          ) : (
            <ul className={styles.lines} aria-label={bankLineStates[state]}>
              {rows.map(line => (
                <Line key={line.bankLineId} line={line} />
              ))}
            </ul>
          )}
          {(after || next) && (
            <p className={styles.pages}>
              {after && <Button onClick={() => address.set({ after: null })}>Newest</Button>}
              {next && <Button onClick={() => address.set({ after: next }, { step: true })}>Older</Button>}
            </p>
          )}
        </Sheet>
      </Stack>
      {importing && <ImportStatement onClose={() => setImporting(false)} />}
    </Page>
  );
}

/** The search and the days in the address, which leave some of the transfers. */
function useLineFilter() {
  const address = useAddress();
  const [q, from, to] = [address.get('q') ?? '', address.get('from') ?? '', address.get('to') ?? ''];
  return {
    q,
    from,
    to,
    query: { ...(q && { q }), ...(isDay(from) && { from }), ...(isDay(to) && { to }) },
    isOn: q !== '' || from !== '' || to !== '',
    set: (change: Record<string, string | null>) => address.set({ ...change, after: null }),
    clear: () => address.set({ q: null, from: null, to: null, after: null }),
  };
}
type LineFilter = ReturnType<typeof useLineFilter>;

function LineFilters({ filter: { q, from, to, set } }: { filter: LineFilter }) {
  return (
    <Row wrap gap={12}>
      <FilterSearch
        label="Find transfers"
        placeholder="Payer, words, amount, invoice"
        value={q}
        onChange={next => set({ q: next || null })}
        className={styles.find}
      />
      <DayRange from={from} to={to} onChange={set} />
    </Row>
  );
}

function NoLines({ state, filter }: { state: BankLineState; filter: LineFilter }) {
  return filter.isOn ? (
    <EmptyState title="No matching transfers" picture={false} action={<Button onClick={filter.clear}>Show all</Button>}>
      The search covers payers, their words, references, amounts, and the invoices and accounts that were paid.
    </EmptyState>
  ) : (
    <EmptyState title={state === 'open' ? 'No transfers to match' : 'No transfers'} picture={false}>
      {state === 'open'
        ? 'Import a bank statement as CAMT.053 or CSV. Each transfer appears here once.'
        : 'Transfers appear here when they are matched.'}
    </EmptyState>
  );
}

/** Records, one after another, the transfers of this page that pay exactly what is due. */
function Exact({ rows }: { rows: readonly BankLine[] }) {
  const { notify } = useKit();
  const exact = rows.filter(
    ({ suggestions, recordedFor }) => recordedFor === null && suggestions.filter(({ match }) => match === 'exact').length === 1,
  );
  const record = useChange(bankStatements.recordBankLine, { refresh: [bankStatements.listBankLines] });
  const [running, setRunning] = useState(false);
  if (exact.length === 0) return null;
  const recordAll = async () => {
    setRunning(true);
    let done = 0;
    for (const { bankLineId, amount, suggestions } of exact) {
      const [{ invoiceNumber }] = suggestions as [BankLine['suggestions'][number]];
      try {
        await record.mutateAsync({ bankLineId, body: { parts: [{ invoiceNumber, amount }] } });
        done++;
      } catch {
        // Shown by the call itself; the transfer stays in the list.
      }
    }
    setRunning(false);
    if (done > 0) notify({ text: done === 1 ? '1 payment recorded.' : `${done} payments recorded.` });
  };
  return (
    <Banner
      kind="info"
      title={exact.length === 1 ? '1 transfer pays exactly what is due.' : `${exact.length} transfers pay exactly what is due.`}
    >
      <p className={styles.exact}>Each quotes its invoice and comes from its payer. Members get their receipts.</p>
      <Button busy={running} onClick={() => void recordAll()}>
        {exact.length === 1 ? 'Record it' : `Record all ${exact.length}`}
      </Button>
    </Banner>
  );
}

function Line({ line }: { line: BankLine }) {
  const [act, setAct] = useState<{ kind: 'record'; parts: string } | { kind: 'aside' } | { kind: 'undo' } | null>(null);
  const refusals = {
    record: useRefusal(bankStatements.recordBankLine),
    aside: useRefusal(bankStatements.setAsideBankLine),
    undo: useRefusal(bankStatements.undoBankLine),
    reopen: useRefusal(bankStatements.reopenBankLine),
  };
  const reopen = useChange(bankStatements.reopenBankLine, { refresh: [bankStatements.listBankLines] });
  const { bankLineId, currency, amount, state, suggestions, joint } = line;
  const close = () => setAct(null);
  return (
    <li>
      <TransferFacts line={line} />
      <div className={styles.acts}>
        {joint && (
          <div className={styles.suggestion}>
            <span className="small">
              {joint.number}: {joint.invoices.map(({ invoiceNumber, accountName }) => `${invoiceNumber} of ${accountName}`).join(', ')}.{' '}
              <span className="quiet">
                {joint.exact
                  ? 'Together they are the amount of the transfer.'
                  : 'Together they are another amount. Adjust it before you record it.'}
              </span>
            </span>
            <Button
              size="s"
              refusal={refusals.record}
              refusalIn="note"
              aria-label={`Record for ${joint.number}`}
              onClick={() =>
                setAct({ kind: 'record', parts: joint.invoices.map(each => `${each.invoiceNumber} ${each.balance}`).join('\n') })
              }
            >
              Record {joint.invoices.length}
            </Button>
          </div>
        )}
        {state === 'open' &&
          suggestions.map(({ invoiceNumber, accountName, orgName, balance, match }) => (
            <div key={invoiceNumber} className={styles.suggestion}>
              <span className="small">
                {invoiceNumber}, <bdi>{orgName}</bdi> (<Account name={accountName} />
                ), {money(currency, balance)} due. <span className="quiet">{bankMatches[match]}.</span>
              </span>
              <Button
                size="s"
                refusal={refusals.record}
                refusalIn="note"
                aria-label={`Record for ${invoiceNumber}`}
                onClick={() => setAct({ kind: 'record', parts: `${invoiceNumber} ${amount}` })}
              >
                Record
              </Button>
            </div>
          ))}
        {state === 'open' && (
          <div className={styles.others}>
            <Button size="s" refusal={refusals.record} refusalIn="note" onClick={() => setAct({ kind: 'record', parts: '' })}>
              {suggestions.length > 0 ? 'Another invoice' : 'Choose an invoice'}
            </Button>
            <Button size="s" refusal={refusals.aside} refusalIn="note" onClick={() => setAct({ kind: 'aside' })}>
              Set aside
            </Button>
          </div>
        )}
        {state === 'recorded' && (
          <Button size="s" refusal={refusals.undo} refusalIn="note" onClick={() => setAct({ kind: 'undo' })}>
            Undo the match
          </Button>
        )}
        {state === 'set-aside' && (
          <Button size="s" refusal={refusals.reopen} refusalIn="note" busy={reopen.isPending} onClick={() => reopen.mutate({ bankLineId })}>
            Match it after all
          </Button>
        )}
      </div>
      {act?.kind === 'record' && <RecordLine line={line} parts={act.parts} onClose={close} />}
      {act?.kind === 'aside' && <SetAside line={line} onClose={close} />}
      {act?.kind === 'undo' && <UndoMatch line={line} onClose={close} />}
    </li>
  );
}

/** The transfer as the bank lists it, and what was done with it. */
function TransferFacts({ line }: { line: BankLine }) {
  const { bookedOn, currency, amount, payer, remittance, state, payments, recordedFor, resolvedBy, note } = line;
  return (
    <div className={styles.transfer}>
      <span>
        <b>{money(currency, amount)}</b> <DateText value={bookedOn} shape="date" format={invoiceDay} /> <bdi>{payer}</bdi>
      </span>
      <span className="quiet small">
        <bdi>{remittance || 'No message from the payer'}</bdi>
      </span>
      {payments.map(payment => (
        <span key={payment.invoiceNumber} className="small">
          {money(currency, payment.amount)} for {payment.invoiceNumber} of <Account name={payment.accountName} />
          {payment.reversed && <>, reversed with {payment.reversed}</>}
        </span>
      ))}
      {resolvedBy && (
        <span className="quiet small">
          {state === 'recorded' ? 'Recorded' : 'Set aside'} by <bdi>{resolvedBy}</bdi>
          {note && (
            <>
              : <bdi>{note}</bdi>
            </>
          )}
        </span>
      )}
      {recordedFor && (
        <span className="small">A transfer that looks the same was recorded for {recordedFor}. Set it aside, unless it’s another one.</span>
      )}
    </div>
  );
}

const Account = ({ name }: { name: string }) => <Link href={`/desk/accounts/${encodeURIComponent(name)}#billing`}>{name}</Link>;
