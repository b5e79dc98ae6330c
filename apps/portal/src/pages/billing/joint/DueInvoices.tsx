import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { billing } from '@portal/contract/billing/billing';
import { type DueInvoice, type JointBilling, jointBilling } from '@portal/contract/billing/joint-billing';
import { Button, DateText, EmptyState, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { stateColumn } from '../state-column.tsx';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

const columns: Column<DueInvoice>[] = [
  { id: 'number', label: 'Invoice', fixed: true, card: 'key', cell: row => row.number, text: row => row.number },
  { id: 'account', label: 'Account', fixed: true, cell: row => row.accountName, text: row => row.accountName },
  stateColumn,
  { id: 'due', label: 'Due', fixed: true, cell: row => <Day value={row.dueOn} />, text: row => row.dueOn },
  { id: 'total', label: 'Total', fixed: true, align: 'end', cell: row => money(row.currency, row.total) },
  { id: 'balance', label: 'To pay', fixed: true, align: 'end', cell: row => <b>{money(row.currency, row.balance)}</b> },
  {
    id: 'pdf',
    label: 'PDF',
    fixed: true,
    card: 'wide',
    cell: row => (
      <OpenButton
        check="not-checked"
        name={row.number}
        opens={billing.openInvoice}
        input={{ account: row.accountName, invoiceNumber: row.number }}
      />
    ),
  },
];

/** Returns the sum of amounts with two places, each below a billion, as such an amount. */
const sumOf = (amounts: readonly string[]): string =>
  (amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);

/** Unpaid invoices of all accounts; those that are ticked get one payment reference. */
export function DueInvoices({ answer: { due, accounts } }: { answer: JointBilling }) {
  const { notify } = useKit();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const refusal = useRefusal(jointBilling.combineInvoices);
  const combine = useChange(jointBilling.combineInvoices, {
    refresh: [jointBilling.getJointBilling],
    onDone: ({ number }) => {
      notify({ text: `The reference for these invoices is ${number}.` });
      setSelected(new Set());
    },
  });
  const payable = new Set(accounts.filter(({ mayPay }) => mayPay).map(({ accountName }) => accountName));
  const chosen = due.filter(({ number }) => selected.has(number));
  const [first] = chosen;
  const tooFew = chosen.length < 2 ? { reason: 'Select at least 2 invoices.' } : null;
  return (
    <Sheet title="Unpaid invoices" meta={due.length > 0 && <span>{due.length}</span>} flush>
      <DataTable
        caption="Unpaid invoices of your accounts, the earliest due first"
        columns={columns}
        rows={due}
        rowId={({ number }) => number}
        rowLabel={({ number, accountName }) => `${number} of ${accountName}`}
        state={emptyTableState}
        onStateChange={() => {}}
        total={due.length}
        pageSize={Math.max(1, due.length)}
        {...(payable.size > 0 && {
          selection: {
            selected,
            onChange: setSelected,
            canSelect: ({ accountName }: DueInvoice) => payable.has(accountName),
            actions: (
              <Button
                variant="commit"
                size="s"
                refusal={refusal ?? tooFew}
                refusalIn="note"
                busy={combine.isPending}
                onClick={() => combine.mutate({ body: { invoiceNumbers: chosen.map(({ number }) => number) } })}
              >
                Pay together
                {first && chosen.length > 1 && `: ${money(first.currency, sumOf(chosen.map(({ balance }) => balance)))}`}
              </Button>
            ),
          },
        })}
        empty={
          <EmptyState title="No unpaid invoices" picture={false}>
            Invoices of your accounts appear here until they are paid.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
