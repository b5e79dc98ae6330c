import { Page, type PageReads, read, useAccount, useAddress, useRead } from '@portal/app-kit';
import { resources } from '@portal/contract/resources/resources';
import { parseAsRange } from '@portal/number-resources';
import { Sheet, Stack } from '@portal/ui';
import { AsMap } from '@portal/ui/map/AsMap';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { amountWords, numberWord, plural } from '../../shell/amounts.ts';
import { asNumberColumns, asWidth } from './as-number-columns.tsx';
import { delegationsOf, DelegationsTable } from './DelegationsTable.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';

/** Up to this many delegations are drawn in the picture; more are only in the table. */
const drawn = 40;
const summaryOf = (account: string) => read(resources.getSummary, { account });
const drawnNumbers = (account: string) => read(resources.listDelegations, { account, query: { kind: 'asn', limit: drawn } });
export const reads: PageReads = page => [summaryOf(page.account), drawnNumbers(page.account), delegationsOf('asn', page)];

/** /resources/asn: the AS numbers of the account. */
export default function AsnPage() {
  const query = useAddress();
  const account = useAccount().accountName;
  const summary = summaryOf(account);
  const numbers = drawnNumbers(account);
  return (
    <Page
      title="AS numbers"
      breadcrumb={<ResourcesBreadcrumb page="AS numbers" />}
      sub={
        <FirstRead reads={[summary]} fallback={'\u00a0'}>
          <Holds />
        </FirstRead>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <FirstRead reads={[summary, numbers]} fallback={<Sheet title="By number" style={{ minHeight: 134 }} />}>
          <Picture selected={query.get('selected')} onSelect={resource => query.set({ selected: resource })} />
        </FirstRead>
        <Sheet flush aria-label="AS number delegations">
          <DelegationsTable
            kind="asn"
            columns={asNumberColumns}
            selected={query.get('selected')}
            onSelect={row => query.set({ selected: row.resource })}
          />
        </Sheet>
      </Stack>
    </Page>
  );
}

function useTotals() {
  const { totals } = useRead(summaryOf(useAccount().accountName));
  return totals.find(each => each.kind === 'asn');
}

function Holds() {
  const own = useTotals();
  if (!own || own.delegations === 0) return <>No AS numbers.</>;
  return (
    <>
      {amountWords('asn', BigInt(own.size))} in {numberWord(own.delegations)} {plural(own.delegations, 'delegation', 'delegations')}.
    </>
  );
}

/** Drawn if there are few enough to see each one. */
function Picture({ selected, onSelect }: { selected: string | null; onSelect: (resource: string) => void }) {
  const own = useTotals();
  const { rows } = useRead(drawnNumbers(useAccount().accountName));
  if (!own || own.delegations === 0 || own.delegations > drawn) return null;
  return (
    <Sheet title="By number">
      <AsMap
        numbers={rows.map(row => ({
          id: row.resource,
          label: row.resource,
          name: asWidth(parseAsRange(row.resource)),
          state: row.status === 'active' ? 'delegated' : 'held',
        }))}
        selected={selected}
        onSelect={onSelect}
      />
    </Sheet>
  );
}
