import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { utcDay } from '@portal/contract/days';
import { Field } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Returns the day for a date field: a helper's time ends with it, at midnight UTC. */
const lastDay = (until: string): string => utcDay(Date.parse(until) - 1);

/** Until when a helper acts for the account: later, or sooner. */
export function HelperEnd({ contact, until, onClose }: { contact: Contact; until: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { contactId, version, fullName } = contact;
  const change = useChange(contacts.setHelperEnd, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${fullName} helps ${account} until ${form.values.until}, no longer.` });
      onClose();
    },
  });
  const form = useForm(
    contacts.setHelperEnd.body,
    { until: lastDay(until) },
    {
      name: 'helper-end',
      toBody: ({ until: day }) => ({ version, until: day }),
      change,
      send: body => change.mutate({ account, contactId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Until when ${fullName} helps`}>
      <ActForm form={form} act="Save" onClose={onClose}>
        <Field label="Last day (UTC)" help="At most a year ahead. Access ends automatically." {...form.field('until')}>
          <DateInput {...form.input('until')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
