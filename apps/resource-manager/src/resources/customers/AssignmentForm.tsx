import { type ServiceFailure, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import {
  type AssignmentPreview,
  type CustomerAssignment,
  type CustomerDetails,
  whoisCustomers,
} from '@portal/contract/customers/customers';
import { whoisRecords } from '@portal/contract/records/records';
import { resources } from '@portal/contract/resources/resources';
import { whois } from '@portal/contract/whois/whois';
import { Badge, Button, ButtonRow, Checkbox, Field, FormColumn, ResourceName, Segmented, Select, Sheet, TextInput } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
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

const empty = { netname: '', customer: '', description: '', economy: '', adminC: '', techC: '' };
type Facts = typeof empty;
type Visibility = 'public' | 'private';

/** Returns the values to send: empty fields default to the surrounding network's values. */
const factsOf = ({ adminC, techC, ...facts }: Facts, visibility: Visibility) => ({
  ...facts,
  visibility,
  ...(adminC.trim() && { adminC }),
  ...(techC.trim() && { techC }),
});

function FactFields({
  facts,
  onChange,
  visibility,
  onVisibility,
}: {
  facts: Facts;
  onChange: (change: Partial<Facts>) => void;
  visibility: Visibility;
  onVisibility: (visibility: Visibility) => void;
}) {
  const field = (name: keyof Facts) => ({
    value: facts[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <Field label="Netname" help="Letters, digits, - and _, such as CUST-NORTHWIND">
        <TextInput mono maxLength={80} {...field('netname')} />
      </Field>
      <Field label="Customer" optional>
        <TextInput maxLength={200} {...field('customer')} />
      </Field>
      <Field label="Description" optional help="Shown in whois as descr. Defaults to the customer name">
        <TextInput maxLength={500} {...field('description')} />
      </Field>
      <Field label="Economy" optional help="Two letters, such as AU. Default: your own">
        <TextInput maxLength={2} {...field('economy')} />
      </Field>
      <Segmented
        label="Visibility"
        options={[
          { value: 'private', label: 'Private' },
          { value: 'public', label: 'Public, in whois' },
        ]}
        value={visibility}
        onChange={onVisibility}
      />
      {visibility === 'public' && (
        <>
          <Field label="Admin contact" optional help="Handle, such as EN1-EX. Default: that of the network around it">
            <TextInput mono {...field('adminC')} />
          </Field>
          <Field label="Technical contact" optional>
            <TextInput mono {...field('techC')} />
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
  const [resource, setResource] = useState(range ?? '');
  const [type, setType] = useState<'assigned' | 'allocated'>('assigned');
  const [facts, setFacts] = useState({ ...empty, customer: customer?.name ?? '', economy: customer?.economy ?? '' });
  const [visibility, setVisibility] = useState<Visibility>(customer?.visibility ?? 'private');
  const [reuse, setReuse] = useState(false);
  const body = { ...factsOf(facts, visibility), resource, type, reuse };
  const asked = JSON.stringify(body);
  const [seen, setSeen] = useState<{ asked: string; preview: AssignmentPreview } | null>(null);
  const look = useChange(whoisCustomers.previewAssignment, {
    refresh: [],
    onDone: preview => setSeen({ asked, preview }),
  });
  const add = useChange(whoisCustomers.addAssignment, { refresh: registerReads });
  const rests = [look.error, add.error].some(error => (error as ServiceFailure | null)?.code === 'ASSIGNMENT_RESTS');
  const missing =
    resource.trim() === '' ? 'Choose or enter a range' : facts.netname.trim() === '' ? 'Enter a netname, such as CUST-NORTHWIND' : null;
  if (add.data) return <Registered assignment={add.data} />;
  // Exactly the reviewed values are saved: a change of the form discards the review.
  const preview = seen?.asked === asked ? seen.preview : null;
  return (
    <SidePanelLayout>
      <Sheet aria-label="New assignment">
        <FormColumn>
          <Field label="Range" help="A prefix inside one of your allocations. For IPv4 also a range of addresses.">
            <TextInput mono value={resource} onChange={event => setResource(event.target.value)} />
          </Field>
          {(rests || reuse) && (
            <Checkbox
              checked={reuse}
              help="Mail systems, abuse lists and DNS may still associate it with its previous user."
              onChange={({ target }) => setReuse(target.checked)}
            >
              Use it again now
            </Checkbox>
          )}
          <FreeSpace within={within} chosen={resource} onChoose={setResource} />
          <Field label="Kind">
            <Select
              value={type}
              onChange={event => setType(event.target.value === 'allocated' ? 'allocated' : 'assigned')}
              options={[
                { value: 'assigned', label: 'Assigned: for the customer’s own use' },
                { value: 'allocated', label: 'Allocated: the customer can assign parts of it' },
              ]}
            />
          </Field>
          <FactFields
            facts={facts}
            onChange={change => setFacts({ ...facts, ...change })}
            visibility={visibility}
            onVisibility={setVisibility}
          />
          <ButtonRow>
            <Button
              variant="primary"
              busy={look.isPending}
              refusal={refusal ?? (missing ? { reason: missing } : null)}
              refusalIn="note"
              onClick={() => look.mutate({ account, body })}
            >
              Review
            </Button>
            <Button onClick={() => address.go(home)}>Cancel</Button>
          </ButtonRow>
        </FormColumn>
      </Sheet>
      <AssignmentReview
        preview={preview}
        visibility={visibility}
        busy={add.isPending}
        refusal={refusal}
        onRegister={() => add.mutate({ account, body })}
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
  const [facts, setFacts] = useState<Facts>({
    ...empty,
    netname: stored.netname,
    customer: stored.customer,
    description: stored.description,
    economy: stored.economy,
  });
  const [visibility, setVisibility] = useState<Visibility>(stored.visibility);
  const [returning, setReturning] = useState(false);
  const save = useChange(whoisCustomers.changeAssignment, {
    refresh: registerReads,
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
  return (
    <Sheet
      title={<ResourceName kind={kind} text={resource} strong />}
      meta={stored.whois ? <Badge kind="line">in whois</Badge> : <Badge icon="lock">not in whois</Badge>}
    >
      <FormColumn>
        <FactFields
          facts={facts}
          onChange={change => setFacts({ ...facts, ...change })}
          visibility={visibility}
          onVisibility={setVisibility}
        />
        <ButtonRow>
          <Button
            variant="commit"
            busy={save.isPending}
            refusal={refusal ?? (facts.netname.trim() === '' ? { reason: 'Enter a netname, such as CUST-NORTHWIND' } : null)}
            refusalIn="note"
            onClick={() => save.mutate({ account, assignmentId, body: factsOf(facts, visibility) })}
          >
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
      </FormColumn>
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
