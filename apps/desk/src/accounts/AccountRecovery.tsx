import { useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type RecoveryGround, recoveries, recoveryGroundNames, recoveryGrounds } from '@portal/contract/requests/recoveries';
import { desk } from '@portal/contract/staff/desk';
import { Button, Field, Select, Sheet, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** The notice by which the registry takes numbers back from an account. A closed case leads here with the numbers that it delegated. */
export function AccountRecovery({ accountName, own }: { accountName: string; own: boolean }) {
  const held = useAnswer(recoveries.listRecoverable, { accountName });
  const refusal = useRefusal(recoveries.openRecovery);
  const address = useAddress();
  const mistake = address.get('mistake');
  const [isOpen, setOpen] = useState(mistake !== null && refusal === null && !own);
  if (held.resources.length === 0) return null;
  const days = Object.values(held.noticeDays);
  return (
    <Sheet
      title="Recovery"
      id="recovery"
      actions={
        <Button
          size="s"
          refusal={refusal ?? (own ? { reason: 'You’re a contact of this account, so someone else has to do this' } : null)}
          onClick={() => setOpen(true)}
        >
          Take numbers back
        </Button>
      }
    >
      <p>
        The registry takes numbers back after a notice of {Math.min(...days)} to {Math.max(...days)} days, by its ground. The account can
        object meanwhile. Two people carry it out, by the plan that the case shows.
      </p>
      {isOpen && (
        <RecoveryDialog
          accountName={accountName}
          held={held}
          mistake={mistake}
          onClose={() => {
            setOpen(false);
            if (mistake !== null) address.set({ mistake: null });
          }}
        />
      )}
    </Sheet>
  );
}

type Held = { resources: readonly string[]; noticeDays: Record<RecoveryGround, number> };

/** @param mistake the numbers that were delegated by mistake, with commas between them; null where another ground is likelier */
function RecoveryDialog({
  accountName,
  held,
  mistake,
  onClose,
}: {
  accountName: string;
  held: Held;
  mistake: string | null;
  onClose: () => void;
}) {
  const { notify, router } = useKit();
  const change = useChange(recoveries.openRecovery, {
    refresh: [desk.getAccountSheet, recoveries.listRecoverable, desk.listRequests],
    showsErrors: true,
    onDone: ({ reference, requestId }) => {
      notify({ text: `${reference} is open. The corporate contacts of ${accountName} get an e-mail.` });
      onClose();
      router.go(`/desk/requests/transfers-${requestId}`);
    },
  });
  const form = useForm(
    recoveries.openRecovery.body,
    {
      resources: (mistake ?? '').replaceAll(',', '\n'),
      ground: (mistake === null ? 'unpaid' : 'mistake') as RecoveryGround,
      reason: '',
    },
    {
      name: 'recovery',
      toBody: values => ({ ...values, resources: linesOf(values.resources) }),
      ifEmpty: { resources: 'Enter at least one resource', reason: 'Enter a reason. The member reads it.' },
      change,
      send: body => change.mutate({ accountName, body }),
    },
  );
  const ground = form.values.ground;
  return (
    <Dialog open onClose={onClose} title={`Take numbers back from ${accountName}`} role="alertdialog">
      <ActForm form={form} act="Give notice" kind="danger" keep="Keep everything as it is" onClose={onClose}>
        <p>
          The numbers are locked now. {held.noticeDays[ground]} days from now they can be taken back, with their whois objects, reverse DNS,
          routes and ROAs. The corporate contacts read the reason, the day, and how to object.
        </p>
        <Field label="Numbers" help="One on each line: a whole delegation or a part of one." {...form.field('resources')}>
          <TextArea mono rows={3} {...form.input('resources')} />
        </Field>
        <Field label="Ground" {...form.field('ground')}>
          <Select
            options={recoveryGroundNames.map(value => ({ value, label: `${recoveryGrounds[value]} (${held.noticeDays[value]} days)` }))}
            {...form.input('ground')}
          />
        </Field>
        <Field label="Reason" help="The member reads it." {...form.field('reason')}>
          <TextArea rows={3} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
