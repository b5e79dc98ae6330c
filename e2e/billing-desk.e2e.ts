import { daysAfter } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// The last story depends on the first.
test.describe.configure({ mode: 'serial', timeout: 150_000 });
test.beforeEach(() => ['stella', 'stan', 'dora', 'ravi'].forEach(forget));

const account = 'SOUTHSITE-NZ';
const main = (page: Page) => page.getByRole('main');
const invoices = (page: Page) =>
  main(page)
    .getByRole('list', { name: `Invoices of ${account}` })
    .getByRole('listitem');

/** A second person of the registry approves what the first one proposed for the account. */
async function approve(browser: Browser, of: Page, what: string, by = 'stan'): Promise<void> {
  const page = await (await browser.newContext({ baseURL: new URL(of.url()).origin })).newPage();
  await arriveAs(page, by, '/desk/approvals');
  const proposal = page.getByRole('region', { name: `${what}, ${account}` });
  await expectAccessible(page);
  // Check the registry's answer first: a refusal has its reason, and a slow machine gets its time.
  const answered = page.waitForResponse(answer => answer.url().endsWith('/approve'), { timeout: 60_000 });
  await proposal.getByRole('button', { name: 'Approve' }).click();
  const answer = await answered;
  expect(answer.status(), await answer.text()).toBe(200);
  await expect(page.getByText('Approved and applied.')).toBeVisible();
  await page.context().close();
}

test('staff cancel a renewal, and bill it again', async ({ page }) => {
  await arriveAs(page, 'stella', `/desk/accounts/${account}`);
  await page.getByRole('button', { name: /^Cancel INV-/ }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Cancel INV-/ });
  await dialog.getByLabel('Reason').fill('Counted a block that was given back');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel the invoice' }).click();
  await expect(page.getByText(/^INV-.* is cancelled\. /)).toBeVisible();
  await expect(invoices(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Bill it again' }).click();
  const again = page.getByRole('dialog', { name: 'Bill the renewal again?' });
  await again.getByRole('button', { name: 'Bill it again' }).click();
  await expect(again.getByText('Enter a reason. It’s kept with the account.').first()).toBeVisible();
  await again.getByLabel('Reason').fill('The ledger is corrected');
  await expectAccessible(page);
  await again.getByRole('button', { name: 'Bill it again' }).dblclick();
  await expect(main(page).getByText('The cancelled renewal is billed again within a minute.')).toBeVisible();
});

test('staff enter holidays, and a suspension moves to the day after them', async ({ page, watch }) => {
  watch.expect(/status of 400/);
  await arriveAs(page, 'stella', '/desk/memberships');
  const day = main(page)
    .getByRole('row', { name: /KELP-WS.*Account suspended/ })
    .getByRole('time');
  const before = (await day.getAttribute('datetime'))!;

  await page.getByRole('button', { name: 'Add holidays' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add holidays' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Enter a name, such as Christmas Day').first()).toBeVisible();
  await dialog.getByLabel('Name').fill('Days of rest');
  await dialog.getByLabel('Day', { exact: true }).fill(before);
  await dialog.getByLabel('Until').fill(daysAfter(before, -1));
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText(`Choose a date on or after ${before}`).first()).toBeVisible();
  await dialog.getByLabel('Until').fill(daysAfter(before, 1));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Added. Issued invoices stay due when they were.')).toBeVisible();
  await expect(day).toHaveAttribute('datetime', daysAfter(before, 2));
  await expectAccessible(page);

  const kept = main(page).getByRole('list', { name: 'Holidays', exact: true }).getByRole('listitem').filter({ hasText: 'Days of rest' });
  await kept.last().getByRole('button', { name: 'Remove' }).click();
  await expect(kept).toHaveCount(1);
  await expect(day).toHaveAttribute('datetime', daysAfter(before, 1));
  await kept.getByRole('button', { name: 'Remove' }).click();
  await expect(kept).toHaveCount(0);
  await expect(day).toHaveAttribute('datetime', before);
});

test('the invoice is issued; payments and refunds above the limit wait for a second person', async ({ page, browser, watch }) => {
  watch.expect(/status of 409/);
  await arriveAs(page, 'stella', `/desk/accounts/${account}`);
  // The schedule issues the invoice within a minute.
  await expect(async () => {
    await page.goto(`/desk/accounts/${account}`);
    await expectDrawn(page);
    await expect(invoices(page)).toHaveCount(2);
  }).toPass({ timeout: 120_000 });
  await expect(main(page).getByText('The cancelled renewal is billed again within a minute.')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Record a payment for INV-/ }).click();
  const payment = page.getByRole('dialog', { name: /^Record a payment/ });
  await payment.getByLabel(/^Amount/).fill('30000');
  await payment.getByLabel('Bank reference').fill('NZ-2026-30000');
  await payment.getByRole('button', { name: 'Record the payment' }).click();
  await expect(payment).toHaveCount(0);
  await approve(browser, page, 'Record a payment');
  await page.reload();
  await expect(invoices(page).filter({ hasText: 'Paid' })).toHaveCount(1);

  const desk = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await arriveAs(desk, 'dora', `/desk/accounts/${account}`);
  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  const refund = desk.getByRole('dialog', { name: `Refund credit of ${account}` });
  await refund.getByLabel('Amount, ').fill('20000');
  await refund.getByLabel('Bank reference').fill('BACK-NZ-20000');
  await refund.getByLabel('Reason').fill('Paid ten times too much');
  await refund.getByRole('button', { name: 'Record the refund' }).click();
  await expect(refund).toHaveCount(0);
  await expect(main(desk).getByText('BACK-NZ-20000')).toHaveCount(0);
  await approve(browser, desk, 'Record a refund', 'ravi');
  await desk.reload();
  await expect(main(desk).getByText('BACK-NZ-20000')).toBeVisible();
});
