import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts, type SubaccountDetails } from '@portal/contract/nir/subaccounts';
import { Button, ButtonRow, DateText, Field, Panel, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { memberReads, subaccountPath, subaccountsPath } from './nir-reads.ts';

/** The form for a new sub-account; its organisation can be given in the address (`?entity=ID`). */
export function NewSubaccount({ entity }: { entity: string | null }) {
  return entity === null ? <SubaccountForm stored={null} entity={null} /> : <SubaccountOf entityId={entity} />;
}

function SubaccountOf({ entityId }: { entityId: string }) {
  const { accountName: account } = useAccount();
  const { name } = useAnswer(nirEntities.getEntity, { account, entityId });
  return <SubaccountForm stored={null} entity={{ entityId, name }} />;
}

/** The record of a sub-account, and the ways to close it and open it again. */
export function EditSubaccount({ subaccountId }: { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const stored = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return (
    <SidePanelLayout>
      <SubaccountForm key={stored.version} stored={stored} entity={{ entityId: stored.entityId, name: stored.entity }} />
      <Stack gap={16}>
        <CloseOrReopen subaccount={stored} />
      </Stack>
    </SidePanelLayout>
  );
}

function SubaccountForm({ stored, entity }: { stored: SubaccountDetails | null; entity: { entityId: string; name: string } | null }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirSubaccounts.changeSubaccount);
  const options = {
    refresh: memberReads,
    showsErrors: true,
    onDone: ({ subaccountId, name }: SubaccountDetails) => {
      notify({ text: stored ? `${name} is saved.` : `${name} is open.` });
      address.go(subaccountPath(subaccountId));
    },
  };
  const add = useChange(nirSubaccounts.addSubaccount, options);
  const save = useChange(nirSubaccounts.changeSubaccount, options);
  const change = stored ? save : add;
  const [entityName, setEntityName] = useState(entity?.name ?? '');
  const q = entityName === entity?.name ? '' : entityName.trim().slice(0, 100);
  const { answer: found } = useSteadyAnswer(nirEntities.listEntities, { account, query: { q, limit: 20 } });
  const form = useForm(
    nirSubaccounts.addSubaccount.body,
    {
      name: stored?.name ?? '',
      entityId: entity?.entityId ?? '',
      contactName: stored?.contactName ?? '',
      email: stored?.email ?? '',
      remarks: stored?.remarks ?? '',
    },
    {
      name: 'subaccount',
      change,
      ifEmpty: { name: 'Enter a name, such as NORTHNET-XX' },
      send: body =>
        stored
          ? save.mutate({ account, subaccountId: stored.subaccountId, body: { ...body, version: stored.version } })
          : add.mutate({ account, body }),
    },
  );
  return (
    <Sheet aria-label={stored ? stored.name : 'New sub-account'}>
      <Form form={form}>
        <Field label="Name" help="Letters, digits and -, ending with a country code, such as NORTHNET-XX" {...form.field('name')}>
          <TextInput mono {...form.input('name')} />
        </Field>
        <ComboBox
          label="Organisation"
          searched
          value={entityName}
          placeholder="Name or registration number"
          items={found.rows.map(({ entityId, name, registrationNumber }) => ({ id: entityId, text: name, note: registrationNumber }))}
          onChange={(text, item) => {
            setEntityName(text);
            form.set({ entityId: item?.id ?? found.rows.find(({ name }) => name === text.trim())?.entityId ?? '' });
          }}
          help={
            found.total === 0 ? 'No organisation matches. Add it under Entities first.' : 'The legal organisation behind the sub-account'
          }
          {...form.field('entityId')}
        />
        <Field label="Contact" optional {...form.field('contactName')}>
          <TextInput {...form.input('contactName')} />
        </Field>
        <Field label="E-mail" optional {...form.field('email')}>
          <TextInput type="email" {...form.input('email')} />
        </Field>
        <Field label="Remarks" optional help="Only you and the registry see this. It isn’t in whois." {...form.field('remarks')}>
          <TextArea rows={3} {...form.input('remarks')} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            {stored ? 'Save' : 'Open sub-account'}
          </Button>
          <Button onClick={() => address.go(stored ? subaccountPath(stored.subaccountId) : subaccountsPath)}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

function CloseOrReopen({ subaccount }: { subaccount: SubaccountDetails }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { subaccountId, name, status, delegations, openRequests, reopenUntil } = subaccount;
  const [asks, setAsks] = useState(false);
  const refusal = useRefusal(nirSubaccounts.closeSubaccount);
  const close = useChange(nirSubaccounts.closeSubaccount, {
    refresh: memberReads,
    onDone: () => {
      setAsks(false);
      notify({ text: `${name} is closed.` });
    },
  });
  const reopen = useChange(nirSubaccounts.reopenSubaccount, {
    refresh: memberReads,
    onDone: () => notify({ text: `${name} is open again.` }),
  });
  if (status === 'closed')
    return (
      <Panel title="Closed">
        <Stack gap={12}>
          <p className="small">
            It can be opened again until <DateText value={reopenUntil!} shape="date" />.
          </p>
          <div>
            <Button busy={reopen.isPending} refusal={refusal} refusalIn="note" onClick={() => reopen.mutate({ account, subaccountId })}>
              Reopen
            </Button>
          </div>
        </Stack>
      </Panel>
    );
  const held = delegations > 0 ? 'It still holds resources' : openRequests > 0 ? 'It has open requests' : null;
  return (
    <Panel title="Close">
      <Stack gap={12}>
        <p className="small">Only a sub-account without resources and open requests can be closed. You can reopen it for 12 months.</p>
        <div>
          <Button
            variant="danger"
            refusal={refusal ?? (held === null ? null : { reason: held })}
            refusalIn="note"
            onClick={() => setAsks(true)}
          >
            Close sub-account
          </Button>
        </div>
      </Stack>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Close ${name}?`}
        act="Close sub-account"
        kind="danger"
        busy={close.isPending}
        onAct={() => close.mutate({ account, subaccountId })}
      >
        It can’t be given resources while it’s closed. You can reopen it for 12 months.
      </ConfirmDialog>
    </Panel>
  );
}
