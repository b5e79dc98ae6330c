import { FailureBanner, Page, useAddress, useChange, useDownload, useSteadyAnswer } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { accountStatuses } from '@portal/contract/accounts/accounts';
import { campaigns } from '@portal/contract/data-quality/campaigns';
import { dataQuality, type FindingList, type FindingRow } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findings, findingSorts, type personalFindings } from '@portal/contract/data-quality/findings';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, DateText, EmptyState, Link, LinkButton, Select, Sheet, Stack } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import type { TableState } from '@portal/ui/table/table-state';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { CampaignList } from './CampaignList.tsx';
import styles from './DataQuality.module.css';
import { countInWords } from './quality-words.ts';

const pageSize = 20;
type PersonalFinding = (typeof personalFindings)[number];
const isPersonal = (finding: FindingKey): finding is PersonalFinding => findings[finding].personal;
/** Findings whose rows machines read. */
const monoSubjects: readonly FindingKey[] = [
  'abuse-mailboxes',
  'invalid-routes',
  'lame-servers',
  'whois-ledger',
  'invoices-without-address',
];

/** Findings whose beginning isn’t known. */
const undated: readonly FindingKey[] = ['password-alone', 'no-corporate-contact'];

/** One finding: the campaigns about it, and its rows. */
export function FindingView({ finding }: { finding: FindingKey }) {
  const may = useMay();
  const { title, words } = findings[finding];
  return (
    <Page
      title={title}
      sub={words}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskDataQuality.title, href: pages.deskDataQuality.path }, { label: title }]} />}
      actions={
        may(campaigns.sendCampaign) && (
          <LinkButton variant="primary" icon="mail" href={`${pages.deskDataQuality.path}?finding=${finding}&act=campaign`}>
            New campaign
          </LinkButton>
        )
      }
    >
      <Stack gap={16}>
        <CampaignList finding={finding} />
        {!isPersonal(finding) ? (
          <PlainRows finding={finding} />
        ) : may(dataQuality.listPersonalFinding) ? (
          <PersonalRows finding={finding} />
        ) : (
          <Sheet title="Contacts">
            <p className="quiet">
              Names and addresses are shown to staff with “Read private data”. A campaign reaches these contacts without showing them.
            </p>
          </Sheet>
        )}
      </Stack>
    </Page>
  );
}

/** Filters and order of a list, as the address says. */
function useRowFilters() {
  const address = useAddress();
  const economy = address.get('economy') ?? '';
  const state = address.oneOf('state', ['all', ...accountStatuses]);
  const sort = address.oneOf(
    'sort',
    findingSorts.includes('since') ? (['since', ...findingSorts.filter(each => each !== 'since')] as const) : findingSorts,
  );
  const q = address.get('q') ?? '';
  const { query: page, table } = useTablePage(pageSize);
  const tableState: TableState = {
    ...table.state,
    sort: { column: sort.replace('-', ''), descending: sort.startsWith('-') },
  };
  return {
    q,
    economy,
    state,
    query: { q, sort, ...(/^[A-Z]{2}$/.test(economy) && { economy }), ...(state !== 'all' && { state }) },
    page,
    table: {
      ...table,
      state: tableState,
      onStateChange: (next: TableState) => {
        const chosen = next.sort === null ? 'since' : `${next.sort.descending ? '-' : ''}${next.sort.column}`;
        address.set(
          { sort: chosen === 'since' ? null : chosen, page: next.page > 1 && chosen === sort ? String(next.page) : null },
          { step: true },
        );
      },
    },
    set: (change: Record<string, string | null>) => address.set({ ...change, page: null }),
  };
}
type RowFilters = ReturnType<typeof useRowFilters>;

function PlainRows({ finding }: { finding: Exclude<FindingKey, PersonalFinding> }) {
  const filters = useRowFilters();
  const save = useDownload(dataQuality.exportFinding);
  const { answer, stale } = useSteadyAnswer(dataQuality.listFinding, { finding, query: { ...filters.query, ...filters.page } });
  return (
    <Rows finding={finding} list={answer} stale={stale} filters={filters} onExport={() => void save({ finding, query: filters.query })} />
  );
}

/** Rows of people are read with a press: each look is logged. */
function PersonalRows({ finding }: { finding: PersonalFinding }) {
  const filters = useRowFilters();
  const [asked, setAsked] = useState('');
  const look = useChange(dataQuality.listPersonalFinding, { showsErrors: true });
  const save = useChange(dataQuality.exportPersonalFinding, { onDone: ({ fileName, csv }) => saveTextFile(fileName, csv) });
  const body = { finding, ...filters.query, ...filters.page };
  const wanted = JSON.stringify(body);
  const show = () => {
    setAsked(wanted);
    look.mutate({ body });
  };
  if (!look.data)
    return (
      <Sheet title="Contacts">
        <Stack gap={12}>
          <p className="quiet">Each look at these contacts and each export is logged as access to personal data.</p>
          <FailureBanner failure={look.error} />
          <div>
            <Button busy={look.isPending} onClick={show}>
              Show the contacts
            </Button>
          </div>
        </Stack>
      </Sheet>
    );
  return (
    <>
      <FailureBanner failure={look.error} />
      <Rows
        finding={finding}
        list={look.data}
        stale={look.isPending || asked !== wanted}
        filters={filters}
        onExport={() => save.mutate({ body: { finding, ...filters.query } })}
        more={
          asked !== wanted && (
            <Button size="s" variant="primary" busy={look.isPending} onClick={show}>
              Show these
            </Button>
          )
        }
      />
    </>
  );
}

