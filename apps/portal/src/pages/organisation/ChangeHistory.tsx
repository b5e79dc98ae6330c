import { useAccount, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { type OrganisationChange, organisationChanges, registryFields } from '@portal/contract/organisations/changes';
import { DateText, EmptyState, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { changeStates, valueWords } from '@portal/app-kit/words/organisation-words';

const columns: Column<OrganisationChange>[] = [
  {
    id: 'field',
    label: 'What',
    fixed: true,
    card: 'key',
    cell: ({ field }) => registryFields[field].label,
    text: ({ field }) => registryFields[field].label,
  },
  {
    id: 'wantedValue',
    label: 'Requested',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: ({ field, wantedValue, presentValue }) => (
      <span>
        {valueWords(field, wantedValue)} <span className="quiet">instead of {valueWords(field, presentValue)}</span>
      </span>
    ),
    text: ({ wantedValue }) => wantedValue,
  },
  {
    id: 'state',
    label: 'Result',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={changeStates[state].state}>{changeStates[state].words}</StateMark>,
    text: ({ state }) => changeStates[state].words,
  },
  { id: 'resolvedBy', label: 'By', fixed: true, card: 'wide', cell: ({ resolvedBy }) => resolvedBy ?? 'the registry' },
  {
    id: 'resolvedAt',
    label: 'On',
    fixed: true,
    cell: ({ resolvedAt }) => (resolvedAt ? <DateText value={resolvedAt} shape="date" /> : ''),
    text: ({ resolvedAt }) => resolvedAt ?? '',
  },
  { id: 'note', label: 'Note', fixed: true, wrap: true, card: 'wide', cell: ({ note }) => note ?? '' },
];

/** The registry's decisions about the organisation, and withdrawn requests. */
export function ChangeHistory() {
  const { accountName } = useAccount();
  const { query, table } = useTablePage(10);
  const { answer, stale } = useSteadyAnswer(organisationChanges.listOrganisationChanges, { account: accountName, query });
  return (
    <Sheet title="Decided requests" flush>
      <DataTable
        caption="Requests that were decided or withdrawn, newest first"
        columns={columns}
        rows={answer.rows}
        rowId={change => change.changeId}
        {...table}
        total={answer.total}
        loading={stale}
        empty={
          <EmptyState title="No decided requests" picture={false}>
            Requests to change name, registration number or type appear here once decided.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
