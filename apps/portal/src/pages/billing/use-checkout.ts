import { useEffect, useEffectEvent, useState } from 'react';

/** Polling interval of a checkout, in ms. */
const EVERY_MS = 1500;

type Asks<Checkout> = (checkoutId: string) => Promise<Checkout | undefined>;

/** Polls a checkout until `until` is true for it; calls `then` once. */
export function useCheckout<Checkout>(
  checkoutId: string | null,
  ask: Asks<Checkout>,
  until: (checkout: Checkout) => boolean,
  then: (checkout: Checkout) => void,
): void {
  /** Returns whether polling is done. */
  const look = useEffectEvent(async (id: string, isOver: () => boolean): Promise<boolean> => {
    const checkout = await ask(id);
    if (isOver() || !checkout || !until(checkout)) return isOver();
    then(checkout);
    return true;
  });
  useEffect(() => {
    if (checkoutId === null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askAgain = async (): Promise<void> => {
      if (!(await look(checkoutId, () => isOver))) timer = setTimeout(() => void askAgain(), EVERY_MS);
    };
    void askAgain();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [checkoutId]);
}

/** Waits for the provider's page of a new checkout, and redirects to it; `lead` starts that, and `leads` is true meanwhile. */
export function useCheckoutPage(ask: Asks<{ state: string; page: string | null }>): { leads: boolean; lead: (checkoutId: string) => void } {
  const [waiting, setWaiting] = useState<string | null>(null);
  useCheckout(
    waiting,
    ask,
    ({ state }) => state !== 'starting',
    ({ page }) => {
      if (page) location.assign(page);
      else setWaiting(null);
    },
  );
  return { leads: waiting !== null, lead: setWaiting };
}
