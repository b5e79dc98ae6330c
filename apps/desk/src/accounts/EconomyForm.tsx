import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { organisations } from '@portal/contract/organisations/organisations';
import { type AccountSheet, desk } from '@portal/contract/staff/desk';
import { Button, Field, TextArea, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';

/** The economy of an account is registry staff's to change: taxes and discounts follow it. */
export function EconomyForm({ sheet: { account, version, own } }: { sheet: AccountSheet }) {
  const { accountName } = account;
  const { notify } = useKit();
  const refusal = useRefusal(organisations.setEconomy);
  const [isOpen, setOpen] = useState(false);
  const change = useChange(organisations.setEconomy, {
    refresh: [desk.getAccountSheet],
    showsErrors: true,
    onProposed: () => setOpen(false),
    onDone: () => {
      notify({ text: `The economy of ${accountName} is changed. Its corporate contacts get an e-mail.` });
      setOpen(false);
    },
  });
  const form = useForm(
    organisations.setEconomy.body,
    { economy: account.economy ?? '', reason: '' },
    {
      name: 'economy',
      toBody: values => ({ ...values, version }),
      ifEmpty: { reason: 'Enter a reason. The member sees it.' },
      change,
      send: body => change.mutate({ accountName, body }),
    },
  );
  if (!isOpen)
    return (
      <div className={styles.form}>
        <Button
          size="s"
          refusal={refusal ?? (own ? { reason: 'You’re a contact of this account. A colleague has to do this.' } : null)}
          onClick={() => setOpen(true)}
        >
          Change the economy
        </Button>
      </div>
    );
  return (
    <div className={styles.form}>
      <ActForm
        form={form}
        label="Change the economy"
        act="Change the economy"
        onClose={() => {
          form.reset();
          setOpen(false);
        }}
      >
        <Field label="Economy" help="Taxes and discounts change from the next invoice." {...form.field('economy')}>
          <TextInput mono {...form.input('economy')} maxLength={2} spellCheck={false} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </div>
  );
}
