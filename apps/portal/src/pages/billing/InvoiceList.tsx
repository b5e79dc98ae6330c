import { useAccount, useAddress } from '@portal/app-kit';
import { invoiceDay, invoiceMark, money } from '@portal/app-kit/words/billing-words';
import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { billing, type Invoice } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import styles from './BillingPage.module.css';
import { InvoiceDrawer } from './InvoiceDrawer.tsx';

/** Where an invoice is open: the list with its drawer. */
const invoiceAddress = (number: string): string => `${pages.billing.path}?${new URLSearchParams({ invoice: number })}`;

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

const columns: Column<Invoice>[] = [
  {
    id: 'number',
    label: 'Invoice',
    fixed: true,
    wrap: true,
    card: 'key',
    cell: row => (
      <span className={styles.invoice}>
        <Link href={invoiceAddress(row.number)}>{row.number}</Link>
        <span className="quiet small">
          <Day value={row.periodFrom} /> to <Day value={row.periodTo} />
        </span>
      </span>
    ),
    text: ({ number }) => number,
  },
  {
    id: 'state',
    label: 'Status',
    fixed: true,
    card: 'state',
    cell: row => {
      const mark = invoiceMark(row);
      return <StateMark state={mark.state}>{mark.words}</StateMark>;
    },
    text: row => invoiceMark(row).words,
  },
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

/** The invoices, newest first; `?invoice=NUMBER` opens one. */
export function InvoiceList({ account, rows, renews }: { account: string; rows: readonly Invoice[]; renews: boolean }) {
  const address = useAddress();
  const number = address.get('invoice');
  const opened = rows.find(row => row.number === number);
  const paper: Column<Invoice> = {
    id: 'paper',
    label: 'PDF',
    fixed: true,
    card: 'wide',
    cell: ({ number }) => <Opening account={account} number={number} />,
  };
  return (
    <>
      <DataTable
        caption={`Invoices of ${account}, newest first`}
        columns={[...columns, paper]}
        rows={rows}
        rowId={({ number }) => number}
        state={emptyTableState}
        onStateChange={() => {}}
        onOpen={row => address.go(invoiceAddress(row.number))}
        total={rows.length}
        pageSize={Math.max(1, rows.length)}
        empty={
          <EmptyState title="No invoices yet" picture={false}>
            {renews ? 'The first invoice is issued the day after the membership term ends.' : 'This account isn’t billed.'}
          </EmptyState>
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
          paper={<Opening account={account} number={opened.number} />}
          onClose={() => address.set({ invoice: null })}
        />
      )}
    </>
  );
}

function Opening({ account, number }: { account: string; number: string }) {
  const { asStaff } = useAccount();
  const shared = { check: 'NOT_CHECKED', name: number } as const;
  return asStaff ? (
    <OpenButton {...shared} opens={billing.openStaffInvoice} input={{ invoiceNumber: number }} />
  ) : (
    <OpenButton {...shared} opens={billing.openInvoice} input={{ account, invoiceNumber: number }} />
  );
}
