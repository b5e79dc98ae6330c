import { useAddress } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { Banner } from '@portal/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCheckout } from './use-checkout.ts';

type Paid = { state: string; amount: string; currency: string };

type Props<Checkout> = {
  ask: (checkoutId: string) => Promise<Checkout | undefined>;
  /** The read to refetch once it is over. */
  refresh: { id: string };
  /** Number of what was paid. */
  numberOf: (checkout: Checkout) => string;
  /** Start of the sentence shown when the provider confirms the payment: `The invoice is`. */
  subject: string;
  /** Describes who gets which receipts. */
  receipts: string;
};

/** After the provider's page: says whether the provider has confirmed the payment, and waits until it has. */
export function CheckoutResult<Checkout extends Paid>({ ask, refresh, numberOf, subject, receipts }: Props<Checkout>) {
  const checkoutId = useAddress().get('checkout');
  const client = useQueryClient();
  const [ended, setEnded] = useState<Checkout | null>(null);
  useCheckout(
    checkoutId,
    ask,
    ({ state }) => state === 'paid' || state === 'failed',
    checkout => {
      setEnded(checkout);
      void client.invalidateQueries({ queryKey: [refresh.id] });
    },
  );
  if (checkoutId === null) return null;
  if (ended?.state === 'paid')
    return (
      <Banner kind="success" title="Payment received.">
        {money(ended.currency, ended.amount)} was paid for {numberOf(ended)}. {receipts}
      </Banner>
    );
  if (ended?.state === 'failed')
    return (
      <Banner kind="warning" title="The payment failed.">
        The provider took no money for {numberOf(ended)}. Pay again, or by bank transfer.
      </Banner>
    );
  return (
    <Banner kind="info" title="Waiting for the payment provider.">
      {subject} paid when the provider confirms it. That takes seconds for cards and days for bank debits; you can leave this page.
    </Banner>
  );
}
