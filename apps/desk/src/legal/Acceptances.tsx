import { FailureBanner, useAddress, useChange } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { type Acceptance, legal } from '@portal/contract/legal/legal';
import { Button, DateText, EmptyState, formatCount, Link, Segmented, Sheet, Stack } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { useState } from 'react';
import styles from './Legal.module.css';

const pageSize = 25;

const columns: Column<Acceptance>[] = [
  {
    id: 'name',
    label: 'Person or account',
    fixed: true,
    wrap: true,
    card: 'key',
    text: ({ name }) => name,
    cell: ({ kind, name, detail }) => (
      <div>
        {kind === 'account' ? (
          <Link className={styles.target} href={`/desk/accounts/${encodeURIComponent(name)}`}>
            {name}
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        <div className="quiet small">
          <bdi>{detail}</bdi>
        </div>
      </div>
    ),
  },
  {
    id: 'version',
    label: 'Accepted',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: ({ version, by }) =>
      version === null ? (
        <span className="quiet">No version</span>
      ) : (
        <span>
          Version {version}
          {by !== '' && (
            <span className="quiet small">
              {' '}
              by <bdi>{by}</bdi>
            </span>
          )}
        </span>
      ),
  },
  {
    id: 'at',
    label: 'When',
    fixed: true,
    cell: ({ at }) => (at === null ? <span className="quiet">–</span> : <DateText value={at} shape="date" />),
  },
];

/** Who accepted the version in force, or hasn’t: read with a press, for each look is logged. */
export function Acceptances({ text }: { text: string }) {
  const address = useAddress();
  const state = address.oneOf('state', ['missing', 'accepted']);
  const q = address.get('q') ?? '';
  const { query: page, table } = useTablePage(pageSize);
  const [asked, setAsked] = useState('');
  const look = useChange(legal.listAcceptances, { showsErrors: true });
  const save = useChange(legal.exportAcceptances, { onDone: ({ fileName, csv }) => saveTextFile(fileName, csv) });
  const body = { state, q, ...page };
  const wanted = JSON.stringify(body);
  const show = () => {
    setAsked(wanted);
    look.mutate({ text, body });
  };
  if (!look.data)
    return (
      <Sheet title="Who accepted it">
        <Stack gap={12}>
          <p className="quiet">Each look at these names and each export is logged as access to personal data.</p>
          <FailureBanner failure={look.error} />
          <div>
            <Button busy={look.isPending} onClick={show}>
              Show who accepted it
            </Button>
          </div>
        </Stack>
      </Sheet>
    );
  return (
    <Sheet flush title="Who accepted it">
      <FailureBanner failure={look.error} />
      <DataTable
        caption="Who accepted it"
        columns={columns}
        rows={look.data.rows}
        rowId={({ kind, name, detail }) => `${kind} ${name} ${detail}`}
        {...table}
        total={look.data.total}
        loading={look.isPending || asked !== wanted}
        countLabel={`${formatCount(look.data.total)} ${state === 'missing' ? 'not yet' : 'accepted'}`}
        exportMenu={
          <Button size="s" icon="download" busy={save.isPending} onClick={() => save.mutate({ text, body: { state, q } })}>
            CSV
          </Button>
        }
        tools={
          <>
            <Segmented
              label="Show"
              value={state}
              options={[
                { value: 'missing', label: 'Not yet' },
                { value: 'accepted', label: 'Accepted' },
              ]}
              onChange={next => address.set({ state: next === 'missing' ? null : next, page: null })}
            />
            <FilterSearch
              label="Name, address or account"
              value={q}
              onChange={next => address.set({ q: next.trim() || null, page: null })}
            />
            {asked !== wanted && (
              <Button size="s" variant="primary" busy={look.isPending} onClick={show}>
                Show these
              </Button>
            )}
          </>
        }
        empty={
          <EmptyState title={state === 'missing' && q === '' ? 'Everyone accepted it' : 'No one matches'} picture={false}>
            {state === 'missing' && q === ''
              ? 'New people and accounts appear here until they accept it.'
              : 'Change the search to see others.'}
          </EmptyState>
        }
      />
    </Sheet>
  );
}
