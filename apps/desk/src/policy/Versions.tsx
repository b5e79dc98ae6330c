import type { PolicyChange, PolicyDesk } from '@portal/contract/policy/policy';
import { policyRow, type PolicyValueName, policyValueWords } from '@portal/contract/policy/policy-values';
import { DateText, EmptyState, Link, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import type { WaitingChanges } from './waiting-changes.ts';
import { changedWords, changeHref, markOf } from './policy-words.ts';

type Props = {
  desk: PolicyDesk;
  /** Only changes of these values. */
  names?: readonly PolicyValueName[];
  /** Changes that wait for a second person. */
  waiting: WaitingChanges;
  current?: string;
};

const columnsOf = ({ desk, names, waiting, current }: Props): Column<PolicyChange>[] => [
  { id: 'from', label: 'From', fixed: true, card: 'key', cell: ({ validFrom }) => <DateText value={validFrom} shape="date" /> },
  {
    id: 'values',
    label: 'Changed',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: change =>
      names && names.length === 1 ? (
        change.values
          .filter(({ name }) => names.includes(name))
          .map(({ name, before, after }) => (
            <span key={name}>
              <span className="quiet">{policyValueWords(name, before, desk.currency)} to </span>
              <b className="strong">{policyValueWords(name, after, desk.currency)}</b>
            </span>
          ))
      ) : change.values.length === 1 ? (
        <>
          {policyRow(change.values[0]!.name).title},{' '}
          <b className="strong">{policyValueWords(change.values[0]!.name, change.values[0]!.after, desk.currency)}</b>
        </>
      ) : (
        changedWords(change)
      ),
  },
  {
    id: 'proposed',
    label: 'Proposed',
    fixed: true,
    cell: ({ proposedBy, preparedBy, preparedAt }) => (
      <>
        {proposedBy ?? preparedBy}, <DateText value={preparedAt} shape="date" />
      </>
    ),
  },
  {
    id: 'confirmed',
    label: 'Confirmed',
    fixed: true,
    cell: ({ confirmedBy, confirmedAt }) =>
      confirmedAt ? (
        <>
          {confirmedBy}, <DateText value={confirmedAt} shape="date" />
        </>
      ) : (
        <span className="quiet">not yet</span>
      ),
  },
  {
    id: 'decision',
    label: 'Decision',
    fixed: true,
    wrap: true,
    cell: ({ decision }) => decision || <span className="quiet">none named</span>,
  },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: change => {
      const { state, words } = markOf(change, desk, waiting.get(change.changeId) ?? null);
      return <StateMark state={state}>{words}</StateMark>;
    },
  },
  {
    id: 'view',
    label: 'Compare',
    fixed: true,
    align: 'end',
    cell: ({ changeId, validFrom }) =>
      changeId === current ? (
        <span className="quiet">this one</span>
      ) : (
        <Link href={changeHref(changeId)} aria-label={`Compare the change from ${validFrom}`}>
          Compare
        </Link>
      ),
  },
];

/** Changes of the policy, the latest day first: kept permanently. */
export function Versions(props: Props) {
  const { desk, names, current } = props;
  const rows = names ? desk.changes.filter(({ values }) => values.some(({ name }) => names.includes(name))) : desk.changes;
  return (
    <Sheet flush title="Versions" meta="Kept for ever. A value is in effect from its day until the next one.">
      {rows.length === 0 ? (
        <EmptyState title="No changes yet" picture={false}>
          Values are those of the registry’s profile file. Changes appear here with who proposed and who confirmed them.
        </EmptyState>
      ) : (
        <DataTable
          caption="Changes of the policy"
          columns={columnsOf(props)}
          rows={rows}
          rowId={({ changeId }) => changeId}
          rowLook={({ state }) => (state === 'prepared' || state === 'confirmed' ? 'pending' : undefined)}
          state={emptyTableState}
          current={current ?? null}
        />
      )}
    </Sheet>
  );
}
