import { Page, useAddress, useSession } from '@portal/app-kit';
import { EmptyState, LinkButton, Sheet } from '@portal/ui';
import { emptyTableState, type TableState } from '@portal/ui/table/DataTable';
import type { ReactNode } from 'react';

/** A page about the selected account: people without one are shown the way to one instead. */
export function MemberOnly({ title, children }: { title: string; children: ReactNode }) {
  const { account } = useSession();
  if (account) return <div key={account.accountName}>{children}</div>;
  return (
    <Page title={title}>
      <Sheet flush>
        <EmptyState
          title="You aren’t linked to an account yet"
          action={<LinkButton href="/link-existing-membership">Link a membership</LinkButton>}
        >
          Votes and proxies belong to accounts of members.
        </EmptyState>
      </Sheet>
    </Page>
  );
}

const pageSize = 20;

/** A page of rows that are all there, with the number of the page in the address. */
export function useShownPage<Row>(rows: readonly Row[]): {
  rows: readonly Row[];
  total: number;
  pageSize: number;
  state: TableState;
  onStateChange: (state: TableState) => void;
} {
  const address = useAddress();
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  return {
    rows: rows.slice((page - 1) * pageSize, page * pageSize),
    total: rows.length,
    pageSize,
    state: { ...emptyTableState, page },
    onStateChange: next => address.set({ page: next.page > 1 ? String(next.page) : null }, { step: true }),
  };
}
