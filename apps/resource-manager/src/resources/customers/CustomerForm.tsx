import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type CustomerDetails, whoisCustomers } from '@portal/contract/customers/customers';
import { pagePath, pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  Badge,
  Button,
  ButtonRow,
  Field,
  FieldGroup,
  LinkButton,
  ResourceName,
  Segmented,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { registerReads } from './AssignmentForm.tsx';
import { customersPath as home } from './register-address.ts';
import rowStyles from '../RowList.module.css';
import styles from './CustomerForm.module.css';

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
  const initial = () => {
    if (!stored) return { ...nobody, visibility: 'private' as CustomerDetails['visibility'] };
    const { assignments: _assignments, moreAssignments: _more, updatedAt: _updatedAt, ...kept } = stored;
    return kept;
  };
  const save = useChange(whoisCustomers.saveCustomer, {
    refresh: registerReads,
    showsErrors: true,
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
  const form = useForm(whoisCustomers.saveCustomer.body, initial(), {
    name: 'customer',
    toBody: facts => ({ ...facts, ...(stored && { was: stored.name }) }),
    ifEmpty: { name: 'Enter a name' },
    change: save,
    send: body => save.mutate({ account, body }),
  });
  const { field, input, values: facts } = form;
  const isRenamed = stored !== null && facts.name.trim() !== stored.name;
  const isShown = stored?.assignments.some(({ visibility }) => visibility === 'public') ?? false;
  return (
    <Sheet aria-label={stored ? `Customer ${stored.name}` : 'New customer'}>
      <Form form={form} label={stored ? `Customer ${stored.name}` : 'New customer'}>
        <Field
          {...field('name')}
          label="Name"
          help={
            isRenamed && isShown
              ? 'Whois objects that show the old name are updated.'
              : 'Shown in whois for public assignments without a description.'
          }
        >
          <TextInput {...input('name')} />
        </Field>
        <Field label="Address" optional {...field('address')}>
          <TextArea rows={3} {...input('address')} />
        </Field>
        <Field label="Economy" optional help="Two letters, such as AU" {...field('economy')}>
          <TextInput {...input('economy')} maxLength={2} />
        </Field>
        <Field label="Contact" optional {...field('contactName')}>
          <TextInput {...input('contactName')} />
        </Field>
        <Field label="Telephone" optional {...field('phone')}>
          <TextInput type="tel" {...input('phone')} />
        </Field>
        <Field label="E-mail" optional {...field('email')}>
          <TextInput type="email" {...input('email')} />
        </Field>
        <Field label="Remarks" optional help="Only you and the registry see this. It isn’t in whois." {...field('remarks')}>
          <TextArea rows={3} {...input('remarks')} />
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
              onChange={visibility => form.set({ visibility })}
            />
          </div>
        </FieldGroup>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            Save
          </Button>
          <Button onClick={() => address.go(`${home}?view=customers`)}>Cancel</Button>
        </ButtonRow>
      </Form>
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
