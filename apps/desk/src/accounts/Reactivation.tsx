import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffAccountBilling } from '@portal/contract/billing/billing';
import { reactivations } from '@portal/contract/billing/reactivations';
import { desk } from '@portal/contract/staff/desk';
import { Button, ButtonRow, Checkbox, DateText, Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './AccountPage.module.css';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

type State = NonNullable<StaffAccountBilling['reactivation']>;
const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;
const isZero = (amount: string): boolean => /^0+(\.0+)?$/.test(amount);

/** Whether and for what a closed account can be opened again, and the act for it. */
export function Reactivation({ accountName, answer, own }: { accountName: string; answer: StaffAccountBilling; own: boolean }) {
  const { reactivation: now, currency } = answer;
  const [asking, setAsking] = useState<'start' | 'end' | null>(null);
  const refusals = { start: useRefusal(reactivations.startReactivation), end: useRefusal(reactivations.endReactivation) };
  if (!now) return null;
  const notOwn = own ? { reason: 'You’re a contact of this account. A colleague has to do this.' } : null;
  const due = [
    ...(isZero(now.fee) ? [] : [`the fee of ${money(currency, now.fee)} before tax`]),
    ...(isZero(now.owed) ? [] : [`${money(currency, now.owed)} of unpaid invoices`]),
  ].join(' and ');
  return (
    <>
      <div className={styles.credit}>
        <span>
          {now.closedOn && (
            <>
              Closed on <Day value={now.closedOn} />.{' '}
            </>
          )}
          {now.state === 'too-late' && 'It can no longer be reactivated. The organisation applies for a new membership.'}
          {now.state === 'possible' && (
            <>
              It can be reactivated until <Day value={now.until!} />
              {due === '' ? '' : ` for ${due}`}.
            </>
          )}
          {now.state === 'possible' && now.staffOnly !== null && ` Only you can start it, because ${now.staffOnly}.`}
          {now.state === 'open' && now.staffOnly !== null && `It waits for your decision, because ${now.staffOnly}. `}
          {now.state === 'open' && (
            <>
              Reactivation started. The account opens within a minute of full payment, due by <Day value={now.until!} />
              {isZero(now.owed) ? '' : `. ${money(currency, now.owed)} of its invoices is unpaid`}.
            </>
          )}
        </span>
        <ButtonRow>
          {(now.state === 'possible' || (now.state === 'open' && now.staffOnly !== null)) && (
            <Button size="s" refusal={refusals.start ?? notOwn} refusalIn="note" onClick={() => setAsking('start')}>
              Reactivate
            </Button>
          )}
          {(now.state === 'open' || (now.state === 'possible' && now.staffOnly === null)) && (
            <Button size="s" refusal={refusals.end ?? notOwn} refusalIn="note" onClick={() => setAsking('end')}>
              {now.state === 'open' ? 'End the reactivation' : 'Keep it closed'}
            </Button>
          )}
        </ButtonRow>
      </div>
      {asking === 'start' && <Start accountName={accountName} now={now} currency={currency} due={due} onClose={() => setAsking(null)} />}
      {asking === 'end' && <End accountName={accountName} open={now.state === 'open'} onClose={() => setAsking(null)} />}
    </>
  );
}

const refreshed = [billing.getStaffBilling, desk.getAccountSheet];

function Start({
  accountName,
  now,
  currency,
  due,
  onClose,
}: {
  accountName: string;
  now: State;
  currency: string;
  due: string;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const start = useChange(reactivations.startReactivation, {
    refresh: refreshed,
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `The reactivation of ${accountName} started. Its contacts get an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    reactivations.startReactivation.body,
    { reason: '', waiveFee: false },
    {
      name: 'reactivation',
      ifEmpty: { reason: 'Enter a reason. It’s kept with the account.' },
      change: start,
      send: body => start.mutate({ accountName, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Reactivate ${accountName}`}>
      <ActForm form={form} act="Start the reactivation" onClose={onClose}>
        <p className="small">
          {due === '' ? 'Nothing is owed: the account opens within a minute.' : `The account opens when it has paid ${due}.`} Its contacts
          get an e-mail, and can read the reason.
        </p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
        {now.state === 'possible' && !isZero(now.fee) && (
          <Checkbox checked={form.values.waiveFee ?? false} onChange={event => form.set({ waiveFee: event.target.checked })}>
            Waive the fee of {money(currency, now.fee)}
          </Checkbox>
        )}
      </ActForm>
    </Dialog>
  );
}

function End({ accountName, open, onClose }: { accountName: string; open: boolean; onClose: () => void }) {
  return (
    <ReasonDialog
      endpoint={reactivations.endReactivation}
      body={reactivations.endReactivation.body}
      params={{ accountName }}
      name="reactivation-end"
      title={open ? `End the reactivation of ${accountName}?` : `Keep ${accountName} closed?`}
      act={open ? 'End the reactivation' : 'Keep it closed'}
      keep={open ? 'Keep it open' : 'Cancel'}
      ifEmpty="Enter a reason. It’s kept with the account."
      done={`${accountName} stays closed.`}
      refresh={refreshed}
      onClose={onClose}
    >
      <p className="small">
        {open && 'Its fee is cancelled; what was paid for it becomes account credit. '}Its contacts can’t start a reactivation any more: you
        can. They can read the reason.
      </p>
    </ReasonDialog>
  );
}