function columnsOf(finding: FindingKey): Column<FindingRow>[] {
  return [
    {
      id: 'account',
      label: 'Account',
      card: 'key',
      fixed: true,
      wrap: true,
      sortable: true,
      cell: ({ accountName, orgName }) =>
        accountName === null ? (
          <span className="quiet">Not known</span>
        ) : (
          <>
            <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
            {finding !== 'no-corporate-contact' && <div className={styles.detail}>{orgName}</div>}
          </>
        ),
    },
    {
      id: 'subject',
      label: findings[finding].one[0]!.toUpperCase() + findings[finding].one.slice(1),
      fixed: true,
      wrap: true,
      sortable: true,
      card: 'wide',
      cell: ({ subject, detail }) => (
        <>
          <Subject finding={finding} subject={subject} />
          <div className={styles.detail}>{detail}</div>
        </>
      ),
      text: ({ subject }) => subject,
    },
    { id: 'economy', label: 'Economy', fixed: true, cell: ({ economy }) => economy ?? <span className="quiet">–</span> },
    {
      id: 'state',
      label: 'State',
      fixed: true,
      card: 'state',
      cell: ({ accountStatus }) => accountStatus ?? <span className="quiet">–</span>,
    },
    ...(undated.includes(finding) ? [] : [since]),
  ];
}

const since: Column<FindingRow> = {
  id: 'since',
  label: 'Since',
  fixed: true,
  sortable: true,
  cell: ({ since }) => (since === null ? <span className="quiet">Not known</span> : <DateText value={since} shape="date" />),
};

function Subject({ finding, subject }: { finding: FindingKey; subject: string }) {
  const words = monoSubjects.includes(finding) ? <span className="mono">{subject}</span> : <bdi>{subject}</bdi>;
  if (finding !== 'lame-servers') return words;
  return <Link href={`/technical/rdnscheck?zone=${encodeURIComponent(subject.split(' ')[0]!)}`}>{words}</Link>;
}

type RowsProps = {
  finding: FindingKey;
  list: FindingList;
  stale: boolean;
  filters: RowFilters;
  onExport: () => void;
  more?: React.ReactNode;
};
function Rows({ finding, list, stale, filters, onExport, more }: RowsProps) {
  const { q, economy, state, table, set } = filters;
  const { title, many } = findings[finding];
  const isFiltered = q !== '' || economy !== '' || state !== 'all';
  return (
    <Sheet
      flush
      title={many[0]!.toUpperCase() + many.slice(1)}
      meta={
        list.asOf === null ? (
          'Found now'
        ) : (
          <>
            As of <DateText value={list.asOf} />
          </>
        )
      }
    >
      <DataTable
        caption={title}
        columns={columnsOf(finding)}
        rows={list.rows}
        rowId={({ accountName, subject, detail }) => `${accountName} ${subject} ${detail}`}
        {...table}
        total={list.total}
        loading={stale}
        countLabel={countInWords(finding, list.total)}
        exportMenu={
          <Button size="s" icon="download" onClick={onExport}>
            CSV
          </Button>
        }
        tools={
          <>
            <FilterSearch label="Account, organisation or words" value={q} onChange={next => set({ q: next.trim() || null })} />
            <Select
              size="s"
              aria-label="Economy"
              value={economy}
              options={[{ value: '', label: 'All economies' }, ...list.economies.map(value => ({ value, label: value }))]}
              onChange={({ target }) => set({ economy: target.value || null })}
            />
            <Select
              size="s"
              aria-label="Account state"
              value={state}
              options={[
                { value: 'all', label: 'All states' },
                ...accountStatuses
                  .filter(each => each !== 'closed' && each !== 'prospect')
                  .map(value => ({ value: value as string, label: value })),
              ]}
              onChange={({ target }) => set({ state: target.value === 'all' ? null : target.value })}
            />
            {more}
          </>
        }
        empty={
          <EmptyState title={isFiltered ? `No ${many} match` : `No ${many}`} picture={false}>
            {isFiltered
              ? 'Change the filters to see others.'
              : findings[finding].kept && list.asOf === null
                ? 'They are looked for every hour.'
                : 'What is found appears here.'}
          </EmptyState>
        }
      />
    </Sheet>
  );
}
