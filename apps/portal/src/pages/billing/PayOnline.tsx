import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { billing } from '@portal/contract/billing/billing';
import { checkouts } from '@portal/contract/billing/checkouts';
import { Button } from '@portal/ui';
import { CheckoutResult } from './CheckoutResult.tsx';
import { useCheckoutPage } from './use-checkout.ts';

/** Asks for a checkout of the account. */
function useAsk() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  return async (checkoutId: string) => (await call(checkouts.getCheckout, { account, checkoutId })).data;
}

/** Leads to the payment provider's page for what is due of an invoice. */
export function PayOnline({ number, provider }: { number: string; provider: string }) {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(checkouts.startCheckout);
  const { leads, lead } = useCheckoutPage(useAsk());
  const start = useChange(checkouts.startCheckout, { onDone: ({ checkoutId }) => lead(checkoutId) });
  return (
    <Button
      variant="commit"
      refusal={refusal}
      refusalIn="note"
      busy={start.isPending || leads}
      aria-label={`Pay online: ${number}, with ${provider}`}
      onClick={() => start.mutate({ account, invoiceNumber: number })}
    >
      Pay online
    </Button>
  );
}

/** The result of paying online, after the provider's page. */
export function PaidOnline() {
  const { accountName: account } = useAccount();
  return (
    <CheckoutResult
      ask={useAsk()}
      refresh={billing.getBilling}
      numberOf={({ invoiceNumber }) => invoiceNumber}
      subject="The invoice is"
      receipts={`${account} gets the receipt by e-mail.`}
    />
  );
}
