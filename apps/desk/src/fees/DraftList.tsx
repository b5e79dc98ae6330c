import type { FeeDesk, FeeDraft } from '@portal/contract/billing/fee-schedules';
import { DateText, Link, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { money } from '@portal/app-kit/words/billing-words';
import { useWaiting } from '../shell/AlsoWaiting.tsx';
import { draftHref, plainNumber, termWords } from './fee-words.ts';

/** Fees that are prepared and not announced yet. */
export function DraftList({ desk }: { desk: FeeDesk }) {
  const waiting = useWaiting();
  if (desk.drafts.length === 0) return null;
  const columns: Column<FeeDraft>[] = [
    {
      id: 'terms',
      label: 'Terms that begin',
      fixed: true,
      card: 'key',
      cell: ({ draftId, announcement }) => <Link href={draftHref(draftId)}>{termWords(announcement)}</Link>,
    },
    {
      id: 'members',
      label: `Members, ${desk.currency}`,
      align: 'end',
      cell: ({ announcement: { fees } }) => `${money('', fees.member.baseFee).trim()} × ${plainNumber(fees.member.bitFactor)}`,
    },
    {
      id: 'prepared',
      label: 'Prepared',
      cell: ({ preparedBy, preparedAt }) => (
        <>
          {preparedBy}, <DateText value={preparedAt} shape="date" />
        </>
      ),
    },
    {
      id: 'state',
      label: 'State',
      card: 'state',
      cell: ({ draftId }) => {
        const proposal = waiting.find(({ link }) => link === draftHref(draftId));
        if (!proposal) return <StateMark state="info">Not sent yet</StateMark>;
        return <StateMark state="pending">{proposal.isMine || proposal.needsRole !== null ? 'Second person' : 'Your move'}</StateMark>;
      },
    },
    {
      id: 'effect',
      label: 'Effect',
      align: 'end',
      cell: ({ draftId, announcement }) => (
        <Link href={draftHref(draftId)} aria-label={`Effect of the fees of ${termWords(announcement)}`}>
          Effect
        </Link>
      ),
    },
  ];
  return (
    <Sheet flush title="Prepared" meta="Nothing is announced before a second person has confirmed it.">
      <DataTable
        caption="Prepared fees"
        columns={columns}
        rows={desk.drafts}
        rowId={({ draftId }) => draftId}
        rowLook={() => 'pending'}
        state={emptyTableState}
      />
    </Sheet>
  );
}
