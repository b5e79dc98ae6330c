import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Erasure, privacy } from '@portal/contract/privacy/privacy';
import { proposals } from '@portal/contract/proposals/proposals';
import { Field, TextArea, TextInput } from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';

/** Files a request to erase a person who can’t sign in. */
export function FileDialog({ waitDays, onClose, onDone }: { waitDays: number; onClose: () => void; onDone: () => void }) {
  const { notify } = useKit();
  const file = useChange(privacy.fileErasure, {
    refresh: [privacy.countErasures],
    showsErrors: true,
    onDone: ({ username }) => {
      notify({ text: `The request to erase ${username} is filed.` });
      onClose();
      onDone();
    },
  });
  const form = useForm(
    privacy.fileErasure.body,
    { username: '', reason: '' },
    {
      name: 'file-erasure',
      ifEmpty: { username: 'Enter a user name, such as nadia', reason: 'Enter how the person was identified, and the ticket' },
      change: file,
      send: body => file.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="File an erasure request">
      <ActForm form={form} act="File the request" onClose={onClose}>
        <p>
          For a person who asked and can’t sign in. Each of their addresses gets an e-mail, and the request waits {waitDays} days before two
          people can carry it out.
        </p>
        <Field label="User name" {...form.field('username')}>
          <TextInput {...form.input('username')} />
        </Field>
        <Field label="How the person was identified" help="Such as the document that you saw, and the ticket." {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

/** @property onDone what was listed is another list now */
type DialogProps = { erasure: Erasure; onClose: () => void; onDone: () => void };

/** Refuses a request; its person gets the reason. */
export function RefuseDialog({ erasure: { erasureId, username }, onClose, onDone }: DialogProps) {
  const { notify } = useKit();
  const refuse = useChange(privacy.refuseErasure, {
    refresh: [privacy.countErasures],
    showsErrors: true,
    onDone: () => {
      notify({ text: `The request to erase ${username} is refused.` });
      onClose();
      onDone();
    },
  });
  const form = useForm(
    privacy.refuseErasure.body,
    { reason: '' },
    {
      name: `refuse-erasure-${erasureId}`,
      ifEmpty: { reason: 'Enter why; the person reads it' },
      change: refuse,
      send: body => refuse.mutate({ erasureId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Refuse to erase ${username}?`}>
      <ActForm form={form} act="Refuse" onClose={onClose}>
        <p>The person gets the reason by e-mail, and can ask again.</p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

/** Proposes to erase a person: a second person approves it. */
export function EraseDialog({ erasure: { erasureId, username }, onClose, onDone }: DialogProps) {
  const { notify } = useKit();
  const erase = useChange(privacy.erasePerson, {
    refresh: [privacy.countErasures, proposals.listStaffProposals],
    onProposed: onClose,
    onDone: () => {
      notify({ text: 'The person is erased.' });
      onClose();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Erase ${username}?`}
      act="Erase"
      keep="Cancel"
      kind="danger"
      busy={erase.isPending}
      onAct={() => erase.mutate({ erasureId })}
    >
      <p>
        A second person approves it. The login ends immediately, access to accounts is withdrawn and API keys of the person are revoked.
        Their data is deleted or replaced with “Erased person”, in the history too. It can’t be undone. They get a last e-mail.
      </p>
    </ConfirmDialog>
  );
}
