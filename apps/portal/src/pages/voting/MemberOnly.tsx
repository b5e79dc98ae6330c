import { Page, useSession } from '@portal/app-kit';
import { type TablePage, useTablePage } from '@portal/app-kit/place/table-page';
import { EmptyState, LinkButton, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';

/** A page about the selected account: people without one are shown how to get one. */
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

/** Paging of rows that are all loaded, with the page number in the address. */
export function useShownPage<Row>(rows: readonly Row[]): TablePage['table'] & { rows: readonly Row[]; total: number } {
  const { query, table } = useTablePage(20);
  return { rows: rows.slice(query.offset, query.offset + query.limit), total: rows.length, ...table };
}
