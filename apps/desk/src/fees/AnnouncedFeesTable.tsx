import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type AnnouncedFees, type FeeDesk, feeSchedules } from '@portal/contract/billing/fee-schedules';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, DateText, formatCount } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { plainNumber, termWords } from './fee-words.ts';

const amount = (text: string | undefined): string => (text === undefined ? 'None' : money('', text).trim());

/** The factors of both kinds of account, once where they are the same. */
const factorOf = ({ fees }: AnnouncedFees): string =>
  [...new Set([fees.member, fees['non-member']].flatMap(rules => (rules ? [`× ${plainNumber(rules.bitFactor)}`] : [])))].join(', ');

const columnsOf = ({ currency, today }: FeeDesk): Column<AnnouncedFees>[] => [
  {
    id: 'terms',
    label: 'Terms that begin',
    fixed: true,
    card: 'key',
    text: termWords,
    cell: row =>
      row.validFrom <= today && today <= row.validUntil ? (
        <>
          <b className="strong">{termWords(row)}</b> <span className="quiet small">in force</span>
        </>
      ) : (
        termWords(row)
      ),
  },
  { id: 'members', label: `Members, ${currency}`, align: 'end', cell: ({ fees }) => amount(fees.member?.baseFee) },
  { id: 'nonMembers', label: `Non-members, ${currency}`, align: 'end', cell: ({ fees }) => amount(fees['non-member']?.baseFee) },
  { id: 'doubling', label: 'Each doubling', align: 'end', cell: factorOf },
  {
    id: 'associates',
    label: 'Without addresses',
    align: 'end',
    cell: ({ fees }) => amount((fees.member ?? fees['non-member'])?.associateFee),
  },
  { id: 'asns', label: 'AS number', align: 'end', cell: ({ fees }) => amount((fees.member ?? fees['non-member'])?.asnFee) },
  { id: 'announced', label: 'Announced', cell: ({ announcedOn }) => <DateText value={announcedOn} shape="day" format={invoiceDay} /> },
  { id: 'invoices', label: 'Invoices', align: 'end', cell: ({ invoices }) => formatCount(invoices) },
  { id: 'withdraw', label: 'Withdraw', card: 'state', cell: row => row.canWithdraw && <Withdraw fees={row} /> },
];

/** Fees as they were announced, the latest first; those that have not begun can be withdrawn by two people. */
export function AnnouncedFeesTable({ desk }: { desk: FeeDesk }) {
  return (
    <DataTable
      caption="Announced fees"
      columns={columnsOf(desk)}
      rows={desk.announced}
      rowId={({ validFrom, announcedOn }) => `${validFrom} ${announcedOn}`}
      state={emptyTableState}
    />
  );
}

function Withdraw({ fees }: { fees: AnnouncedFees }) {
  const { notify } = useKit();
  const refusal = useRefusal(feeSchedules.withdrawFees);
  const withdraw = useChange(feeSchedules.withdrawFees, {
    refresh: [feeSchedules.getFees, proposals.listStaffProposals],
    onDone: () => notify({ text: `The fees of ${termWords(fees)} are withdrawn.` }),
  });
  return (
    <Button
      size="s"
      variant="quiet"
      refusal={refusal}
      refusalIn="note"
      busy={withdraw.isPending}
      aria-label={`Withdraw the fees of ${termWords(fees)}`}
      onClick={() => withdraw.mutate({ validFrom: fees.validFrom })}
    >
      Withdraw
    </Button>
  );
}
