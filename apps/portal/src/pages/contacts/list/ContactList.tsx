import {
  read,
  type ReadsOf,
  type TablePlace,
  type TableRows,
  tableRows,
  useAccount,
  useAddress,
  useDownload,
  useSteadyRead,
  useTablePlace,
} from '@portal/app-kit';
import { contactTypes } from '@portal/contract';
import { type Contact, contacts, contactSorts } from '@portal/contract/contacts/contacts';
import { Badge, Button, DateText, EmptyState, Row } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { Menu } from '@portal/ui/overlay/Menu';
import styles from './ContactList.module.css';
import { ContactMarks, SecondFactorMark } from '../ContactMarks.tsx';
import { useResend, useEditModes } from '../contact-acts.ts';
import { whyNotRemovable } from '../contact-edit-mode.ts';
import { countWords, typeWords } from '../contact-words.ts';
import { PersonMark } from './PersonMark.tsx';

const pageSize = 50;
const filterNames = ['q', 'type', 'status', 'mark'] as const;
const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'pending-registry', label: 'Awaiting the registry' },
] as const;
const marks = [
  { value: 'dormant', label: 'Dormant' },
  { value: 'no-second-factor', label: 'No two-factor' },
  { value: 'confirmation-due', label: 'Confirmation due' },
  { value: 'registry-decides', label: 'The registry decides' },
  { value: 'helper', label: 'Helpers' },
] as const;
const oneOf = <Word extends string>(words: readonly Word[], given: string): Word | undefined => words.find(word => word === given);

const columns: Column<Contact>[] = [
  {
    id: 'fullName',
    label: 'Contact',
    fixed: true,
    sortable: true,
    cell: contact => (
      <span className={styles.who}>
        <PersonMark name={contact.fullName} />
        <span className={styles.names}>
          <span className={styles.name}>
            {contact.fullName} {contact.isMe && <Badge kind="line">you</Badge>}
          </span>
          <span className={styles.email}>{contact.email}</span>
        </span>
      </span>
    ),
    text: contact => contact.fullName,
  },
  {
    id: 'contactTypes',
    label: 'Type',
    sortable: true,
    card: 'wide',
    cell: contact => (
      <Row gap={4} wrap>
        {contact.contactTypes.map(type => (
          <Badge key={type} kind="line">
            {typeWords[type]}
          </Badge>
        ))}
      </Row>
    ),
    text: contact => contact.contactTypes.join(' '),
  },
  {
    id: 'status',
    label: 'Status',
    sortable: true,
    wrap: true,
    card: 'wide',
    cell: contact => <ContactMarks contact={contact} none={<span className="quiet">Active</span>} />,
  },
  {
    id: 'secondFactor',
    label: 'Two-factor',
    cell: contact => <SecondFactorMark contact={contact} />,
  },
  {
    id: 'lastSignInAt',
    label: 'Last sign-in',
    sortable: true,
    look: 'quiet',
    cell: contact => (contact.lastSignInAt ? <DateText value={contact.lastSignInAt} shape="date" /> : 'None known'),
    text: contact => contact.lastSignInAt ?? '',
  },
  { id: 'email', label: 'E-mail', sortable: true, card: 'none', cell: contact => contact.email },
  { id: 'phone', label: 'Telephone', card: 'none', cell: contact => contact.phone },
  { id: 'position', label: 'Position', wrap: true, card: 'none', cell: contact => contact.position },
  {
    id: 'addedAt',
    label: 'Added',
    sortable: true,
    look: 'quiet',
    card: 'none',
    cell: contact => <DateText value={contact.addedAt} shape="date" />,
    text: contact => contact.addedAt,
  },
  {
    id: 'confirmedAt',
    label: 'Confirmed',
    sortable: true,
    look: 'quiet',
    card: 'none',
    cell: contact => (contact.confirmedAt ? <DateText value={contact.confirmedAt} shape="date" /> : 'never'),
    text: contact => contact.confirmedAt ?? '',
  },
];

/** Columns that need the permission to view others' permissions. */
const personal = ['secondFactor', 'lastSignInAt'];

const place = { sorts: contactSorts, hidden: ['email', 'phone', 'addedAt', 'confirmedAt'], filters: filterNames };

/** Returns the filters in the address, and the read of the contacts that match. */
function listOf(account: string, table: TableRows<(typeof contactSorts)[number]>) {
  const type = oneOf(contactTypes, table.filter('type'));
  const status = oneOf(
    statuses.map(each => each.value),
    table.filter('status'),
  );
  const mark = oneOf(
    marks.map(each => each.value),
    table.filter('mark'),
  );
  const filters = {
    q: table.filter('q').slice(0, 100),
    sort: table.sort,
    direction: table.direction,
    ...(type && { type }),
    ...(status && { status }),
    ...(mark && { mark }),
  };
  const query = { ...filters, offset: (table.page - 1) * pageSize, limit: pageSize };
  return { type, status, mark, filters, list: read(contacts.listContacts, { account, query }) };
}

