import { Page, read, useAccount, useAddress, useAnswer } from '@portal/app-kit';
import { type RouteChangeRow, routes } from '@portal/contract/routes/routes';
import { Badge, DateText, EmptyState, formatCount, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { RouteConsents } from './RouteConsents.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { detailsPath, routesPath } from './route-words.ts';

const kinds = { save: 'Change', import: 'Import', adopt: 'Adoption', undo: 'Undo' } as const;

const columns: Column<RouteChangeRow>[] = [
  { id: 'summary', label: 'Change', cell: row => row.summary, fixed: true, wrap: true, card: 'key' },
  { id: 'kind', label: 'Kind', cell: row => <Badge kind="line">{kinds[row.kind]}</Badge> },
  { id: 'madeBy', label: 'By', cell: row => row.madeBy },
  { id: 'madeAt', label: 'When', cell: row => <DateText value={row.madeAt} /> },
  {
    id: 'state',
    label: 'State',
    cell: row =>
      row.undoneBy !== null ? (
        <Badge icon="refresh">Undone</Badge>
      ) : row.waiting > 0 ? (
        <Badge kind="pending" icon="waiting">
          {formatCount(row.waiting)} {row.waiting === 1 ? 'object' : 'objects'} needed consent
        </Badge>
      ) : (
        <Badge kind="valid" icon="valid">
          Saved
        </Badge>
      ),
    card: 'state',
  },
  {
    id: 'undo',
    label: 'Undo',
    cell: row =>
      row.undoUntil === null ? (
        <span className="quiet">–</span>
      ) : (
        <span className="small">
          until <DateText value={row.undoUntil} />
        </span>
      ),
  },
];

/** Requests for consent to routes, of this account and to it, and the log of all changes of routes. */
export default function RequestsPage() {
  const account = useAccount().accountName;
  return (
    <Page
      title="Route requests"
      breadcrumb={<ResourcesBreadcrumb page="Routes" />}
      sub="Consents that route objects wait for, and every change of your routes with its result."
      actions={
        <LinkButton icon="route" href={routesPath}>
          Routes
        </LinkButton>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <RouteConsents />
        <FirstRead
          reads={[read(routes.listChanges, { account, query: { limit: 100 } })]}
          fallback={
            <Sheet flush title="Changes">
              <SkeletonRows rows={5} label="Loading changes" />
            </Sheet>
          }
        >
          <Changes />
        </FirstRead>
      </Stack>
    </Page>
  );
}

const shown = 100;

function Changes() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const before = Number(address.get('before') ?? '0');
  const { rows, more } = useAnswer(routes.listChanges, { account, query: { limit: shown, ...(before > 0 && { before }) } });
  return (
    <Sheet flush title="Changes" meta="The latest first">
      <DataTable
        caption={`Changes of the routes of ${account}`}
        columns={columns}
        rows={rows}
        rowId={row => row.changeId}
        rowLabel={row => row.summary}
        state={emptyTableState}
        onOpen={row => address.go(`${detailsPath}?id=${row.changeId}`)}
        exportMenu={
          more && (
            <LinkButton size="s" href={`?before=${rows.at(-1)!.changeId}`}>
              Earlier
            </LinkButton>
          )
        }
        empty={
          <EmptyState title="No changes yet" action={<LinkButton href={`${routesPath}?add=yes`}>Add a route</LinkButton>}>
            Every change of your routes appears here with what it wrote.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
