import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type CustomerDetails, whoisCustomers } from '@portal/contract/customers/customers';
import { pagePath, pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  Badge,
  Button,
  ButtonRow,
  Field,
  FieldGroup,
  FormColumn,
  LinkButton,
  ResourceName,
  Segmented,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { useState } from 'react';
import { registerReads } from './AssignmentForm.tsx';
import { customersPath as home } from './register-address.ts';
import rowStyles from '../RowList.module.css';
import styles from '../record/ResourceRecord.module.css';

const nobody = { name: '', address: '', economy: '', contactName: '', phone: '', email: '', remarks: '', visibility: 'private' as const };

/** The form for a new customer. */
export function NewCustomer() {
  return <CustomerForm stored={null} />;
}

/** The record of one customer, and its assignments. */
export function EditCustomer({ name }: { name: string }) {
  const { accountName: account } = useAccount();
  const stored = useAnswer(whoisCustomers.getCustomer, { account, query: { name } });
  return (
    <Stack gap={16}>
      <CustomerForm stored={stored} />
      <Held customer={stored} />
    </Stack>
  );
}

function CustomerForm({ stored }: { stored: CustomerDetails | null }) {
  const { accountName: account } = useAccount();
  const { environment, notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(whoisCustomers.saveCustomer);
  const [facts, setFacts] = useState(() => {
    if (!stored) return { ...nobody, visibility: 'private' as CustomerDetails['visibility'] };
    const { assignments: _assignments, moreAssignments: _more, updatedAt: _updatedAt, ...kept } = stored;
    return kept;
  });
  const save = useChange(whoisCustomers.saveCustomer, {
    refresh: registerReads,
    onDone: ({ name, taskId }) => {
      notify({
        text: taskId === null ? `${name} is saved.` : `${name} is saved. A task updates the name in whois.`,
        ...(taskId !== null && {
          link: { href: `${pagePath(pages.taskWhoisModifyObjects.path, environment.product)}?id=${taskId}`, label: 'View task' },
        }),
      });
      address.go(`${home}?view=customers`);
    },
  });
  const field = (name: Exclude<keyof typeof facts, 'visibility'>) => ({
    value: facts[name],
    onChange: (event: { target: { value: string } }) => setFacts({ ...facts, [name]: event.target.value }),
  });
  const isRenamed = stored !== null && facts.name.trim() !== stored.name;
  const isShown = stored?.assignments.some(({ visibility }) => visibility === 'public') ?? false;
  return (
    <Sheet aria-label={stored ? `Customer ${stored.name}` : 'New customer'}>
      <FormColumn>
        <Field
          label="Name"
          help={
            isRenamed && isShown
              ? 'Whois objects that show the old name are updated.'
              : 'Shown in whois for public assignments without a description.'
          }
        >
          <TextInput maxLength={200} autoComplete="off" {...field('name')} />
        </Field>
        <Field label="Address" optional>
          <TextArea rows={3} maxLength={500} {...field('address')} />
        </Field>
        <Field label="Economy" optional help="Two letters, such as AU">
          <TextInput maxLength={2} autoComplete="off" {...field('economy')} />
        </Field>
        <Field label="Contact" optional>
          <TextInput maxLength={200} autoComplete="off" {...field('contactName')} />
        </Field>
        <Field label="Telephone" optional>
          <TextInput type="tel" maxLength={50} autoComplete="off" {...field('phone')} />
        </Field>
        <Field label="E-mail" optional>
          <TextInput type="email" maxLength={254} autoComplete="off" {...field('email')} />
        </Field>
        <Field label="Remarks" optional help="Only you and the registry see this. It isn’t in whois.">
          <TextArea rows={3} maxLength={2_000} {...field('remarks')} />
        </Field>
        <FieldGroup legend="New assignments">
          <div>
            <Segmented
              label="New assignments"
              options={[
                { value: 'private', label: 'Private' },
                { value: 'public', label: 'Public, in whois' },
              ]}
              value={facts.visibility}
              onChange={visibility => setFacts({ ...facts, visibility })}
            />
          </div>
        </FieldGroup>
        <ButtonRow>
          <Button
            variant="commit"
            busy={save.isPending}
            refusal={refusal ?? (facts.name.trim() === '' ? { reason: 'Enter a name' } : null)}
            refusalIn="note"
            onClick={() => save.mutate({ account, body: { ...facts, ...(stored && { was: stored.name }) } })}
          >
            Save
          </Button>
          <Button onClick={() => address.go(`${home}?view=customers`)}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </Sheet>
  );
}

/** The assignments of a customer. */
function Held({ customer: { name, assignments, moreAssignments } }: { customer: CustomerDetails }) {
  return (
    <Sheet
      title="Assignments"
      flush
      actions={
        <LinkButton size="s" icon="plus" href={`${home}?${new URLSearchParams({ add: 'yes', for: name })}`}>
          Assign
        </LinkButton>
      }
    >
      {assignments.length === 0 ? (
        <p className={styles.part}>No assignments yet.</p>
      ) : (
        <ul className={rowStyles.list} aria-label={`Assignments of ${name}`}>
          {assignments.map(each => (
            <li key={each.assignmentId}>
              <ResourceName kind={each.kind} text={each.resource} href={recordAddress(each.resource)} />
              <span className="mono">{each.netname}</span>
              <span className={styles.end}>
                {each.visibility === 'private' ? <Badge icon="lock">Private</Badge> : <Badge kind="line">Public</Badge>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {moreAssignments && <p className={styles.part}>There are more. Search for the name in the assignments.</p>}
    </Sheet>
  );
}
