import type { Page } from '@playwright/test';
import { chatStandIn } from '../dev/stand-ins/chat.ts';
import { stripeStandIn } from '../dev/stand-ins/stripe.ts';
import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';
import { chatPort, paymentProvider } from './programs.ts';

test.describe.configure({ timeout: 150_000 });
test.use({ program: 'other services' });

const main = (page: Page) => page.getByRole('main');

test('a member pays online: two clicks open one checkout, and it is paid when the provider confirms it, not when the browser returns', async ({
  page,
  address,
  watch,
}) => {
  watch.expect(/^Request to another host: http:\/\/127\.0\.0\.1:\d+\/(pay|embeddedservice|chat)/);
  await using provider = await stripeStandIn(paymentProvider);
  await using chat = await chatStandIn({ port: chatPort });
  await arriveAs(page, 'max', '/KELP-WS/index.html?to=/member-account-settings/billing');
  const pay = main(page)
    .getByRole('region', { name: 'How to pay' })
    .getByRole('button', { name: /^Pay online: INV-.*, with Stripe$/ });
  await expect(pay).toBeVisible();
  await expectAccessible(page);
  await pay.dblclick();
  await expect(page.getByRole('heading', { name: 'Card' })).toBeVisible({ timeout: 60_000 });
  expect(provider.sessions.size).toBe(1);
  const [session] = provider.sessions.values();

  // The return before the provider's confirmation.
  await page.getByRole('link', { name: 'Pay' }).click();
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
  expect(chat.asked).toContain('/embeddedservice/5.0/esw.min.js');
});

test('the chat of another service starts with who is signed in, and brings its own parts', { tag: '@firefox' }, async ({ page, watch }) => {
  watch.expect(/^Request to another host: http:\/\/127\.0\.0\.1:\d+\/(embeddedservice|chat|queue|room)/);
  await using chat = await chatStandIn({ port: chatPort });
  await arriveAs(page, 'max', '/KELP-WS/index.html?to=/settings');
  const open = page.getByRole('button', { name: 'Chat with an expert' });
  await expect(open.locator('img')).toHaveJSProperty('naturalWidth', 16);
  await open.click();
  const room = page.frameLocator('iframe[title="Chat"]');
  const value = (name: string) => room.locator(`dt:text-is("${name}") + dd`);
  await expect(value('Waiting')).toHaveText('2');
  await expect(value('Name')).toHaveText(/Max/);
  await expect(value('Email')).toHaveText(/@/);
  await expect(value('IdToken')).toHaveText(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(value('Account')).toHaveText('KELP-WS');
  expect(chat.asked).toEqual(expect.arrayContaining(['/chat-button.js', '/chat.css', '/chat.svg', '/queue', '/room']));
});
