import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { directDelegations, directPaths } from '@portal/contract/requests/direct-delegations';
import { type DelegatingKind, delegatingKinds, requestKinds, requestPaths } from '@portal/contract/requests/request-form';
import { groundsOf } from '@portal/contract/requests/request-grounds';
import { desk } from '@portal/contract/staff/desk';
import { Button, Field, Select, Sheet, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

const own = { reason: 'You’re a contact of this account, so someone else has to do this' };

/** Numbers that the registry delegates to an account without a request of it. */
export function AccountDirectDelegation({ accountName, isOwn, isClosed }: { accountName: string; isOwn: boolean; isClosed: boolean }) {
  const refusal = useRefusal(directDelegations.openDirectDelegation);
  const [isOpen, setOpen] = useState(false);
  if (isClosed) return null;
  return (
    <Sheet
      title="Direct delegation"
      id="direct-delegation"
      actions={
        <Button size="s" refusal={refusal ?? (isOwn ? own : null)} onClick={() => setOpen(true)}>
          Delegate numbers
        </Button>
      }
    >
      <p>
        The registry delegates numbers without a request of the account, such as for critical infrastructure. They’re held, the account
        reads why and can decline, and two people approve.
      </p>
      {isOpen && <DelegationDialog accountName={accountName} onClose={() => setOpen(false)} />}
    </Sheet>
  );
}

const usualLength = { ipv4: '24', ipv6: '32', asn: '0' } as const satisfies Record<DelegatingKind, string>;
const usualPath = { ipv4: 'critical', ipv6: 'lir', asn: '' } as const satisfies Record<DelegatingKind, string>;

function DelegationDialog({ accountName, onClose }: { accountName: string; onClose: () => void }) {
  const { notify, router } = useKit();
  const { whois } = useAnswer(directDelegations.getDirectDefaults, { accountName });
  const change = useChange(directDelegations.openDirectDelegation, {
    refresh: [desk.getAccountSheet, desk.listRequests],
    showsErrors: true,
    onDone: ({ reference, requestId, resource }) => {
      notify({ text: `${reference} is open, and ${resource} is held. The contacts of ${accountName} get an e-mail.` });
      onClose();
      router.go(`/desk/requests/resources-${requestId}`);
    },
  });
  const form = useForm(
    directDelegations.openDirectDelegation.body,
    {
      kind: 'ipv4' as DelegatingKind,
      resource: '',
      length: usualLength.ipv4 as string,
      path: usualPath.ipv4 as string,
      netname: '',
      adminContact: '',
      techContact: '',
      maintainer: '',
      abuseMailbox: '',
      reason: '',
    },
    {
      name: 'direct-delegation',
      toBody: values => ({ ...values, length: Number(values.length), path: values.path as 'lir' }),
      ifEmpty: { reason: 'Enter a reason. The account reads it.' },
      change,
      send: body => change.mutate({ accountName, body }),
    },
  );
  const { kind, resource } = form.values;
  const isAddresses = kind !== 'asn';
  const choice = (name: 'adminContact' | 'techContact' | 'maintainer', from: readonly string[], none: string) => [
    { value: '', label: whois.defaults[name] === '' ? none : `${whois.defaults[name]}, the account’s` },
    ...from.filter(value => value !== whois.defaults[name]).map(value => ({ value, label: value })),
  ];
  const setKind = (next: DelegatingKind) => form.set({ kind: next, length: usualLength[next], path: usualPath[next], resource: '' });
  return (
    <Dialog open onClose={onClose} title={`Delegate numbers to ${accountName}`}>
      <ActForm form={form} act="Hold and open the case" onClose={onClose}>
        <Field label="Kind" {...form.field('kind')}>
          <Select
            {...form.input('kind')}
            options={delegatingKinds.map(value => ({ value, label: requestKinds[value] }))}
            onChange={event => setKind(event.target.value as DelegatingKind)}
          />
        </Field>
        <Field
          label={isAddresses ? 'Prefix' : 'AS number'}
          optional
          help={isAddresses ? 'A free prefix. If it’s empty, the pool chooses one.' : 'A free number. If it’s empty, the pool chooses one.'}
          {...form.field('resource')}
        >
          <TextInput mono spellCheck={false} {...form.input('resource')} />
        </Field>
        {isAddresses && resource.trim() === '' && (
          <Field label="Prefix length" help={`Such as ${usualLength[kind]} for a /${usualLength[kind]}.`} {...form.field('length')}>
            <TextInput inputMode="numeric" {...form.input('length')} />
          </Field>
        )}
        {isAddresses && (
          <Field label="Purpose" {...form.field('path')}>
            <Select
              {...form.input('path')}
              options={directPaths.filter(path => groundsOf(kind).includes(path)).map(value => ({ value, label: requestPaths[value] }))}
            />
          </Field>
        )}
        <Field label="Reason" help="The account reads it, and so does the second person." {...form.field('reason')}>
          <TextArea rows={3} {...form.input('reason')} />
        </Field>
        <Field label={isAddresses ? 'Netname' : 'AS name'} optional {...form.field('netname')}>
          <TextInput mono spellCheck={false} placeholder={whois.defaults.netname} {...form.input('netname')} />
        </Field>
        <Field label="Admin contact" {...form.field('adminContact')}>
          <Select {...form.input('adminContact')} options={choice('adminContact', whois.contacts, 'The registry’s')} />
        </Field>
        <Field label="Technical contact" {...form.field('techContact')}>
          <Select {...form.input('techContact')} options={choice('techContact', whois.contacts, 'The registry’s')} />
        </Field>
        <Field label="Maintainer" {...form.field('maintainer')}>
          <Select {...form.input('maintainer')} options={choice('maintainer', whois.maintainers, 'None yet')} />
        </Field>
        <Field label="Abuse mailbox" optional={whois.defaults.abuseMailbox !== ''} {...form.field('abuseMailbox')}>
          <TextInput type="email" placeholder={whois.defaults.abuseMailbox} {...form.input('abuseMailbox')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
