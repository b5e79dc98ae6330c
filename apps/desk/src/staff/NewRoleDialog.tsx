import { conflictInWords, staffPermissionWords } from '@portal/contract/staff-permission-words';
import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { conflictsIn } from '@portal/contract/staff-roles';
import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { roles, type Staff } from '@portal/contract/roles/roles';
import { Checkbox, Field, FieldGroup, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** A role of the registry's own. Permissions that policy keeps apart are refused while they are ticked. */
export function NewRoleDialog({ staff: { conflicts }, onClose }: { staff: Staff; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(roles.addRole, {
    refresh: [roles.listStaff],
    showsErrors: true,
    onDone: (_, { body }) => {
      notify({ text: `The role ${body.name} can be given now.` });
      onClose();
    },
  });
  const form = useForm(
    roles.addRole.body,
    { name: '', permissions: '' },
    {
      name: 'new-role',
      ifEmpty: { name: 'Enter a name, such as Fees', permissions: 'Choose at least one permission' },
      check: ({ permissions }) => {
        const [conflict] = conflictsIn(permissions.split(' '), conflicts);
        return conflict ? { permissions: `Policy keeps ${conflictInWords(conflict)} in different hands` } : {};
      },
      toBody: ({ name, permissions }) => ({ name, permissions: permissions.split(' ') as StaffPermission[] }),
      change,
      send: body => change.mutate({ body }),
    },
  );
  const chosen = form.values.permissions.split(' ').filter(Boolean);
  const field = form.field('permissions');
  return (
    <Dialog open onClose={onClose} title="New role">
      <ActForm form={form} act="Add the role" onClose={onClose}>
        <Field label="Name" {...form.field('name')}>
          <TextInput {...form.input('name')} />
        </Field>
        <FieldGroup legend="Permissions" error={field.error}>
          <Stack gap={4}>
            {staffPermissionKeys.map((key, index) => (
              <Checkbox
                key={key}
                id={index === 0 ? field.id : undefined}
                checked={chosen.includes(key)}
                onChange={({ target }) =>
                  form.set({
                    permissions: staffPermissionKeys.filter(each => (each === key ? target.checked : chosen.includes(each))).join(' '),
                  })
                }
              >
                {staffPermissionWords[key]}
              </Checkbox>
            ))}
          </Stack>
        </FieldGroup>
      </ActForm>
    </Dialog>
  );
}
