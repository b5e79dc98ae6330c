import { reading, useKit } from '@portal/app-kit';
import { type AcceptedText, ownTexts } from '@portal/contract/legal/own-texts';
import { DateText, Link, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const PAGE_SIZE = 10;

/** The legal texts that the person accepted, for themselves and for accounts. */
export function AcceptedTexts() {
  const { call } = useKit();
  const [state, setState] = useState(emptyTableState);
  const { data, isFetching } = useQuery({
    ...reading(call, ownTexts.listAcceptedTexts, { query: { offset: (state.page - 1) * PAGE_SIZE, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  return (
    <Sheet title="Legal texts you accepted" flush={data.total > 0}>
      {data.total === 0 ? (
        <p className="small">
          You haven’t accepted any legal texts yet. When one needs your acceptance, a banner appears on every page.{' '}
          <Link href="/legal">All legal texts</Link>
        </p>
      ) : (
        <DataTable
          caption="Legal texts you accepted"
          columns={columns}
          rows={data.rows}
          rowId={row => `${row.text} ${row.version} ${row.account ?? ''}`}
          state={state}
          {...(data.total > PAGE_SIZE && { onStateChange: setState })}
          total={data.total}
          pageSize={PAGE_SIZE}
          loading={isFetching}
        />
      )}
    </Sheet>
  );
}

const columns: Column<AcceptedText>[] = [
  {
    id: 'title',
    label: 'Text',
    cell: ({ text, version, title }) => (
      <Link href={`/legal/${text}/${version}`}>
        {title}, version {version}
      </Link>
    ),
    text: ({ title }) => title,
    fixed: true,
  },
  {
    id: 'account',
    label: 'Accepted for',
    cell: ({ account }) => (account === null ? 'Yourself' : <span className="mono">{account}</span>),
  },
  { id: 'acceptedAt', label: 'When', cell: ({ acceptedAt }) => <DateText value={acceptedAt} /> },
  {
    id: 'isInForce',
    label: 'State',
    cell: ({ isInForce }) => <StateMark state={isInForce ? 'valid' : 'not-found'}>{isInForce ? 'In force' : 'Replaced'}</StateMark>,
    card: 'state',
  },
];
