import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type AccountBilling, billing } from '@portal/contract/billing/billing';
import { reactivations } from '@portal/contract/billing/reactivations';
import { Button, ButtonRow, DateText, Sheet, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

type State = NonNullable<AccountBilling['reactivation']>;
const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;
const isZero = (amount: string): boolean => /^0+(\.0+)?$/.test(amount);

/** Returns the fee and what is unpaid, as words. */
const priceOf = ({ fee, owed }: State, currency: string): string =>
  [
    ...(isZero(fee) ? [] : [`a fee of ${money(currency, fee)} before tax`]),
    ...(isZero(owed) ? [] : [`${money(currency, owed)} of unpaid invoices`]),
  ].join(' and ');

/** Whether, until when and for what a closed account can be opened again, and the act for it. */
export function Reactivation({ account, answer }: { account: string; answer: AccountBilling }) {
  const [asking, setAsking] = useState(false);
  const refusal = useRefusal(reactivations.reactivateAccount);
  const {
    environment: { supportEmail },
  } = useKit();
  const { reactivation: now, currency } = answer;
  if (!now) return null;
  const price = priceOf(now, currency);
  return (
    <Sheet title="Reactivation">
      <Stack gap={12}>
        <p>
          {now.closedOn && (
            <>
              The account closed on <Day value={now.closedOn} />.{' '}
            </>
          )}
          {now.state === 'possible' && (
            <>
              It can be opened again until <Day value={now.until!} />
              {price === '' ? '' : `, for ${price}`}.{' '}
            </>
          )}
          {now.state === 'open' && (
            <>
              It opens within a minute when everything is paid, until <Day value={now.until!} />.
              {isZero(now.owed) ? ' The invoice of its fee follows by e-mail.' : ` ${money(currency, now.owed)} is unpaid.`}
            </>
          )}
          {now.state !== 'too-late' && now.staffOnly !== null && (
            <>
              {' '}
              Registry staff decide, because {now.staffOnly}: write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
            </>
          )}
          {now.state === 'too-late' && (
            <>
              It can no longer be opened again. The organisation applies for a new membership.
              {isZero(now.owed) ? '' : ` ${money(currency, now.owed)} of its invoices is unpaid.`}
            </>
          )}
        </p>
        {now.state !== 'open' && !isZero(now.owed) && <p>Its invoices can still be paid. Paying alone doesn’t open it.</p>}
        {now.state === 'possible' && now.staffOnly === null && (
          <ButtonRow>
            <Button variant="commit" refusal={refusal} onClick={() => setAsking(true)}>
              Reactivate
            </Button>
          </ButtonRow>
        )}
      </Stack>
      {asking && <Ask account={account} now={now} price={price} onClose={() => setAsking(false)} />}
    </Sheet>
  );
}

function Ask({ account, now: { fee, owed }, price, onClose }: { account: string; now: State; price: string; onClose: () => void }) {
  const { notify } = useKit();
  const start = useChange(reactivations.reactivateAccount, {
    refresh: [billing.getBilling],
    onDone: ({ reactivation }) => {
      notify({
        text: isZero(reactivation?.fee ?? '0')
          ? `${account} opens when its invoices are paid.`
          : 'The invoice of the fee comes within a minute.',
      });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Reactivate ${account}?`}>
      <p>
        {price === ''
          ? 'Nothing is due, and the account opens within a minute.'
          : `It opens when everything is paid: ${price}. All contacts get an e-mail.`}{' '}
        Number resources that went back to the registry stay there. ROAs of what it still holds are published again as they were: check
        them.
      </p>
      <ButtonRow>
        <Button variant="commit" busy={start.isPending} onClick={() => start.mutate({ account, body: { fee, owed } })}>
          Reactivate
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </ButtonRow>
    </Dialog>
  );
}
