import { Page, reading, useKit, useQueryValue } from '@portal/app-kit';
import { staff } from '@portal/contract/staff';
import { Badge, Banner, Button, EmptyState, Field, Link, ResourceName, Row, Sheet, SkeletonRows, TextInput } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/DataTable';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

type Hit = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof reading<typeof staff.findHolders>>['queryFn']>>>>['hits'][number];

/** For registry staff: who holds a prefix, address, range or AS number, or which account has a name. */
export default function HoldersPage() {
  const { call } = useKit();
  const [asked, setAsked] = useQueryValue('q');
  const [typed, setTyped] = useState(asked ?? '');
  const [state, setState] = useState(emptyTableState);
  const words = (asked ?? '').trim();
  const { data, error, isFetching } = useQuery({
    ...reading(call, staff.findHolders, { query: { q: words } }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  });

  const columns: Column<Hit>[] = [
    {
      id: 'resource',
      label: 'Resource',
      card: 'key',
      fixed: true,
      cell: hit =>
        hit.resource && hit.kind ? <ResourceName kind={hit.kind} text={hit.resource} /> : <span className="quiet">by name</span>,
      text: hit => hit.resource ?? '',
    },
    {
      id: 'accountName',
      label: 'Account',
      cell: hit =>
        hit.pool ? (
          <Badge kind="line">{hit.pool}</Badge>
        ) : (
          <Link
            href={`/${encodeURIComponent(hit.accountName)}/index.html?to=${hit.kind ? `/resources/${hit.kind}` : '/resources/summary'}`}
          >
            {hit.accountName}
          </Link>
        ),
      text: hit => hit.accountName,
    },
    { id: 'orgName', label: 'Organisation', wrap: true, cell: hit => hit.orgName },
    { id: 'economy', label: 'Economy', cell: hit => hit.economy ?? '' },
    { id: 'accountType', label: 'Type', cell: hit => hit.accountType },
    { id: 'accountStatus', label: 'Status', card: 'state', cell: hit => hit.accountStatus },
  ];
  return (
    <Page
      title="Find a holder"
      sub="By prefix, address, range, AS number, account name or organisation. Opening one shows the account as its contacts see it, to read."
    >
      <Sheet>
        <form
          onSubmit={event => {
            event.preventDefault();
            setAsked(typed.trim(), { step: true });
          }}
        >
          <Field label="Prefix, address, AS number or name">
            <Row>
              <TextInput
                value={typed}
                onChange={event => setTyped(event.target.value)}
                maxLength={100}
                spellCheck={false}
                autoComplete="off"
                className="mono"
              />
              <Button type="submit" variant="primary" busy={isFetching}>
                Find
              </Button>
            </Row>
          </Field>
        </form>
      </Sheet>
      <div style={{ marginTop: 16 }}>
        {error ? (
          <Banner kind="error" traceId={error.errors[0]?.traceId}>
            {error.message}
          </Banner>
        ) : words === '' ? null : (
          <Sheet flush title={data ? `${data.hits.length}${data.more ? ' and more' : ''} found for ${words}` : `Looking for ${words}`}>
            {!data ? (
              <SkeletonRows />
            ) : (
              <DataTable
                caption={`Holders found for ${words}`}
                columns={columns}
                rows={data.hits}
                rowId={hit => `${hit.accountName} ${hit.resource} ${hit.pool}`}
                state={state}
                onStateChange={setState}
                pageSize={data.hits.length || 1}
                empty={
                  <EmptyState title={`Nobody holds ${words}`}>
                    Try a covering prefix, an AS number such as AS64500, or part of an organisation's name.
                  </EmptyState>
                }
              />
            )}
          </Sheet>
        )}
      </div>
    </Page>
  );
}
