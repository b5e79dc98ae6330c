import { Page, useAccount, useAnswer, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { organisations } from '@portal/contract/organisations/organisations';
import { type WhoisContact, whoisContacts } from '@portal/contract/whois/contacts';
import { fixedAttributes, whois } from '@portal/contract/whois/whois';
import { attributes, type ClassName } from '@portal/rpsl';
import { Button, DateText, Disclosure, EmptyState, FormColumn, formatCount, Link, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { type AttributeValues, type ClassField, fieldsOfClasses, valuesOfField } from '../editor/class-fields.ts';
import { ClassFieldInput } from '../editor/ClassFieldInput.tsx';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';
import { type BulkChange, BulkReview, useBulkReview } from './BulkReview.tsx';

/** Lines of one text, and changes of one update, which is what the registry takes. */
const [maxLines, maxActions] = [5, 10];

const contactClasses: readonly ClassName[] = ['person', 'role'];
/** Details of contacts: all attributes of persons and roles but keys, what the registry sets, and what names another object. */
const fields: readonly ClassField[] = fieldsOfClasses(
  contactClasses,
  name => fixedAttributes.includes(name) || attributes[name].refersTo.length > 0,
).map(field => {
  // A text has its lines; of all others the new value takes the place of every present one.
  const hasLines = field.hasLines && field.isProse;
  return {
    ...field,
    hasLines,
    help: hasLines ? `${field.help} At most ${maxLines} lines, which replace all present ones.` : field.help.replace(' One per line.', ''),
  };
});
/** Empty values. The choice of objects comes first on the page, and holds no value of its own. */
const empty: AttributeValues = { objects: '', ...Object.fromEntries(fields.map(({ name }) => [name, ''])) };

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

/** Filled fields replace the current values; empty ones leave them unchanged. */
const actionsOf = (values: AttributeValues): BulkChange['actions'] =>
  fields.flatMap(({ name, hasLines }): BulkChange['actions'] => {
    const text = values[name] ?? '';
    const found = hasLines ? valuesOfField(name, text) : [attributes[name].type === 'country' ? text.trim().toUpperCase() : text.trim()];
    if (found.every(each => each === '')) return [];
    if (!hasLines) return [{ action: 'set', attribute: name, newValue: found[0]! }];
    return [{ action: 'remove', attribute: name }, ...found.map(newValue => ({ action: 'add' as const, attribute: name, newValue }))];
  });

function problemsOf(values: AttributeValues): Record<string, string> {
  const actions = actionsOf(values);
  const problems: Record<string, string> = {};
  for (const { name, label, hasLines } of fields)
    if (hasLines && valuesOfField(name, values[name] ?? '').length > maxLines)
      problems[name] = `Enter the ${label.toLowerCase()} in at most ${maxLines} lines`;
  const [first] = fields;
  if (actions.length === 0) problems[first!.name] = 'Enter what to change';
  else if (actions.length > maxActions)
    problems[actions.at(-1)!.attribute] ??= `Leave this for another update: ${maxActions} changes at a time, and each line is one`;
  return problems;
}

/** /resources/whois_contact_details_update/index: updates contact details in all person and role objects. */
export default function ContactDetailsPage() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whoisContacts.listContacts, { account });
  const draft = useDraft(`whois-contacts:${account}`, empty);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ key }) => ticked.has(key));
  const changeOf = (values: AttributeValues): BulkChange => ({
    choose: { keys: chosen.map(({ class: name, key }) => ({ class: name, key })) },
    actions: actionsOf(values),
  });
  const review = useBulkReview({ refresh: [whoisContacts.listContacts], onDone: () => form.reset() });
  const form = useForm(whois.bulkChange.body, empty, {
    name: 'contact-details',
    draft,
    also: ['phrase'],
    toBody: values => review.bodyOf(changeOf(values)),
    fieldAt: (place, values) => {
      const [, index] = /^actions\.(\d+)/.exec(place) ?? [];
      if (index !== undefined) return actionsOf(values)[Number(index)]?.attribute ?? place;
      return place.startsWith('choose') ? 'objects' : place.replace(/^actions$/, fields[0]!.name);
    },
    check: values => ({
      ...problemsOf(values),
      ...(chosen.length === 0 && { objects: 'Select the objects to change first' }),
      phrase: review.phraseProblem(changeOf(values)),
    }),
    change: review.carryOut,
    send: review.send,
  });
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
      <Form form={form} label="Whois contact details" bare>
        <Stack gap={16}>
          <ContactChoice rows={rows} ticked={ticked} onTick={setTicked} field={form.field('objects')} />
          <ContactFields form={form} />
          <BulkReview review={review} form={form} change={changeOf(form.values)} />
        </Stack>
      </Form>
    </Page>
  );
}

type ChoiceProps = {
  rows: readonly WhoisContact[];
  ticked: ReadonlySet<string>;
  onTick: (keys: ReadonlySet<string>) => void;
  /** Of the choice, which holds no value of its own. */
  field: { id: string; error?: string | undefined };
};

/** The persons and roles to change. */
function ContactChoice({ rows, ticked, onTick, field: choice }: ChoiceProps) {
  const { accountName: account } = useAccount();
  const [table, setTable] = useState(emptyTableState);
  const isWhole = rows.every(({ key }) => ticked.has(key));
  return (
    <Sheet
      title="Which contacts"
      flush
      footer={
        choice.error && (
          <div role="alert" id={choice.id} tabIndex={-1}>
            <StateMark state="invalid">{choice.error}</StateMark>
          </div>
        )
      }
      actions={
        rows.length > 0 && (
          <Button size="s" variant="quiet" onClick={() => onTick(new Set(isWhole ? [] : rows.map(({ key }) => key)))}>
            {isWhole ? 'Clear all' : 'Select all'}
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
        selection={{ selected: ticked, onChange: onTick }}
        empty={
          <EmptyState title="No contacts yet" action={<LinkButton href={`${hrefOfList()}?new=role`}>New role</LinkButton>}>
            Person and role objects you maintain appear here. Prefer a role, such as a NOC, over a person.
          </EmptyState>
        }
      />
    </Sheet>
  );
}

/** The new values, which may come from the organisation. */
function ContactFields({ form }: { form: FormState<AttributeValues> }) {
  const { accountName: account } = useAccount();
  const { call, showErrors } = useKit();
  const whyNoDetails = useRefusal(organisations.getOrganisation);
  const fillIn = async () => {
    const answer = await call(organisations.getOrganisation, { account });
    if (answer.errors) return showErrors(answer.errors);
    const { postalAddress, city, region, postcode, economy, phone, abuseEmail } = answer.data;
    const town = [city, region, postcode].filter(Boolean).join(' ');
    form.set({ address: [...postalAddress, town].filter(Boolean).join('\n'), country: economy ?? '', phone, 'abuse-mailbox': abuseEmail });
  };
  const shown = (isOptional: boolean) =>
    fields
      .filter(field => field.isOptional === isOptional)
      .map(field => <ClassFieldInput key={field.name} field={{ ...field, isOptional: true }} form={form} />);
  return (
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
        {shown(false)}
        <Disclosure
          summary="Optional attributes"
          {...(fields.some(({ name, isOptional }) => isOptional && form.values[name] !== '') && { open: true })}
        >
          <Stack gap={16}>{shown(true)}</Stack>
        </Disclosure>
      </FormColumn>
    </Sheet>
  );
}
