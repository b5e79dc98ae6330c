import { type ServiceFailure, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormState, joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import {
  type AssignmentPreview,
  type CustomerAssignment,
  type CustomerDetails,
  type NewCustomerAssignment,
  whoisCustomers,
} from '@portal/contract/customers/customers';
import { whoisRecords } from '@portal/contract/records/records';
import { resources } from '@portal/contract/resources/resources';
import { whois } from '@portal/contract/whois/whois';
import { Badge, Button, ButtonRow, Field, ResourceName, Segmented, Select, Sheet, TextInput } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { ReuseTick } from '../../shell/ReuseTick.tsx';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { AssignmentReview, Registered } from './AssignmentReview.tsx';
import { customersPath } from './register-address.ts';
import { FreeSpace } from './FreeSpace.tsx';

const home = customersPath;
/** Reads that a change of the register puts out of date. */
export const registerReads = [
  whoisCustomers.listCustomers,
  whoisCustomers.getCustomer,
  whoisCustomers.getAssignment,
  whoisCustomers.listFreeSpace,
  resources.listRegistrations,
  resources.getSummary,
  resources.getAddressMap,
  resources.getAddressOverview,
  resources.listDelegations,
  whoisRecords.getRecord,
  whois.listObjects,
  whois.getObject,
];

type Visibility = 'public' | 'private';
const empty = {
  netname: '',
  customer: '',
  description: '',
  economy: '',
  visibility: 'private' as Visibility,
  adminC: '',
  techC: '',
};
type Facts = typeof empty;

/** Returns the values to send: empty fields default to the surrounding network's values. */
const factsOf = <Values extends Facts>({ adminC, techC, ...facts }: Values) => ({
  ...facts,
  ...(adminC.trim() && { adminC }),
  ...(techC.trim() && { techC }),
});
const ifEmpty = { resource: 'Choose or enter a range', netname: 'Enter a netname, such as CUST-NORTHWIND' };

function FactFields({ form }: { form: FormState<Facts> }) {
  const { field, input } = form;
  return (
    <>
      <Field label="Netname" help="Letters, digits, - and _, such as CUST-NORTHWIND" {...field('netname')}>
        <TextInput mono {...input('netname')} />
      </Field>
      <Field label="Customer" optional {...field('customer')}>
        <TextInput {...input('customer')} />
      </Field>
      <Field label="Description" optional help="Shown in whois as descr. Defaults to the customer name" {...field('description')}>
        <TextInput {...input('description')} />
      </Field>
      <Field label="Economy" optional help="Two letters, such as AU. Default: your own" {...field('economy')}>
        <TextInput {...input('economy')} maxLength={2} />
      </Field>
      <Segmented
        label="Visibility"
        options={[
          { value: 'private', label: 'Private' },
          { value: 'public', label: 'Public, in whois' },
        ]}
        value={form.values.visibility}
        onChange={visibility => form.set({ visibility })}
      />
      {form.values.visibility === 'public' && (
        <>
          <Field label="Admin contact" optional help="Handle, such as EN1-EX. Default: that of the network around it" {...field('adminC')}>
            <TextInput mono {...input('adminC')} />
          </Field>
          <Field label="Technical contact" optional {...field('techC')}>
            <TextInput mono {...input('techC')} />
          </Field>
        </>
      )}
    </>
  );
}

type Wanted = { within: string | null; range: string | null };

/** Registers an assignment: a range, or a size and one of the free prefixes of it; `customer` is known already. */
export function AssignmentForm({ customer, ...wanted }: Wanted & { customer: string | null }) {
  return customer === null ? <NewAssignment {...wanted} customer={null} /> : <AssignmentFor {...wanted} name={customer} />;
}

function AssignmentFor({ name, ...wanted }: Wanted & { name: string }) {
  const { accountName: account } = useAccount();
  return <NewAssignment {...wanted} customer={useAnswer(whoisCustomers.getCustomer, { account, query: { name } })} />;
}

function NewAssignment({ within, range, customer }: Wanted & { customer: CustomerDetails | null }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(whoisCustomers.addAssignment);
  const [seen, setSeen] = useState<{ body: NewCustomerAssignment; preview: AssignmentPreview } | null>(null);
  const look = useChange(whoisCustomers.previewAssignment, {
    refresh: [],
    showsErrors: true,
    onDone: (preview, { body }) => setSeen({ body: body as NewCustomerAssignment, preview }),
  });
  const add = useChange(whoisCustomers.addAssignment, { refresh: registerReads, showsErrors: true });
  const form = useForm(
    whoisCustomers.previewAssignment.body,
    {
      resource: range ?? '',
      type: 'assigned' as 'assigned' | 'allocated',
      ...empty,
      customer: customer?.name ?? '',
      economy: customer?.economy ?? '',
      visibility: customer?.visibility ?? empty.visibility,
      reuse: false,
    },
    {
      name: 'assignment',
      toBody: factsOf,
      ifEmpty,
      change: joinedChanges(look, add),
      send(body, values) {
        add.reset();
        setSent(values);
        look.mutate({ account, body });
      },
    },
  );
  const { values } = form;
  const [sent, setSent] = useState<typeof values | null>(null);
  const rests = [look.error, add.error].some(error => (error as ServiceFailure | null)?.code === 'ASSIGNMENT_RESTS');
  if (add.data) return <Registered assignment={add.data} />;
  // Exactly the reviewed values are saved: a change of the form discards the review.
  const preview = seen && JSON.stringify(sent) === JSON.stringify(values) ? seen.preview : null;
  return (
    <SidePanelLayout>
      <Sheet aria-label="New assignment">
        <Form form={form} label="New assignment">
          <Field
            label="Range"
            help="A prefix inside one of your allocations. For IPv4 also a range of addresses."
            {...form.field('resource')}
          >
            <TextInput mono {...form.input('resource')} />
          </Field>
          {(rests || values.reuse) && <ReuseTick checked={values.reuse} onChange={reuse => form.set({ reuse })} />}
          <FreeSpace within={within} chosen={values.resource} onChoose={resource => form.set({ resource })} />
          <Field label="Kind" {...form.field('type')}>
            <Select
              {...form.input('type')}
              options={[
                { value: 'assigned', label: 'Assigned: for the customer’s own use' },
                { value: 'allocated', label: 'Allocated: the customer can assign parts of it' },
              ]}
            />
          </Field>
          <FactFields form={form} />
          <ButtonRow>
            <Button type="submit" variant="primary" busy={look.isPending} refusal={refusal} refusalIn="note">
              Review
            </Button>
            <Button onClick={() => address.go(home)}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      <AssignmentReview
        preview={preview}
        visibility={values.visibility}
        busy={add.isPending}
        refusal={refusal}
        onRegister={() => seen && add.mutate({ account, body: seen.body })}
      />
    </SidePanelLayout>
  );
}

/** Changes or removes an assignment. */
export function EditAssignment({ assignmentId }: { assignmentId: string }) {
  const { accountName: account } = useAccount();
  const stored = useAnswer(whoisCustomers.getAssignment, { account, assignmentId });
  return <EditForm stored={stored} />;
}

function EditForm({ stored }: { stored: CustomerAssignment }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(whoisCustomers.changeAssignment);
  const { assignmentId, kind, resource, holds } = stored;
  const [returning, setReturning] = useState(false);
  const save = useChange(whoisCustomers.changeAssignment, {
    refresh: registerReads,
    showsErrors: true,
    onDone: () => {
      notify({ text: `${resource} is changed.` });
      address.go(`${home}${kind === 'ipv6' ? '?view=ipv6' : ''}`);
    },
  });
  const release = useChange(whoisCustomers.returnAssignment, {
    refresh: registerReads,
    onDone: () => {
      notify({ text: `${resource} is free again.` });
      address.go(`${home}${kind === 'ipv6' ? '?view=ipv6' : ''}`);
    },
  });
  const { netname, customer, description, economy, visibility } = stored;
  const form = useForm(
    whoisCustomers.changeAssignment.body,
    { ...empty, netname, customer, description, economy, visibility },
    {
      name: 'assignment',
      toBody: factsOf,
      ifEmpty,
      change: save,
      send: body => save.mutate({ account, assignmentId, body }),
    },
  );
  return (
    <Sheet
      title={<ResourceName kind={kind} text={resource} strong />}
      meta={stored.whois ? <Badge kind="line">in whois</Badge> : <Badge icon="lock">not in whois</Badge>}
    >
      <Form form={form} label={resource}>
        <FactFields form={form} />
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            Save
          </Button>
          <Button
            icon="trash"
            refusal={
              refusal ?? (holds > 0 ? { reason: `It contains ${holds} ${holds === 1 ? 'other' : 'others'}. Return those first.` } : null)
            }
            refusalIn="note"
            onClick={() => setReturning(true)}
          >
            Return to pool
          </Button>
          <Button onClick={() => address.go(home)}>Cancel</Button>
        </ButtonRow>
      </Form>
      <ConfirmDialog
        open={returning}
        onClose={() => setReturning(false)}
        title={`Return ${resource} to your pool?`}
        act="Return to pool"
        kind="danger"
        busy={release.isPending}
        onAct={() => release.mutate({ account, assignmentId })}
      >
        <p>
          The space becomes free immediately{stored.whois ? ', and its whois object is deleted' : ''}. It isn’t offered to another customer
          for 30 days. The assignment stays in the history.
        </p>
      </ConfirmDialog>
    </Sheet>
  );
}
