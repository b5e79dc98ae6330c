import { useAccount, useAddress, useDownload, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { contactTypes } from '@portal/contract';
import { type Contact, contacts, contactSorts } from '@portal/contract/contacts/contacts';
import { Badge, Button, DateText, EmptyState, Row, SearchInput, Select } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { Menu } from '@portal/ui/overlay/Menu';
import { useRef, useState } from 'react';
import styles from './ContactList.module.css';
import { ContactMarks, SecondFactorMark } from '../ContactMarks.tsx';
import { useResend, useWays } from '../contact-acts.ts';
import { whyStays } from '../contact-ways.ts';
import { countWords, typeWords } from '../contact-words.ts';
import { PersonMark } from './PersonMark.tsx';

const pageSize = 50;
const filterNames = ['q', 'type', 'status', 'mark'] as const;
const statuses = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'INVITED', label: 'Invited' },
  { value: 'PENDING_REGISTRY', label: 'Waits for the registry' },
] as const;
const marks = [
  { value: 'dormant', label: 'Dormant' },
  { value: 'no-second-factor', label: 'No second factor' },
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
    label: 'State',
    sortable: true,
    wrap: true,
    card: 'wide',
    cell: contact => <ContactMarks contact={contact} none={<span className="quiet">active</span>} />,
  },
  {
    id: 'secondFactor',
    label: 'Second factor',
    cell: contact => <SecondFactorMark contact={contact} />,
  },
  {
    id: 'lastSignInAt',
    label: 'Last sign-in',
    sortable: true,
    look: 'quiet',
    cell: contact => (contact.lastSignInAt ? <DateText value={contact.lastSignInAt} shape="date" /> : ''),
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

/** What only those see who may view the permissions of others. */
const personal: ReadonlySet<string> = new Set(['secondFactor', 'lastSignInAt']);

/** The contacts of the account that match what the address asks for, a page at a time. */
export function ContactList() {
  const { accountName, contactTypes: ownTypes, permissions } = useAccount();
  const seesAll = permissions.includes('users-privileges-view');
  const address = useAddress();
  const ways = useWays();
  const resend = useResend();
  const save = useDownload(contacts.exportContacts);
  const table = useTablePlace({
    id: 'contacts',
    sorts: contactSorts,
    hidden: ['email', 'phone', 'addedAt', 'confirmedAt'],
    filters: filterNames,
  });
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
  const { answer, stale } = useSteadyAnswer(contacts.listContacts, {
    account: accountName,
    query: { ...filters, offset: (table.state.page - 1) * pageSize, limit: pageSize },
  });
  const isFiltered = Object.keys(table.state.filters).length > 0;
  const clear = () => table.setFilters(Object.fromEntries(filterNames.map(name => [name, null])));
  const open = (contact: Contact) => address.set({ contact: contact.contactId }, { step: true });
  const found = countWords(answer.total, 'contact', 'contacts');

  const menuOf = (contact: Contact) => {
    const doing = ways.remove.by === 'doing';
    const stays = doing ? whyStays(contact, { contactTypes: ownTypes }) : null;
    const invited = contact.status === 'INVITED' && doing;
    const end = invited
      ? { id: 'withdraw', label: 'Withdraw the invitation', icon: 'trash' as const, danger: true, refusal: stays }
      : { id: 'remove', label: doing ? 'Remove' : 'Ask to remove', icon: 'trash' as const, danger: true, refusal: stays };
    return [
      {
        items: [
          { id: 'open', label: 'Open', icon: 'user' as const },
          ...(invited ? [{ id: 'resend', label: 'Send the invitation again', icon: 'mail' as const, refusal: stays }] : []),
        ],
      },
      ...(!contact.isMe && (doing || ways.remove.by === 'asking') ? [{ items: [end] }] : []),
    ];
  };
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
        columns={seesAll ? columns : columns.filter(({ id }) => !personal.has(id))}
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
        exportMenu={<Exports save={format => save({ account: accountName, query: { ...filters, format } })} />}
        tools={
          <>
            <ContactSearch value={table.filter('q')} onChange={q => table.setFilters({ q })} />
            <Filter
              label="Type"
              any="Any type"
              value={type}
              options={contactTypes.map(value => ({ value, label: typeWords[value] }))}
              onChange={value => table.setFilters({ type: value })}
            />
            <Filter
              label="State"
              any="Any state"
              value={status}
              options={statuses}
              onChange={value => table.setFilters({ status: value })}
            />
            <Filter label="Mark" any="Any mark" value={mark} options={marks} onChange={value => table.setFilters({ mark: value })} />
          </>
        }
        rowActions={contact => (
          <Menu
            label={`Actions for ${contact.fullName}`}
            icon="more"
            variant="quiet"
            groups={menuOf(contact)}
            onAct={id => act(contact, id)}
          />
        )}
        empty={
          isFiltered ? (
            <EmptyState title="Nobody matches" action={<Button onClick={clear}>Clear the filters</Button>}>
              No contact of {accountName} matches what is asked for.
            </EmptyState>
          ) : (
            <EmptyState title="There are no contacts yet">Whoever acts for {accountName} stands here once invited.</EmptyState>
          )
        }
      />
    </>
  );
}

function Filter({
  label,
  any,
  value,
  options,
  onChange,
}: {
  label: string;
  any: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      size="s"
      className={styles.filter}
      value={value ?? ''}
      onChange={event => onChange(event.target.value)}
      options={[{ value: '', label: any }, ...options]}
    />
  );
}

/** Long enough for the next key to follow, short enough to feel immediate. */
const pauseMs = 200;

function ContactSearch({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  // What is being typed counts until the filter changes from elsewhere (a link, the way back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = (text: string) => {
    clearTimeout(timer.current);
    setTyped({ text, above: value });
    const q = text.trim();
    if (q === value) return;
    const commit = () => {
      setTyped({ text, above: q });
      onChange(q);
    };
    if (text === '') commit();
    else timer.current = setTimeout(commit, pauseMs);
  };
  return (
    <SearchInput
      label="Find contacts by name, e-mail or position"
      placeholder="Name, e-mail or position"
      value={typed.above === value ? typed.text : value}
      onChange={ask}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      className={styles.search}
    />
  );
}

const formats = ['csv', 'json'] as const;

/** Saves what is filtered, all pages of it, as a file. */
function Exports({ save }: { save: (format: (typeof formats)[number]) => Promise<void> }) {
  const [busy, setBusy] = useState<string | null>(null);
  const press = async (format: (typeof formats)[number]) => {
    setBusy(format);
    await save(format);
    setBusy(null);
  };
  return (
    <Row gap={4}>
      {formats.map(format => (
        <Button
          key={format}
          size="s"
          variant="quiet"
          icon="download"
          busy={busy === format}
          aria-label={`Export contacts as ${format.toUpperCase()}`}
          onClick={() => void press(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </Row>
  );
}
