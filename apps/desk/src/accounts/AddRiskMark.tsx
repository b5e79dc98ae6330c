import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { daysAfter } from '@portal/contract/days';
import { accountList } from '@portal/contract/data-quality/account-list';
import { desk } from '@portal/contract/staff/desk';
import { riskMarkDays, riskMarks } from '@portal/contract/staff/risk-marks';
import { Field, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Days for which a mark counts unless someone says otherwise. */
const USUAL_DAYS = 90;

/** Sets a risk mark on an account. `today`: a day of the registry. */
export function AddRiskMark({ accountName, today, onClose }: { accountName: string; today: string; onClose: () => void }) {
  const { notify } = useKit();
  const { earliest, latest } = riskMarkDays(today);
  const add = useChange(riskMarks.addRiskMark, {
    refresh: [desk.getAccountSheet, accountList.listStaffAccounts],
    showsErrors: true,
    onDone: () => {
      notify({ text: `The mark is set. Only registry staff see it.` });
      onClose();
    },
  });
  const outside = 'Choose a day from tomorrow to a year from today';
  const form = useForm(
    riskMarks.addRiskMark.body,
    { title: '', reason: '', endsOn: daysAfter(today, USUAL_DAYS) },
    {
      name: 'risk-mark',
      ifEmpty: {
        title: 'Enter what to look out for, such as Access asked from a new domain',
        reason: 'Enter what a colleague has to know',
        endsOn: outside,
      },
      check: ({ endsOn }): { endsOn?: string } => (endsOn < earliest || endsOn > latest ? { endsOn: outside } : {}),
      change: add,
      send: body => add.mutate({ accountName, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Add a risk mark to ${accountName}`}>
      <ActForm form={form} act="Add the mark" onClose={onClose}>
        <p>
          Colleagues see it, with your name, until it ends. Contacts of the account never do. If one of its people asks the registry for
          their data by law, someone reads it before they answer: write facts.
        </p>
        <Field label="Mark" {...form.field('title')}>
          <TextInput {...form.input('title')} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
        <Field label="Last day" help="A mark ends automatically after this day, a year from today at the latest." {...form.field('endsOn')}>
          <DateInput min={earliest} max={latest} {...form.input('endsOn')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
