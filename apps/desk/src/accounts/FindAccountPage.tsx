import { FailureBanner, Page, reading, useAddress, useKit } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { pages } from '@portal/contract/pages';
import { type HolderHit, staff } from '@portal/contract/staff/staff';
import { Badge, Banner, Button, ButtonRow, EmptyState, Link, LinkButton, ResourceName, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FindForm } from '../shell/FindForm.tsx';
import { AccountList } from './AccountList.tsx';

const pageSize = 20;

const columns: Column<HolderHit>[] = [
  {
    id: 'accountName',
    label: 'Account',
    card: 'key',
    fixed: true,
    cell: hit =>
      hit.pool ? (
        <Badge kind="line">{hit.pool}</Badge>
      ) : (
        <Link href={`/desk/accounts/${encodeURIComponent(hit.accountName)}`}>{hit.accountName}</Link>
      ),
    text: hit => hit.accountName,
  },
  {
    id: 'resource',
    label: 'Why',
    fixed: true,
    card: 'wide',
    cell: hit => (hit.resource && hit.kind ? <ResourceName kind={hit.kind} text={hit.resource} /> : <span className="quiet">by name</span>),
    text: hit => hit.resource ?? '',
  },
  { id: 'orgName', label: 'Organisation', fixed: true, wrap: true, card: 'wide', cell: hit => hit.orgName },
  { id: 'economy', label: 'Economy', fixed: true, cell: hit => hit.economy ?? '' },
  { id: 'accountType', label: 'Type', fixed: true, cell: hit => hit.accountType },
  { id: 'accountStatus', label: 'State', fixed: true, card: 'state', cell: hit => hit.accountStatus },
];

/** A text that can be a prefix, an address, a range or an AS number; digits alone can be a name too. */
const mayBeNumber = (words: string): boolean => /^(as\s*)?\d[\d.]*(\s*[-/].*)?$|:/i.test(words);

/** All accounts of the registry with their filters, and the holder of a number. */
export default function FindAccountPage() {
  const address = useAddress();
  const words = (address.get('q') ?? '').trim();
  const [typed, setTyped] = useState({ text: words, above: words });
  const isNumber = mayBeNumber(words);
  return (
    <Page
      title={pages.deskAccounts.title}
      sub="Search by account name, organisation, economy, prefix, address, range or AS number. A prefix inside a delegation finds its holder."
    >
      <Stack gap={16}>
        <FindForm
          label="Name, economy, prefix, address or AS number"
          typed={typed.above === words ? typed.text : words}
          onType={text => setTyped({ text, above: words })}
          onFind={q => {
            setTyped({ text: q, above: q });
            address.set({ q: q || null, page: null }, { step: true });
          }}
          busy={false}
          maxLength={100}
          mono
        />
        {words.includes('@') ? (
          <Banner
            actions={
              <LinkButton size="s" href={`${pages.deskPeople.path}?q=${encodeURIComponent(words)}`}>
                Find the person
              </LinkButton>
            }
          >
            That’s an e-mail address. Search for people on their own page, where each search is logged.
          </Banner>
        ) : isNumber ? (
          <Holders words={words} />
        ) : (
          <AccountList words={words} />
        )}
      </Stack>
    </Page>
  );
}

/** Holders of a number and pools around it; accounts of that name where it can be a name. */
function Holders({ words }: { words: string }) {
  const { call } = useKit();
  const address = useAddress();
  const { page, query } = useTablePage(pageSize);
  const { data, error } = useQuery({
    ...reading(call, staff.findHolders, { query: { q: words, ...query } }),
    placeholderData: keepPreviousData,
  });
  if (error) return <FailureBanner failure={error} />;
  return (
    <Sheet flush title={`Found for ${words}`}>
      {!data ? (
        <SkeletonRows />
      ) : (
        <>
          <DataTable
            caption={`Accounts found for ${words}`}
            columns={columns}
            rows={data.hits}
            rowId={hit => `${hit.accountName} ${hit.resource} ${hit.pool}`}
            state={emptyTableState}
            pageSize={pageSize}
            onOpen={hit => {
              if (!hit.pool) address.go(`/desk/accounts/${encodeURIComponent(hit.accountName)}`);
            }}
            empty={
              <EmptyState title={page > 1 ? 'No more results' : `No account matches ${words}`} picture={false}>
                Try a covering prefix, an AS number such as AS64500, or part of an organisation’s name.
              </EmptyState>
            }
          />
          {(page > 1 || data.more) && (
            <ButtonRow>
              {page > 1 && (
                <Button onClick={() => address.set({ page: page > 2 ? String(page - 1) : null }, { step: true })}>Previous</Button>
              )}
              <span className="quiet small">Page {page}</span>
              {data.more && <Button onClick={() => address.set({ page: String(page + 1) }, { step: true })}>Next</Button>}
            </ButtonRow>
          )}
        </>
      )}
    </Sheet>
  );
}
