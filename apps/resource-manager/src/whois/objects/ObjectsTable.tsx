import {
  type CallInput,
  type PageReads,
  read,
  spare,
  type TableRows,
  tableRows,
  useAccount,
  useAddress,
  useDownload,
  useSteadyAnswer,
  useTablePlace,
} from '@portal/app-kit';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { whoisConsents } from '@portal/contract/whois/consents';
import { whoisExport } from '@portal/contract/whois/export';
import { whois, whoisClasses, type WhoisListing, whoisSorts } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Button, DateText, EmptyState, formatCount, Icon, LinkButton, Sheet, Tabs } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { useTickedRows } from '../../shell/ticked-rows.tsx';
import { Consents } from '../consents/Consents.tsx';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';
import styles from './ObjectsTable.module.css';

const pageSize = 50;

const columns: Column<WhoisListing>[] = [
  {
    id: 'shown',
    label: 'Object',
    cell: ({ shown, kept }) => (
      <span className={styles.key}>
        <span className="mono strong">{spacedKey(shown)}</span>
        {kept && <Icon name="lock" label="Managed by the registry" />}
      </span>
    ),
    text: ({ shown }) => shown,
    sortable: true,
    fixed: true,
    wrap: true,
  },
  {
    id: 'class',
    label: 'Type',
    cell: row => <span className="mono nw">{row.class}</span>,
    text: row => row.class,
    sortable: true,
    card: 'state',
  },
  { id: 'name', label: 'Name or description', cell: row => row.name, wrap: true, card: 'wide' },
  {
    id: 'maintainers',
    label: 'Maintainers',
    cell: row => <span className="mono">{row.maintainers.join(', ')}</span>,
    text: row => row.maintainers.join(' '),
    wrap: true,
  },
  { id: 'version', label: 'Version', cell: row => formatCount(row.version), align: 'end', look: 'quiet', card: 'none' },
  {
    id: 'changedAt',
    label: 'Last changed',
    cell: row => <DateText value={row.changedAt} shape="date" />,
    text: row => row.changedAt,
    sortable: true,
    look: 'quiet',
  },
];

const place = { sorts: whoisSorts, hidden: ['version'], filters: ['class', 'q', 'maintainer', 'since', 'unreferenced'] };

/** Returns the filters in the address, and the read of the objects that match. */
function callOf(account: string, table: TableRows<(typeof whoisSorts)[number]>) {
  const objectClass = whoisClasses.find(each => each === table.filter('class'));
  const since = /^\d{4}-\d\d-\d\d$/.test(table.filter('since')) ? table.filter('since') : '';
  const filters = {
    q: table.filter('q').slice(0, 100),
    ...(objectClass ? { class: objectClass } : {}),
    ...(table.filter('maintainer') ? { maintainer: table.filter('maintainer') } : {}),
    ...(since ? { changedSince: since } : {}),
    ...(table.filter('unreferenced') === 'yes' ? { unreferenced: 'yes' as const } : {}),
    sort: table.sort,
    direction: table.direction,
  };
  const input = { account, query: { ...filters, offset: (table.page - 1) * pageSize, limit: pageSize } };
  return { objectClass, since, filters, input };
}

/** Reads the table's state from the address: page, filters, and the call that answers them. */
function useObjectTable() {
  const account = useAccount().accountName;
  const table = useTablePlace({ id: 'whois.objects', ...place });
  return { account, table, ...callOf(account, table) };
}

const readsWith = (account: string, input: CallInput<typeof whois.listObjects>) =>
  [read(whois.listObjects, input), read(whois.listMaintainers, { account }), spare(whoisConsents.listConsents, { account })] as const;

/** The reads with which the table begins. */
export const objectReads: PageReads = ({ account, address }) => readsWith(account, callOf(account, tableRows(address, place)).input);

/** The account's objects by class, including those kept for it; below the open consents, which load with them. */
export function ObjectsTable() {
  const { account, input } = useObjectTable();
  const sheet = (table: ReactNode) => (
    <Sheet flush aria-label="Whois objects">
      {table}
    </Sheet>
  );
  return (
    <FirstRead reads={readsWith(account, input)} fallback={sheet(<TableSkeleton />)}>
      <Consents />
      {sheet(<FoundObjects />)}
    </FirstRead>
  );
}

type ObjectPlace = ReturnType<typeof useObjectTable>['table'];

