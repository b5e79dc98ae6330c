import { optionalPart } from '@portal/app-kit/page/later';
import { useAccount, useAddress, useDownload } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import type { Account } from '@portal/contract/accounts/accounts';
import { billing, type Invoice, invoiceKinds, invoiceStates, isOfTerm } from '@portal/contract/billing/billing';
import { daysAfterThat } from '@portal/contract/billing/billing-calendar';
import { invoiceDocuments, maxNamedInvoices } from '@portal/contract/billing/invoice-documents';
import { pages } from '@portal/contract/pages';
import { Button, DateText, EmptyState, Link } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useState } from 'react';
import styles from './BillingPage.module.css';
import { stateColumn } from './state-column.tsx';

/** Where an invoice is open: the list with its drawer. The page of a closed account names the account. */
const invoiceAddress = ({ accountName, accountStatus }: Account, number: string): string =>
  accountStatus === 'closed'
    ? `${pages.closedAccount.path}?${new URLSearchParams({ account: accountName, invoice: number })}`
    : `${pages.billing.path}?${new URLSearchParams({ invoice: number })}`;

function InvoiceLink({ number }: { number: string }) {
  const account = useAccount();
  return <Link href={invoiceAddress(account, number)}>{number}</Link>;
}

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

const InvoiceDrawer = optionalPart(() => import('./InvoiceDrawer.tsx'), 'InvoiceDrawer');

const columns: Column<Invoice>[] = [
  {
    id: 'number',
    label: 'Invoice',
    fixed: true,
    wrap: true,
    card: 'key',
    cell: row => (
      <span className={styles.invoice}>
        <InvoiceLink number={row.number} />
        <span className="quiet small">
          {!isOfTerm(row) ? (
            invoiceKinds[row.kind]
          ) : (
            <>
              <Day value={row.periodFrom} /> to <Day value={row.periodTo} />
            </>
          )}
        </span>
      </span>
    ),
    text: ({ number }) => number,
  },
  stateColumn,
  { id: 'issued', label: 'Issued', fixed: true, cell: row => <Day value={row.issuedOn} />, text: ({ issuedOn }) => issuedOn },
  { id: 'due', label: 'Due', fixed: true, cell: row => <Day value={row.dueOn} />, text: ({ dueOn }) => dueOn },
  {
    id: 'total',
    label: 'Total',
    fixed: true,
    align: 'end',
    cell: ({ currency, total }) => money(currency, total),
    text: ({ total }) => total,
  },
  {
    id: 'balance',
    label: 'To pay',
    fixed: true,
    align: 'end',
    cell: ({ currency, balance }) => money(currency, balance),
    text: ({ balance }) => balance,
  },
];

/** Shorter lists have no filter. */
const FILTERED_FROM = 4;

/** The invoices that match the filters of the address, and the filters. */
function useFilters(rows: readonly Invoice[]) {
  const address = useAddress();
  const [words, state, year] = [address.get('find') ?? '', address.get('state') ?? '', address.get('year') ?? ''];
  const years = [...new Set(rows.map(({ issuedOn }) => issuedOn.slice(0, 4)))];
  const wanted = words.toLowerCase();
  const shown = rows.filter(
    row =>
      (state === '' || row.state === state) &&
      (year === '' || row.issuedOn.startsWith(year)) &&
      [row.number, row.total, ...row.lines.map(({ description }) => description)].some(text => text.toLowerCase().includes(wanted)),
  );
  const states = Object.entries(invoiceStates).filter(([name]) => rows.some(row => row.state === name));
  return {
    shown,
    clear: () => address.set({ find: null, state: null, year: null }),
    tools:
      rows.length < FILTERED_FROM ? undefined : (
        <>
          <FilterSearch label="Number, item or amount" value={words} onChange={find => address.set({ find: find || null })} />
          <FilterSelect
            label="Status"
            value={state}
            onChange={value => address.set({ state: value || null })}
            options={[{ value: '', label: 'Any status' }, ...states.map(([value, label]) => ({ value, label }))]}
          />
          <FilterSelect
            label="Year"
            value={year}
            onChange={value => address.set({ year: value || null })}
            options={[{ value: '', label: 'Any year' }, ...years.map(value => ({ value, label: value }))]}
          />
        </>
      ),
  };
}

