import { read, useAccount, useAddress, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { type NirEntity, nirEntities } from '@portal/contract/nir/entities';
import { Button, DateText, EmptyState, formatCount, Link, Sheet, SkeletonLines } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { EditEntity, NewEntity } from './EntityForm.tsx';
import { EntityImport } from './EntityImport.tsx';
import { KeysetPager } from './KeysetPager.tsx';
import { NirPage } from './NirPage.tsx';
import { entitiesPath as home } from './nir-reads.ts';

const limit = 50;
const within = { label: 'Entities', href: home };

/** /resources/nirtools/entity_management: organisations behind sub-accounts; `?add=yes` and `?entity=ID` open a form. */
export default function EntitiesPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(nirEntities.addEntity);
  const entityId = address.get('entity');
  if (address.get('add') !== null)
    return (
      <NirPage title="New organisation" within={within} sub="A legal organisation that your members’ sub-accounts belong to.">
        <NewEntity />
      </NirPage>
    );
  if (address.get('import') !== null)
    return (
      <NirPage title="Import organisations" within={within} sub="Record many organisations together, from a CSV file.">
        <EntityImport />
      </NirPage>
    );
  if (entityId !== null)
    return (
      <NirPage title="Organisation" within={within}>
        <FirstRead
          key={entityId}
          reads={[
            read(nirEntities.getEntity, { account, entityId }),
            read(nirEntities.listEntities, { account, query: { q: '', limit: 20 } }),
          ]}
          fallback={<SkeletonLines lines={8} label="Loading the organisation" />}
        >
          <EditEntity entityId={entityId} />
        </FirstRead>
      </NirPage>
    );
  return (
    <NirPage
      title="Entities"
      sub="The legal organisations behind your sub-accounts."
      actions={
        <>
          <Button refusal={refusal} onClick={() => address.go(`${home}?import=yes`)}>
            Import CSV
          </Button>
          <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes`)}>
            New organisation
          </Button>
        </>
      }
    >
      <Sheet flush aria-label="Entities">
        <Entities />
      </Sheet>
    </NirPage>
  );
}

function useEntityTable() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const table = useTablePlace({ id: 'nir.entities', sorts: ['name'], filters: ['q'] });
  const after = address.get('after');
  return {
    account,
    table,
    setWords: (q: string | null) => address.set({ q, after: null }),
    input: { account, query: { q: table.filter('q'), limit, ...(after !== null && { after }) } },
  };
}

const columns: Column<NirEntity>[] = [
  {
    id: 'name',
    label: 'Organisation',
    cell: ({ entityId, name }) => <Link href={`${home}?entity=${entityId}`}>{name}</Link>,
    text: ({ name }) => name,
    fixed: true,
    wrap: true,
    card: 'key',
  },
  { id: 'localName', label: 'Local name', cell: ({ localName }) => localName && <bdi>{localName}</bdi>, wrap: true },
  { id: 'registrationNumber', label: 'Registration number', cell: ({ registrationNumber }) => registrationNumber },
  { id: 'economy', label: 'Economy', cell: ({ economy }) => economy },
  { id: 'handle', label: 'Whois object', cell: ({ handle }) => handle, look: 'mono' },
  { id: 'subaccounts', label: 'Sub-accounts', cell: ({ subaccounts }) => formatCount(subaccounts), align: 'end' },
  { id: 'updatedAt', label: 'Last changed', cell: ({ updatedAt }) => <DateText value={updatedAt} shape="date" />, look: 'quiet' },
];

function Entities() {
  const { input } = useEntityTable();
  return (
    <FirstRead reads={[read(nirEntities.listEntities, input)]} fallback={<TableSkeleton />}>
      <Found />
    </FirstRead>
  );
}

function Found() {
  const { account, table, setWords, input } = useEntityTable();
  const address = useAddress();
  const { answer, stale } = useSteadyAnswer(nirEntities.listEntities, input);
  const filtered = table.filter('q') !== '';
  return (
    <>
      <DataTable
        caption={`Organisations of ${account}`}
        columns={columns}
        rows={answer.rows}
        rowId={({ entityId }) => entityId}
        rowLabel={({ name }) => name}
        state={{ ...table.state, sort: null, page: 1 }}
        onStateChange={table.onStateChange}
        pageSize={limit}
        loading={stale}
        onOpen={({ entityId }) => address.go(`${home}?entity=${entityId}`)}
        countLabel={
          <span className="nw">
            {formatCount(answer.total)} {answer.total === 1 ? 'organisation' : 'organisations'}
          </span>
        }
        tools={
          <FilterSearch label="Find an organisation" placeholder="Name, number or handle" value={table.filter('q')} onChange={setWords} />
        }
        empty={
          <EmptyState
            title={filtered ? 'No matches' : 'No organisations yet'}
            action={
              filtered ? (
                <Button onClick={() => setWords(null)}>Clear the filter</Button>
              ) : (
                <Button onClick={() => address.go(`${home}?add=yes`)}>Add the first</Button>
              )
            }
          >
            {filtered
              ? 'No organisation matches by name, registration number or handle.'
              : 'Organisations behind your sub-accounts appear here.'}
          </EmptyState>
        }
      />
      <KeysetPager next={answer.next} />
    </>
  );
}
