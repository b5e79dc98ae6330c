import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { roles, type Staff } from '@portal/contract/roles/roles';
import { Field, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { checkPeriod, RoleFields, rolesToGive } from './role-fields.tsx';
import { instantOf } from './staff-words.ts';

/** Invites a person by e-mail, with their first role. */
export function InviteDialog({ staff, onClose }: { staff: Staff; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(roles.inviteStaff, {
    refresh: [roles.listStaff],
    showsErrors: true,
    onDone: (_, { body }) => {
      notify({ text: `${body.fullName} gets an e-mail at ${body.email}.` });
      onClose();
    },
  });
  const form = useForm(
    roles.inviteStaff.body,
    { fullName: '', email: '', role: '', startsAt: '', until: '', reason: '' },
    {
      name: 'invite-staff',
      ifEmpty: {
        fullName: 'Enter a name',
        email: 'Enter an e-mail address, such as ola@registry.example',
        role: 'Choose a role',
        reason: 'Say why, such as Joins the finance team',
      },
      check: checkPeriod,
      toBody: ({ startsAt, until, ...values }) => ({
        ...values,
        startsAt: instantOf(startsAt, 'begin'),
        until: instantOf(until, 'end'),
      }),
      change,
      send: body => change.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Invite registry staff">
      <ActForm form={form} act="Send the invitation" onClose={onClose}>
        <p className="small">
          They choose a password with the link in the e-mail, and add a second factor when they first sign in. Who has a login accepts with
          it.
          {staff.secondPersonDays > 0 &&
            ` For ${staff.secondPersonDays} days they can’t approve what you propose, or what colleagues propose who got a role from you lately.`}
        </p>
        <Field label="Name" {...form.field('fullName')}>
          <TextInput {...form.input('fullName')} />
        </Field>
        <Field label="E-mail address" {...form.field('email')}>
          <TextInput type="email" {...form.input('email')} />
        </Field>
        <RoleFields form={form} choices={rolesToGive(staff, [])} who="The person" />
      </ActForm>
    </Dialog>
  );
}