/** The ticked invoices, which are downloaded as one file; undefined if there is nothing to tick. */
function useTicked(account: string, rows: readonly Invoice[], shown: readonly Invoice[]) {
  const { asStaff } = useAccount();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [saving, setSaving] = useState(false);
  const save = useDownload(invoiceDocuments.downloadInvoices);
  if (asStaff || rows.length < 2) return undefined;
  const numbers = shown.filter(({ number }) => ticked.has(number)).map(({ number }) => number);
  const tooMany = numbers.length > maxNamedInvoices && numbers.length < rows.length;
  const start = async () => {
    setSaving(true);
    await save({ account, query: numbers.length === rows.length ? {} : { numbers: numbers.join(',') } });
    setSaving(false);
  };
  return {
    selected: ticked,
    onChange: setTicked,
    actions: (
      <Button
        size="s"
        icon="download"
        busy={saving}
        refusal={tooMany ? { reason: `Select at most ${maxNamedInvoices} invoices, or all of them.` } : null}
        refusalIn="note"
        onClick={() => void start()}
      >
        Download PDFs (ZIP)
      </Button>
    ),
  };
}

/** The invoices, newest first; `?invoice=NUMBER` opens one. */
export function InvoiceList({
  account,
  rows,
  renews,
  invoiceDays,
  eInvoices,
}: {
  account: string;
  rows: readonly Invoice[];
  renews: boolean;
  invoiceDays: number;
  /** Numbers of those that are also there as UBL. */
  eInvoices: readonly string[];
}) {
  const address = useAddress();
  const number = address.get('invoice');
  const opened = rows.find(row => row.number === number);
  const { shown, tools, clear } = useFilters(rows);
  const selection = useTicked(account, rows, shown);
  const pdf: Column<Invoice> = {
    id: 'pdf',
    label: 'PDF',
    fixed: true,
    card: 'wide',
    cell: ({ number }) => <Opening account={account} number={number} />,
  };
  return (
    <>
      <DataTable
        caption={`Invoices of ${account}, newest first`}
        columns={[...columns, pdf]}
        rows={shown}
        tools={tools}
        rowId={({ number }) => number}
        {...(selection && { selection })}
        state={emptyTableState}
        onStateChange={() => {}}
        onOpen={row => address.set({ invoice: row.number }, { step: 'in-place' })}
        total={shown.length}
        pageSize={Math.max(1, shown.length)}
        empty={
          rows.length > 0 ? (
            <EmptyState title="No matches" picture={false} action={<Button onClick={clear}>Clear the filters</Button>}>
              No invoice of {account} matches these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No invoices yet" picture={false}>
              {renews
                ? `The first invoice is issued ${daysAfterThat(invoiceDays)} the membership term ends.`
                : 'This account isn’t billed.'}
            </EmptyState>
          )
        }
      />
      {number !== null && !opened && (
        <p className={styles.missing}>
          There is no invoice {number} in {account}.
        </p>
      )}
      {opened && (
        <InvoiceDrawer
          invoice={opened}
          pdf={<Opening account={account} number={opened.number} />}
          hasEInvoice={eInvoices.includes(opened.number)}
          onClose={() => address.set({ invoice: null })}
          onLost={() => address.set({ invoice: null })}
        />
      )}
    </>
  );
}

function Opening({ account, number }: { account: string; number: string }) {
  const { asStaff } = useAccount();
  const shared = { check: 'not-checked', name: number } as const;
  return asStaff ? (
    <OpenButton {...shared} opens={billing.openStaffInvoice} input={{ invoiceNumber: number }} />
  ) : (
    <OpenButton {...shared} opens={billing.openInvoice} input={{ account, invoiceNumber: number }} />
  );
}
