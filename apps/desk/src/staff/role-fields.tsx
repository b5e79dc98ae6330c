import type { HeldRole, Staff } from '@portal/contract/roles/roles';
import { Field, Select, TextArea } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import type { useForm } from '@portal/app-kit/form/use-form';

type Fields = Pick<ReturnType<typeof useForm<never, Record<'role' | 'startsAt' | 'until' | 'reason', string>>>, 'field' | 'input'>;

/** The roles that can still be given to someone who holds these. */
export const rolesToGive = ({ roles }: Staff, held: readonly HeldRole[]): { value: string; label: string }[] =>
  roles.filter(({ key }) => !held.some(({ role }) => role === key)).map(({ key, name }) => ({ value: key, label: name }));

/** Which role, from when until when, and why. */
export function RoleFields({ form, choices, who }: { form: Fields; choices: readonly { value: string; label: string }[]; who: string }) {
  return (
    <>
      <Field label="Role" {...form.field('role')}>
        <Select options={choices} {...form.input('role')} />
      </Field>
      <Field label="First day (optional)" help="From now unless you choose a day." {...form.field('startsAt')}>
        <DateInput {...form.input('startsAt')} />
      </Field>
      <Field
        label="Last day (optional)"
        help="For helpers and auditors from outside. The role ends automatically."
        {...form.field('until')}
      >
        <DateInput {...form.input('until')} />
      </Field>
      <Field label="Reason" help={`${who} reads it, and it stays in the log.`} {...form.field('reason')}>
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </>
  );
}
