import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type JointBilling, jointBilling, type JointPayment } from '@portal/contract/billing/joint-billing';
import { Button, CopyButton, DateText, Sheet } from '@portal/ui';
import { CheckoutResult } from '../CheckoutResult.tsx';
import { useCheckoutPage } from '../use-checkout.ts';
import styles from './JointBilling.module.css';

/** Unpaid payments for several invoices: instructions, references, and their invoices. */
export function JointPayments({ answer: { payments, paymentInstructions, payOnline } }: { answer: JointBilling }) {
  return (
    <Sheet title="Pay together" meta={<span>{payments.length}</span>}>
      <div className={styles.instructions}>
        {paymentInstructions.map(words => (
          <p key={words}>{words}</p>
        ))}
        <p className="quiet small">
          Quote only the reference. The full amount must arrive: the payer covers bank charges and withheld taxes.
        </p>
      </div>
      <ul className={styles.payments} aria-label="Payments for several invoices">
        {payments.map(payment => (
          <Payment key={payment.number} payment={payment} provider={payOnline} />
        ))}
      </ul>
    </Sheet>
  );
}

function Payment({
  payment: { number, paymentReference, amount, currency, invoices, requestedOn },
  provider,
}: {
  payment: JointPayment;
  provider: string | null;
}) {
  const { notify } = useKit();
  const discard = useChange(jointBilling.discardJointPayment, {
    refresh: [jointBilling.getJointBilling],
    onDone: () => notify({ text: `${number} is no longer listed. The invoices are still due.` }),
  });
  return (
    <li className={styles.payment}>
      <div className={styles.facts}>
        <p>
          <b>{money(currency, amount)}</b>, reference <b className={styles.reference}>{paymentReference}</b>{' '}
          <CopyButton text={paymentReference} label={`Copy the reference ${paymentReference}`} />
        </p>
        <ul className="quiet small">
          {invoices.map(invoice => (
            <li key={invoice.number}>
              {invoice.number} of {invoice.accountName}: {invoice.balance === '0.00' ? 'paid' : money(currency, invoice.balance)}
            </li>
          ))}
        </ul>
        <p className="quiet small">
          Created on <DateText value={requestedOn} shape="date" format={invoiceDay} />
        </p>
      </div>
      <div className={styles.acts}>
        {provider !== null && <PayTogether number={number} provider={provider} />}
        <Button
          size="s"
          variant="quiet"
          busy={discard.isPending}
          aria-label={`Discard ${number}`}
          onClick={() => discard.mutate({ paymentNumber: number })}
        >
          Discard
        </Button>
      </div>
    </li>
  );
}

/** Asks for a checkout of the person. */
function useAsk() {
  const { call } = useKit();
  return async (checkoutId: string) => (await call(jointBilling.getJointCheckout, { checkoutId })).data;
}

/** Leads to the payment provider’s page for all of them. */
function PayTogether({ number, provider }: { number: string; provider: string }) {
  const refusal = useRefusal(jointBilling.startJointCheckout);
  const { leads, lead } = useCheckoutPage(useAsk());
  const start = useChange(jointBilling.startJointCheckout, { onDone: ({ checkoutId }) => lead(checkoutId) });
  return (
    <Button
      variant="commit"
      size="s"
      refusal={refusal}
      refusalIn="note"
      busy={start.isPending || leads}
      aria-label={`Pay online: ${number}, with ${provider}`}
      onClick={() => start.mutate({ paymentNumber: number })}
    >
      Pay online
    </Button>
  );
}

/** The result of paying several invoices online, after the provider’s page. */
export const PaidTogether = () => (
  <CheckoutResult
    ask={useAsk()}
    refresh={jointBilling.getJointBilling}
    numberOf={({ paymentNumber }) => paymentNumber}
    subject="The invoices are"
    receipts="Each account gets its receipts by e-mail."
  />
);
