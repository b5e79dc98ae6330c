import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type NirEntityDetails, nirEntities, unmergeDays } from '@portal/contract/nir/entities';
import {
  Banner,
  Button,
  ButtonRow,
  DateText,
  Field,
  KeyValueList,
  Link,
  LinkButton,
  Panel,
  Row,
  Sheet,
  Stack,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { entitiesPath as home, memberReads, subaccountsPath } from './nir-reads.ts';

/** The form for a new organisation. */
export function NewEntity() {
  return <EntityForm stored={null} />;
}

/** One organisation with its sub-accounts, its whois object and its duplicates. */
export function EditEntity({ entityId }: { entityId: string }) {
  const { accountName: account } = useAccount();
  const stored = useAnswer(nirEntities.getEntity, { account, entityId });
  return (
    <Stack gap={16}>
      {stored.warning !== null && <Banner kind="warning">{stored.warning}</Banner>}
      {stored.mergedInto && (
        <Banner>
          It was merged into <Link href={`${home}?entity=${stored.mergedInto.entityId}`}>{stored.mergedInto.name}</Link>. Change that one.
        </Banner>
      )}
      <SidePanelLayout>
        <EntityForm key={stored.version} stored={stored} />
        <Stack gap={16}>
          <Members entity={stored} />
          <InWhois entity={stored} />
          {!stored.mergedInto && <Merge entity={stored} />}
          <DeleteEntity entity={stored} />
        </Stack>
      </SidePanelLayout>
    </Stack>
  );
}

function EntityForm({ stored }: { stored: NirEntityDetails | null }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirEntities.changeEntity);
  const options = {
    refresh: memberReads,
    showsErrors: true,
    onDone: ({ entityId, name }: NirEntityDetails) => {
      notify({ text: `${name} is saved.` });
      if (!stored) address.go(`${home}?entity=${entityId}`);
    },
  };
  const add = useChange(nirEntities.addEntity, options);
  const save = useChange(nirEntities.changeEntity, options);
  const form = useForm(
    nirEntities.addEntity.body,
    {
      name: stored?.name ?? '',
      localName: stored?.localName ?? '',
      registrationNumber: stored?.registrationNumber ?? '',
      address: stored?.address ?? '',
      economy: stored?.economy ?? '',
      phone: stored?.phone ?? '',
      email: stored?.email ?? '',
      handle: stored?.handle ?? '',
      remarks: stored?.remarks ?? '',
    },
    {
      name: 'entity',
      change: stored ? save : add,
      send: body =>
        stored
          ? save.mutate({ account, entityId: stored.entityId, body: { ...body, version: stored.version } })
          : add.mutate({ account, body }),
    },
  );
  return (
    <Sheet aria-label={stored ? stored.name : 'New organisation'}>
      <Form form={form}>
        <Field label="Name" help="In English, as whois shows it" {...form.field('name')}>
          <TextInput {...form.input('name')} />
        </Field>
        <Field label="Local name" optional help="In its own script" {...form.field('localName')}>
          <TextInput dir="auto" {...form.input('localName')} />
        </Field>
        <Field label="Registration number" optional {...form.field('registrationNumber')}>
          <TextInput {...form.input('registrationNumber')} />
        </Field>
        <Field label="Address" optional {...form.field('address')}>
          <TextArea rows={3} {...form.input('address')} />
        </Field>
        <Field label="Economy" optional help="Two letters, such as AU" {...form.field('economy')}>
          <TextInput {...form.input('economy')} maxLength={2} />
        </Field>
        <Field label="Telephone" optional {...form.field('phone')}>
          <TextInput type="tel" {...form.input('phone')} />
        </Field>
        <Field label="E-mail" optional {...form.field('email')}>
          <TextInput type="email" {...form.input('email')} />
        </Field>
        <Field label="Whois object" optional help="Handle of its organisation, role or person object" {...form.field('handle')}>
          <TextInput mono {...form.input('handle')} />
        </Field>
        <Field label="Remarks" optional help="Only you and the registry see this. It isn’t in whois." {...form.field('remarks')}>
          <TextArea rows={3} {...form.input('remarks')} />
        </Field>
        <ButtonRow>
          <Button
            type="submit"
            variant="commit"
            busy={form.busy}
            refusal={refusal ?? (stored?.mergedInto ? { reason: `It was merged into ${stored.mergedInto.name}` } : null)}
            refusalIn="note"
          >
            Save
          </Button>
          <Button onClick={() => address.go(home)}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

function Members({ entity: { entityId, members, mergedInto } }: { entity: NirEntityDetails }) {
  return (
    <Panel
      title="Sub-accounts"
      actions={
        mergedInto ? undefined : (
          <LinkButton size="s" icon="plus" href={`${subaccountsPath}?add=yes&entity=${entityId}`}>
            Add
          </LinkButton>
        )
      }
    >
      {members.length === 0 ? (
        <p className="small muted">Sub-accounts of the organisation appear here.</p>
      ) : (
        <KeyValueList
          items={members.map(({ subaccountId, name, status }) => ({
            key: (
              <Link href={`${subaccountsPath}?subaccount=${subaccountId}`}>
                <span className="mono">{name}</span>
              </Link>
            ),
            id: subaccountId,
            value: <StateMark state={status === 'open' ? 'valid' : 'closed'}>{status === 'open' ? 'Open' : 'Closed'}</StateMark>,
          }))}
        />
      )}
    </Panel>
  );
}

function InWhois({ entity: { entityId, handle, whois } }: { entity: NirEntityDetails }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(nirEntities.pushEntity);
  const push = useChange(nirEntities.pushEntity, {
    refresh: memberReads,
    onDone: () => notify({ text: 'The whois object is updated.' }),
  });
  return (
    <Panel title="In whois">
      {whois === null ? (
        <p className="small muted">
          {handle === ''
            ? 'Enter the handle of its whois object to compare both.'
            : `There is no organisation, role or person object ${handle} in whois.`}
        </p>
      ) : whois.drift.length === 0 ? (
        <p className="small">
          The {whois.class} object <span className="mono">{whois.key}</span> agrees with the record.
        </p>
      ) : (
        <Stack gap={12}>
          <p className="small">
            The {whois.class} object <span className="mono">{whois.key}</span> differs:
          </p>
          <KeyValueList
            align="left"
            items={whois.drift.map(({ attribute, record, whois: shown }) => ({
              key: <span className="mono">{attribute}</span>,
              id: attribute,
              value: (
                <>
                  {record} <span className="small quiet">In whois: {shown === '' ? 'not there' : shown}</span>
                </>
              ),
            }))}
          />
          <div>
            <Button busy={push.isPending} refusal={refusal} refusalIn="note" onClick={() => push.mutate({ account, entityId })}>
              Update whois
            </Button>
          </div>
          <p className="small quiet">Whois shows the record immediately. You can restore the object from its history.</p>
        </Stack>
      )}
    </Panel>
  );
}

function Merge({ entity }: { entity: NirEntityDetails }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirEntities.mergeEntity);
  const [text, setText] = useState('');
  const [into, setInto] = useState<{ id: string; text: string } | null>(null);
  const [asks, setAsks] = useState(false);
  const { answer } = useSteadyAnswer(nirEntities.listEntities, { account, query: { q: into ? '' : text.trim().slice(0, 100), limit: 20 } });
  const merge = useChange(nirEntities.mergeEntity, {
    refresh: memberReads,
    onDone: ({ entityId, name }) => {
      notify({ text: `Merged into ${name}.` });
      address.go(`${home}?entity=${entityId}`);
    },
  });
  const unmerge = useChange(nirEntities.unmergeEntity, {
    refresh: memberReads,
    onDone: ({ name }) => notify({ text: `${name} is separate again.` }),
  });
  return (
    <Panel title="Duplicates">
      <Stack gap={12}>
        {entity.merged.map(({ entityId, name, until }) => (
          <Row key={entityId} gap={8} wrap>
            <span className="small">
              {name}, merged. Can be separated until <DateText value={until} shape="date" />.
            </span>
            <Button size="s" busy={unmerge.isPending} refusal={refusal} onClick={() => unmerge.mutate({ account, entityId })}>
              Separate
            </Button>
          </Row>
        ))}
        <ComboBox
          label="Merge into"
          searched
          value={text}
          placeholder="Name or registration number"
          help="If another record is the same organisation, its sub-accounts go there."
          items={answer.rows
            .filter(({ entityId }) => entityId !== entity.entityId)
            .map(({ entityId, name, registrationNumber }) => ({ id: entityId, text: name, note: registrationNumber }))}
          onChange={(value, item) => {
            setText(value);
            setInto(item);
          }}
        />
        <div>
          <Button
            refusal={refusal ?? (into ? null : { reason: 'Choose an organisation first' })}
            refusalIn="note"
            onClick={() => setAsks(true)}
          >
            Merge
          </Button>
        </div>
      </Stack>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Merge ${entity.name} into ${into?.text ?? ''}?`}
        act="Merge"
        busy={merge.isPending}
        onAct={() => into && merge.mutate({ account, entityId: entity.entityId, body: { into: into.id } })}
      >
        Its {entity.subaccounts} {entity.subaccounts === 1 ? 'sub-account goes' : 'sub-accounts go'} there. Whois doesn’t change. You can
        separate them for {unmergeDays} days.
      </ConfirmDialog>
    </Panel>
  );
}

function DeleteEntity({ entity: { entityId, name, subaccounts, merged } }: { entity: NirEntityDetails }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirEntities.deleteEntity);
  const [asks, setAsks] = useState(false);
  const remove = useChange(nirEntities.deleteEntity, {
    refresh: [nirEntities.listEntities],
    onDone: () => {
      notify({ text: `${name} is deleted.` });
      address.go(home);
    },
  });
  if (subaccounts > 0 || merged.length > 0) return null;
  return (
    <Panel title="Delete">
      <div>
        <Button variant="danger" refusal={refusal} refusalIn="note" onClick={() => setAsks(true)}>
          Delete organisation
        </Button>
      </div>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Delete ${name}?`}
        act="Delete organisation"
        kind="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate({ account, entityId })}
      >
        The record is deleted. Its whois object stays. This can’t be undone.
      </ConfirmDialog>
    </Panel>
  );
}
