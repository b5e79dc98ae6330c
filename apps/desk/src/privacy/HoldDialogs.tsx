import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type EndingKind, type LegalHold, privacy } from '@portal/contract/privacy/privacy';
import { proposals } from '@portal/contract/proposals/proposals';
import { Field, Select, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Places a legal hold on an account or a person. */
export function HoldDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { notify } = useKit();
  const place = useChange(privacy.placeHold, {
    refresh: [privacy.getRetention],
    showsErrors: true,
    onDone: ({ about }) => {
      notify({ text: `Data of ${about} is on hold.` });
      onDone();
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
        <p>
          Data with an end isn’t deleted until two people release the hold, even if its time is over. Only data that this page lists is
          held: not what members change or remove themselves, nor sessions and messages about listings, which are deleted within a year.
        </p>
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
        <Field label={form.values.kind === 'account' ? 'Account' : 'User name'} {...form.field('about')}>
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
export function ReleaseDialog({
  hold: { legalHoldId, about },
  onDone,
  onClose,
}: {
  hold: LegalHold;
  onDone: () => void;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const release = useChange(privacy.releaseHold, {
    refresh: [privacy.getRetention, proposals.listStaffProposals],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `The hold on ${about} is released.` });
      onDone();
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

/** Proposes to let runs delete a large part of a kind of data: a second person approves it. */
export function AgreeDialog({ row: { kind, data }, onClose }: { row: EndingKind; onClose: () => void }) {
  const { notify } = useKit();
  const agree = useChange(privacy.agreeToEnding, {
    refresh: [privacy.getRetention, proposals.listStaffProposals],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: 'The next run deletes what is over.' });
      onClose();
    },
  });
  const form = useForm(
    privacy.agreeToEnding.body,
    { reason: '' },
    {
      name: `agree-${kind}`,
      ifEmpty: { reason: 'Enter why so much is over' },
      change: agree,
      send: body => agree.mutate({ kind, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Delete a large part of this data?">
      <ActForm form={form} act="Let it run" kind="danger" onClose={onClose}>
        <p>
          {data}: more than a fifth is over. Check that the clock and the period are right. A second person approves it. Deleted data can’t
          be restored.
        </p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