function FoundObjects() {
  const { account, table, objectClass, since, filters, input } = useObjectTable();
  const address = useAddress();
  const ticked = useTickedRows();
  const { answer, stale } = useSteadyAnswer(whois.listObjects, input);
  const { answer: maintainers } = useSteadyAnswer(whois.listMaintainers, { account });
  const save = useDownload(whoisExport.exportObjects);
  const narrowed = ['q', 'maintainer', 'since', 'unreferenced'].some(name => table.filter(name) !== '');
  const clear = () => table.setFilters({ q: null, maintainer: null, since: null, unreferenced: null });
  const search = (name: string | null) => {
    const query = new URLSearchParams();
    if (name !== null) query.set('class', name);
    for (const each of ['q', 'maintainer', 'since', 'unreferenced']) if (table.filter(each)) query.set(each, table.filter(each));
    return query.size > 0 ? `${hrefOfList()}?${query}` : hrefOfList();
  };
  const linked = maintainers.rows.map(({ maintainer }) => maintainer);

  return (
    <>
      <ClassTabs classes={answer.classes} objectClass={objectClass} search={search} />
      <DataTable
        caption={`Whois objects of ${account}`}
        columns={columns}
        rows={answer.rows}
        rowId={row => `${row.class} ${row.key}`}
        rowLabel={row => `${row.class} ${row.shown}`}
        state={table.state}
        onStateChange={table.onStateChange}
        total={answer.total}
        pageSize={pageSize}
        loading={stale}
        onOpen={row => address.go(hrefOfObject(row.class, row.shown))}
        countLabel={
          <span className="nw">
            {formatCount(answer.total)} {answer.total === 1 ? 'object' : 'objects'}
          </span>
        }
        exportMenu={<ExportButtons what="whois objects" save={format => save({ account, query: { ...filters, format } })} />}
        tools={<ObjectFilters table={table} since={since} linked={linked} />}
        selection={ticked}
        empty={<NoObjects objectClass={objectClass} narrowed={narrowed} onClear={clear} />}
      />
    </>
  );
}

function NoObjects({ objectClass, narrowed, onClear }: { objectClass: string | null | undefined; narrowed: boolean; onClear: () => void }) {
  const { accountName: account } = useAccount();
  return narrowed || objectClass ? (
    <EmptyState
      title="No matches"
      action={
        narrowed ? <Button onClick={onClear}>Clear the filters</Button> : <LinkButton href={hrefOfList()}>See all classes</LinkButton>
      }
    >
      No {objectClass ?? 'object'} of {account} matches these filters.
    </EmptyState>
  ) : (
    <EmptyState title="No whois objects yet" action={<LinkButton href="/resources/maintainer">Set up a maintainer</LinkButton>}>
      Objects you maintain, and those the registry keeps for your delegations, appear here.
    </EmptyState>
  );
}

function ObjectFilters({ table, since, linked }: { table: ObjectPlace; since: string; linked: readonly string[] }) {
  const chosen = table.filter('maintainer');
  return (
    <>
      <FilterSearch
        label="Find objects"
        placeholder="Key or part of the text"
        value={table.filter('q')}
        onChange={q => table.setFilters({ q })}
        className={styles.search}
      />
      {(linked.length > 1 || chosen) && (
        <FilterSelect
          label="Maintainer"
          value={chosen}
          onChange={maintainer => table.setFilters({ maintainer })}
          options={[
            { value: '', label: 'Any maintainer' },
            ...[...new Set([...linked, ...(chosen ? [chosen] : [])])].map(each => ({ value: each, label: each })),
          ]}
        />
      )}
      <ChangedSince value={since} onChange={value => table.setFilters({ since: value })} />
      <FilterSelect
        label="References"
        value={table.filter('unreferenced')}
        onChange={unreferenced => table.setFilters({ unreferenced })}
        options={[
          { value: '', label: 'Any references' },
          { value: 'yes', label: 'Not referenced' },
        ]}
      />
    </>
  );
}

function ClassTabs({
  classes,
  objectClass,
  search,
}: {
  classes: readonly { class: string; objects: number }[];
  objectClass: string | null | undefined;
  search: (name: string | null) => string;
}) {
  const all = classes.reduce((sum, { objects }) => sum + objects, 0);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The row of classes is wider than a narrow window: scrolls the chosen one into view.
    const nav = bar.current?.firstElementChild;
    const current = nav?.querySelector<HTMLElement>('[aria-current]');
    if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
  }, [objectClass]);
  const tabs =
    objectClass && !classes.some(each => each.class === objectClass) ? [...classes, { class: objectClass, objects: 0 }] : classes;
  return (
    <div className={styles.tabs} ref={bar}>
      <Tabs
        label="Classes"
        items={[
          { href: search(null), label: 'All', count: formatCount(all), current: !objectClass },
          ...tabs.map(each => ({
            href: search(each.class),
            label: each.class,
            count: formatCount(each.objects),
            current: each.class === objectClass,
          })),
        ]}
      />
    </div>
  );
}

const spans = [1, 7, 30, 365] as const;

function ChangedSince({ value, onChange }: { value: string; onChange: (since: string) => void }) {
  // A time span is converted once: the address has the day.
  const [today] = useState(() => Date.now());
  const days = spans.map(count => ({
    value: utcDay(today - count * DAY_MS),
    label: count === 1 ? 'Changed since yesterday' : `Changed in the last ${count} days`,
  }));
  return (
    <FilterSelect
      label="Changed since"
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: 'Changed any time' },
        ...days,
        ...(value && !days.some(day => day.value === value) ? [{ value, label: `Changed since ${value}` }] : []),
      ]}
    />
  );
}
