import { Page, useAccount, useAnswer, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { organisations } from '@portal/contract/organisations/organisations';
import { type WhoisContact, whoisContacts } from '@portal/contract/whois/contacts';
import {
  Button,
  DateText,
  EmptyState,
  Field,
  FormColumn,
  formatCount,
  Link,
  LinkButton,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { type BulkChange, BulkReview } from './BulkReview.tsx';
import { hrefOfList, hrefOfObject } from '../objects/object-address.ts';

type Form = { address: string; country: string; phone: string; email: string; abuseMailbox: string };
const empty: Form = { address: '', country: '', phone: '', email: '', abuseMailbox: '' };
/** A change has at most ten actions: remove the old address, add the lines of the new one, and four other attributes. */
const maxLines = 5;

const columns: Column<WhoisContact>[] = [
  {
    id: 'shown',
    label: 'Handle',
    cell: row => (
      <Link href={hrefOfObject(row.class, row.shown)}>
        <span className="mono strong">{row.shown}</span>
      </Link>
    ),
    text: ({ shown }) => shown,
    fixed: true,
  },
  { id: 'name', label: 'Name', cell: ({ name }) => name, wrap: true },
  { id: 'class', label: 'Type', cell: row => <span className="mono">{row.class}</span>, card: 'state' },
  {
    id: 'uses',
    label: 'Named as',
    cell: ({ uses }) =>
      uses.length === 0 ? (
        <span className="quiet">not referenced</span>
      ) : (
        uses.map(({ attribute, objects }) => `${attribute} in ${formatCount(objects)}`).join(', ')
      ),
    wrap: true,
    card: 'wide',
  },
  { id: 'emails', label: 'E-mail', cell: ({ emails }) => emails.join(', '), wrap: true },
  { id: 'phones', label: 'Phone', cell: ({ phones }) => phones.join(', '), wrap: true },
  {
    id: 'address',
    label: 'Address',
    cell: ({ address, country }) => [...address, country].filter(Boolean).join(', '),
    wrap: true,
    card: 'wide',
  },
  { id: 'changedAt', label: 'Last changed', cell: ({ changedAt }) => <DateText value={changedAt} shape="date" />, look: 'quiet' },
];

const linesOf = (address: string): string[] =>
  address
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

/** Filled fields replace the current values; empty ones leave them unchanged. */
function actionsOf({ address, country, phone, email, abuseMailbox }: Form): BulkChange['actions'] {
  const lines = linesOf(address);
  const set = (attribute: string, newValue: string): BulkChange['actions'] =>
    newValue.trim() === '' ? [] : [{ action: 'set', attribute, newValue: newValue.trim() }];
  return [
    ...(lines.length === 0 ? [] : [{ action: 'remove' as const, attribute: 'address' }]),
    ...lines.map(newValue => ({ action: 'add' as const, attribute: 'address', newValue })),
    ...set('country', country.toUpperCase()),
    ...set('phone', phone),
    ...set('e-mail', email),
    ...set('abuse-mailbox', abuseMailbox),
  ];
}

/** /resources/whois_contact_details_update/index: updates contact details in all person and role objects. */
export default function ContactDetailsPage() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whoisContacts.listContacts, { account });
  const draft = useDraft<Form>(`whois-contacts:${account}`, empty);
  const form = draft.value;
  const set = (change: Partial<Form>) => draft.set({ ...form, ...change });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [table, setTable] = useState(emptyTableState);
  const { call, showErrors } = useKit();
  const whyNoDetails = useRefusal(organisations.getOrganisation);
  const fillIn = async () => {
    const answer = await call(organisations.getOrganisation, { account });
    if (answer.errors) return showErrors(answer.errors);
    const { postalAddress, city, region, postcode, economy, phone, abuseEmail } = answer.data;
    const town = [city, region, postcode].filter(Boolean).join(' ');
    set({ address: [...postalAddress, town].filter(Boolean).join('\n'), country: economy ?? '', phone, abuseMailbox: abuseEmail });
  };
  const chosen = rows.filter(({ key }) => ticked.has(key));
  const actions = actionsOf(form);
  const whyNot =
    chosen.length === 0
      ? 'Select the objects to change first'
      : linesOf(form.address).length > maxLines
        ? `Enter the address in at most ${maxLines} lines`
        : actions.length === 0
          ? 'Enter what to change'
          : null;
  return (
    <Page
      title="Whois contact details"
      sub={
        <>
          Update contact details of persons and roles. To replace a contact everywhere, use{' '}
          <Link href="/resources/whois-attribute-update">attribute update</Link>.
        </>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <Sheet
          title="Which contacts"
          flush
          actions={
            rows.length > 0 && (
              <Button
                size="s"
                variant="quiet"
                onClick={() => setTicked(new Set(chosen.length === rows.length ? [] : rows.map(({ key }) => key)))}
              >
                {chosen.length === rows.length ? 'Clear all' : 'Select all'}
              </Button>
            )
          }
        >
          <DataTable
            caption={`Persons and roles of ${account}`}
            columns={columns}
            rows={rows}
            rowId={({ key }) => key}
            rowLabel={({ shown }) => shown}
            state={table}
            onStateChange={setTable}
            pageSize={Math.max(1, rows.length)}
            selection={{ selected: ticked, onChange: setTicked }}
            empty={
              <EmptyState title="No contacts yet" action={<LinkButton href={`${hrefOfList()}?new=role`}>New role</LinkButton>}>
                Person and role objects you maintain appear here. Prefer a role, such as a NOC, over a person.
              </EmptyState>
            }
          />
        </Sheet>
        <Sheet
          title="Contact details"
          meta="Empty fields stay unchanged"
          actions={
            <Button size="s" variant="quiet" refusal={whyNoDetails} refusalIn="note" onClick={() => void fillIn()}>
              Use the organisation’s details
            </Button>
          }
        >
          <FormColumn>
            <Field label="Address" optional help={`At most ${maxLines} lines. Replaces all address lines.`}>
              <TextArea rows={4} value={form.address} onChange={event => set({ address: event.target.value })} />
            </Field>
            <Field label="Country" optional help="Two letters, such as AU (ISO 3166).">
              <TextInput value={form.country} maxLength={2} onChange={event => set({ country: event.target.value })} />
            </Field>
            <Field label="Phone" optional help="With + and the country code.">
              <TextInput value={form.phone} maxLength={40} onChange={event => set({ phone: event.target.value })} />
            </Field>
            <Field label="E-mail" optional>
              <TextInput value={form.email} maxLength={254} onChange={event => set({ email: event.target.value })} />
            </Field>
            <Field label="Abuse mailbox" optional help="Only for roles.">
              <TextInput value={form.abuseMailbox} maxLength={254} onChange={event => set({ abuseMailbox: event.target.value })} />
            </Field>
          </FormColumn>
        </Sheet>
        <BulkReview
          change={whyNot === null ? { choose: { keys: chosen.map(({ class: name, key }) => ({ class: name, key })) }, actions } : null}
          whyNot={whyNot}
          refresh={[whoisContacts.listContacts]}
          onDone={() => draft.discard()}
        />
      </Stack>
    </Page>
  );
}
