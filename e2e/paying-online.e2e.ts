import type { Page } from '@playwright/test';
import { stripeStandIn } from '../dev/stand-ins/stripe.ts';
import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';
import { paymentProvider } from './programs.ts';

test.describe.configure({ timeout: 150_000 });
test.use({ program: 'pays online' });

const main = (page: Page) => page.getByRole('main');

test('a member pays online: two clicks open one checkout, and it is paid when the provider confirms it, not when the browser returns', async ({
  page,
  address,
  watch,
}) => {
  watch.expect(/^Request to another host: http:\/\/127\.0\.0\.1:\d+\/pay\//);
  await using provider = await stripeStandIn(paymentProvider);
  // The provider’s own page, as far as a person sees it.
  await page.route('**/pay/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Pay</title><h1>Card</h1>' }),
  );
  await arriveAs(page, 'max', '/KELP-WS/index.html?to=/member-account-settings/billing');
  const pay = main(page).getByRole('button', { name: /^Pay online: INV-.*, with Stripe$/ });
  await expect(pay).toBeVisible();
  await expectAccessible(page);
  await pay.dblclick();
  await expect(page.getByRole('heading', { name: 'Card' })).toBeVisible({ timeout: 60_000 });
  expect(provider.sessions.size).toBe(1);
  const [session] = provider.sessions.values();

  // The return before the provider's confirmation.
  await page.goto(session!.success_url!);
  await expect(main(page).getByText('Waiting for the payment provider.')).toBeVisible();
  await expect(main(page).getByText('How to pay')).toBeVisible();
  await expectDrawn(page);
  const { body, signature } = provider.event('checkout.session.completed', session!);
  const sendEvent = (signed: string) =>
    fetch(`${address}/checkout-events/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signed },
      body,
    });
  expect((await sendEvent('t=1,v1=00')).status).toBe(400);
  expect((await sendEvent(signature)).status).toBe(200);
  await expect(main(page).getByText('Payment received.')).toBeVisible();
  await expect(main(page).getByText('How to pay')).toHaveCount(0);
  await expectAccessible(page);
  await expectDrawn(page);
});
