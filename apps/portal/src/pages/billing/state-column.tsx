import { invoiceMark } from '@portal/app-kit/words/billing-words';
import { StateMark } from '@portal/ui';
import type { Column } from '@portal/ui/table/DataTable';

type Marked = Parameters<typeof invoiceMark>[0];

/** The column of invoices that says whether each is paid. */
export const stateColumn: Column<Marked> = {
  id: 'state',
  label: 'Status',
  fixed: true,
  card: 'state',
  cell: row => {
    const mark = invoiceMark(row);
    return <StateMark state={mark.state}>{mark.words}</StateMark>;
  },
  text: row => invoiceMark(row).words,
};
