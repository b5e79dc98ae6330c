import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { invoiceDay } from '@portal/app-kit/words/billing-words';
import { type Holiday, type MembershipPlan, memberships } from '@portal/contract/billing/memberships';
import { Button, DateText, EmptyState, Field, Sheet, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './Memberships.module.css';

/** The registry’s holidays: no invoice is due and no account is suspended or closed on one. */
export function Holidays({ plan: { holidays, today } }: { plan: MembershipPlan }) {
  const [adding, setAdding] = useState(false);
  const refusal = useRefusal(memberships.addHolidays);
  return (
    <Sheet
      title="Holidays"
      meta={holidays.length > 0 && <span>{holidays.length}</span>}
      actions={
        <Button size="s" refusal={refusal} refusalIn="note" onClick={() => setAdding(true)}>
          Add holidays
        </Button>
      }
    >
      {holidays.length === 0 ? (
        <EmptyState title="No holidays" picture={false}>
          On a holiday no invoice is due, and no account is suspended or closed. Each moves to the next day.
        </EmptyState>
      ) : (
        <>
          <p className="quiet small">No invoice is due, and no account is suspended or closed on these days. Each moves to the next day.</p>
          <ul className={styles.holidays} aria-label="Holidays">
            {holidays.map(holiday => (
              <Line key={holiday.day} holiday={holiday} />
            ))}
          </ul>
        </>
      )}
      {adding && <AddHolidays today={today} onClose={() => setAdding(false)} />}
    </Sheet>
  );
}

function Line({ holiday: { day, name } }: { holiday: Holiday }) {
  const { notify } = useKit();
  const refusal = useRefusal(memberships.removeHoliday);
  const remove = useChange(memberships.removeHoliday, {
    refresh: [memberships.getPlan],
    onDone: () => notify({ text: `${name} is removed.` }),
  });
  return (
    <li>
      <span>
        <b>
          <DateText value={day} shape="day" format={invoiceDay} />
        </b>{' '}
        <bdi>{name}</bdi>
      </span>
      <Button
        size="s"
        variant="quiet"
        refusal={refusal}
        refusalIn="note"
        busy={remove.isPending}
        aria-label={`Remove ${name}, ${day}`}
        onClick={() => remove.mutate({ day })}
      >
        Remove
      </Button>
    </li>
  );
}

function AddHolidays({ today, onClose }: { today: string; onClose: () => void }) {
  const { notify } = useKit();
  const add = useChange(memberships.addHolidays, {
    refresh: [memberships.getPlan],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'Added. Issued invoices stay due when they were.' });
      onClose();
    },
  });
  const form = useForm(
    memberships.addHolidays.body,
    { from: '', to: '', name: '' },
    {
      name: 'holidays',
      ifEmpty: { from: 'Choose a date', name: 'Enter a name, such as Christmas Day' },
      toBody: ({ to, ...rest }) => ({ ...rest, ...(to !== '' && { to }) }),
      change: add,
      send: body => add.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Add holidays">
      <ActForm form={form} act="Add" onClose={onClose}>
        <Field label="Name" {...form.field('name')}>
          <TextInput {...form.input('name')} />
        </Field>
        <Field label="Day" {...form.field('from')}>
          <DateInput min={today} {...form.input('from')} />
        </Field>
        <Field label="Until" help="For several days in a row: the last of them." optional {...form.field('to')}>
          <DateInput min={today} {...form.input('to')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
