import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
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
  const [economy, setEconomy] = useState(account.economy ?? '');
  const [reason, setReason] = useState('');
  const change = useChange(organisations.setEconomy, {
    refresh: [desk.getAccountSheet],
    showsErrors: true,
    onProposed: () => setOpen(false),
    onDone: () => {
      notify({ text: `The economy of ${accountName} is changed. Its corporate contacts get an e-mail.` });
      setOpen(false);
    },
  });
  if (!isOpen)
    return (
      <div className={styles.form}>
        <Button
          size="s"
          refusal={refusal ?? (own ? { reason: 'You are a contact of this account: somebody else changes it' } : null)}
          onClick={() => setOpen(true)}
        >
          Change the economy
        </Button>
      </div>
    );
  const problems = {
    economy: /^[a-z]{2}$/i.test(economy.trim()) ? undefined : 'Write two letters such as AU (ISO 3166)',
    reason: reason.trim() === '' ? 'Write the reason: the member reads it' : undefined,
  };
  return (
    <div className={styles.form}>
      <ActForm
        label="Change the economy"
        change={change}
        ready={!problems.economy && !problems.reason}
        act="Change the economy"
        onAct={() => change.mutate({ accountName, body: { version, economy: economy.trim(), reason: reason.trim() } })}
        onClose={() => setOpen(false)}
      >
        {sent => (
          <>
            <Field
              label="Economy"
              help="Taxes and discounts that depend on it change with the next invoice."
              error={sent ? problems.economy : undefined}
            >
              <TextInput
                mono
                value={economy}
                maxLength={2}
                autoComplete="off"
                spellCheck={false}
                onChange={event => setEconomy(event.target.value)}
              />
            </Field>
            <Field label="Reason" error={sent ? problems.reason : undefined}>
              <TextArea rows={2} maxLength={500} value={reason} onChange={event => setReason(event.target.value)} />
            </Field>
          </>
        )}
      </ActForm>
    </div>
  );
}
