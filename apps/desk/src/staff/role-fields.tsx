import type { HeldRole, Staff } from '@portal/contract/roles/roles';
import { Field, Select, TextArea } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import type { useForm } from '@portal/app-kit/form/use-form';

type Fields = Pick<ReturnType<typeof useForm<never, Record<'role' | 'startsAt' | 'until' | 'reason', string>>>, 'field' | 'input'>;

/** The roles that can still be given to someone who holds these. */
export const rolesToGive = ({ roles }: Staff, held: readonly HeldRole[]): { value: string; label: string }[] =>
  roles.filter(({ key }) => !held.some(({ role }) => role === key)).map(({ key, name }) => ({ value: key, label: name }));

/** The error of a last day before the first one. */
export const checkPeriod = ({ startsAt, until }: { startsAt: string; until: string }): { until?: string } =>
  startsAt !== '' && until !== '' && until < startsAt ? { until: 'Choose a day on or after the first one' } : {};

/** Which role, from when until when, and why. */
export function RoleFields({ form, choices, who }: { form: Fields; choices: readonly { value: string; label: string }[]; who: string }) {
  return (
    <>
      <Field label="Role" {...form.field('role')}>
        <Select options={[{ value: '', label: 'Choose a role' }, ...choices]} {...form.input('role')} />
      </Field>
      <Field label="First day (optional)" help="Without a day, the role applies immediately." {...form.field('startsAt')}>
        <DateInput {...form.input('startsAt')} />
      </Field>
      <Field
        label="Last day (optional)"
        help="The role ends automatically after this day, such as for an auditor from outside."
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