/** The read with which the list begins. */
export const contactListOf = ({ account, address }: ReadsOf) => listOf(account, tableRows(address, place)).list;

/** The contacts of the account that match what the address asks for, a page at a time. */
export function ContactList() {
  const { accountName, contactTypes: ownTypes, permissions } = useAccount();
  const seesAll = permissions.includes('users-privileges-view');
  const address = useAddress();
  const ways = useEditModes();
  const resend = useResend();
  const save = useDownload(contacts.exportContacts);
  const table = useTablePlace({ id: 'contacts', ...place });
  const { type, status, mark, filters, list } = listOf(accountName, table);
  const { answer, stale } = useSteadyRead(list);
  const isFiltered = Object.keys(table.state.filters).length > 0;
  const clear = () => table.setFilters(Object.fromEntries(filterNames.map(name => [name, null])));
  const open = (contact: Contact) => address.set({ contact: contact.contactId }, { step: true });
  const found = countWords(answer.total, 'contact', 'contacts');

  const act = (contact: Contact, id: string) => {
    if (id === 'resend') resend.mutate({ account: accountName, contactId: contact.contactId, body: { version: contact.version } });
    else if (id === 'open') open(contact);
    else address.set({ contact: contact.contactId, act: id }, { step: true });
  };

  return (
    <>
      <output className="vh">{stale ? '' : `${found} found`}</output>
      <DataTable
        caption={`Contacts of ${accountName}`}
        columns={columns.filter(
          ({ id }) => (seesAll || !personal.includes(id)) && (id !== 'position' || answer.rows.some(row => row.position)),
        )}
        rows={answer.rows}
        rowId={contact => contact.contactId}
        rowLabel={contact => contact.fullName}
        state={table.state}
        onStateChange={table.onStateChange}
        total={answer.total}
        pageSize={pageSize}
        loading={stale}
        onOpen={open}
        countLabel={<span className="nw">{found}</span>}
        exportMenu={<ExportButtons what="contacts" save={format => save({ account: accountName, query: { ...filters, format } })} />}
        tools={<ContactFilters table={table} chosen={{ type, status, mark }} />}
        rowActions={contact => (
          <Menu
            label={`Actions for ${contact.fullName}`}
            icon="more"
            variant="quiet"
            groups={menuOf(contact, ways.remove.by, ownTypes)}
            onAct={id => act(contact, id)}
          />
        )}
        empty={
          isFiltered ? (
            <EmptyState title="No matches" action={<Button onClick={clear}>Clear the filters</Button>}>
              No contact of {accountName} matches these filters.
            </EmptyState>
          ) : (
            <EmptyState title="There are no contacts yet">People you invite to act for {accountName} appear here.</EmptyState>
          )
        }
      />
    </>
  );
}

/** Returns what can be done with a contact. @param by how a removal is made: directly, by asking for it, or not at all */
function menuOf(contact: Contact, by: ReturnType<typeof useEditModes>['remove']['by'], ownTypes: Contact['contactTypes']) {
  const doing = by === 'doing';
  const stays = doing ? whyNotRemovable(contact, { contactTypes: ownTypes }) : null;
  const invited = contact.status === 'invited' && doing;
  const end = invited
    ? { id: 'withdraw', label: 'Withdraw the invitation', icon: 'trash' as const, danger: true, refusal: stays }
    : { id: 'remove', label: doing ? 'Remove' : 'Ask to remove', icon: 'trash' as const, danger: true, refusal: stays };
  return [
    {
      items: [
        { id: 'open', label: 'Open', icon: 'user' as const },
        ...(invited ? [{ id: 'resend', label: 'Resend invitation', icon: 'mail' as const, refusal: stays }] : []),
      ],
    },
    ...(!contact.isMe && (doing || by === 'asking') ? [{ items: [end] }] : []),
  ];
}

type FiltersProps = {
  table: Pick<TablePlace<string>, 'filter' | 'setFilters'>;
  chosen: Pick<ReturnType<typeof listOf>, 'type' | 'status' | 'mark'>;
};

function ContactFilters({ table, chosen: { type, status, mark } }: FiltersProps) {
  return (
    <>
      <FilterSearch
        label="Find contacts by name, e-mail or position"
        placeholder="Name, e-mail or position"
        value={table.filter('q')}
        onChange={q => table.setFilters({ q })}
        className={styles.search}
      />
      <FilterSelect
        label="Type"
        value={type ?? ''}
        options={[{ value: '', label: 'Any type' }, ...contactTypes.map(value => ({ value, label: typeWords[value] }))]}
        onChange={value => table.setFilters({ type: value })}
      />
      <FilterSelect
        label="Status"
        value={status ?? ''}
        options={[{ value: '', label: 'Any status' }, ...statuses]}
        onChange={value => table.setFilters({ status: value })}
      />
      <FilterSelect
        label="Flag"
        value={mark ?? ''}
        options={[{ value: '', label: 'Any flag' }, ...marks]}
        onChange={value => table.setFilters({ mark: value })}
      />
    </>
  );
}
