import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type LegalHold, privacy } from '@portal/contract/privacy/privacy';
import { proposals } from '@portal/contract/proposals/proposals';
import { Field, Select, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Places a legal hold on an account or a person. */
export function HoldDialog({ onClose }: { onClose: () => void }) {
  const { notify } = useKit();
  const place = useChange(privacy.placeHold, {
    refresh: [privacy.getRetention],
    showsErrors: true,
    onDone: ({ about }) => {
      notify({ text: `Data of ${about} is on hold.` });
      onClose();
    },
  });
  const form = useForm(
    privacy.placeHold.body,
    { kind: 'account' as 'account' | 'login', about: '', reason: '' },
    {
      name: 'legal-hold',
      ifEmpty: { about: 'Enter an account, such as EXAMPLE-AU, or a user name', reason: 'Enter who asks for the data, and why' },
      change: place,
      send: body => place.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Place a legal hold">
      <ActForm form={form} act="Place the hold" onClose={onClose}>
        <p>The data isn’t deleted until two people release the hold, even if its time is over.</p>
        <Field label="Data of" {...form.field('kind')}>
          <Select
            value={form.values.kind}
            options={[
              { value: 'account', label: 'An account' },
              { value: 'login', label: 'A person' },
            ]}
            onChange={event => form.set({ kind: event.target.value as 'account' | 'login' })}
          />
        </Field>
        <Field label="Account or user name" {...form.field('about')}>
          <TextInput {...form.input('about')} />
        </Field>
        <Field label="Reason" help="Such as the court and its file number. The person doesn’t see it." {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

/** Proposes to release a legal hold: a second person approves it. */
export function ReleaseDialog({ hold: { legalHoldId, about }, onClose }: { hold: LegalHold; onClose: () => void }) {
  const { notify } = useKit();
  const release = useChange(privacy.releaseHold, {
    refresh: [privacy.getRetention, proposals.listStaffProposals],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `The hold on ${about} is released.` });
      onClose();
    },
  });
  const form = useForm(
    privacy.releaseHold.body,
    { reason: '' },
    {
      name: `release-hold-${legalHoldId}`,
      ifEmpty: { reason: 'Enter why the data is no longer needed' },
      change: release,
      send: body => release.mutate({ legalHoldId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Release the hold on ${about}?`}>
      <ActForm form={form} act="Release" kind="danger" onClose={onClose}>
        <p>A second person approves it. Data whose time is over by then is deleted with the next run, and can’t be restored.</p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
