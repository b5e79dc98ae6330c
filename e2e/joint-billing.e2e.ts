import type { Page } from '@playwright/test';
import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ timeout: 120_000 });

const main = (page: Page) => page.getByRole('main');

test('a person gives the invoices of two accounts one payment reference', async ({ page }) => {
  await arriveAs(page, 'max', '/KELP-WS/index.html?to=/member-account-settings/billing');
  await main(page).getByRole('link', { name: 'All accounts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Billing of all accounts' })).toBeVisible();
  const due = page.getByRole('grid', { name: /^Unpaid invoices/ });
  await expect(due.getByText('KELP-WS')).toBeVisible();
  await expect(due.getByText('LATE-FJ')).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  for (const name of ['KELP-WS', 'LATE-FJ']) await due.getByRole('checkbox', { name: new RegExp(`of ${name}$`) }).check();
  await page.getByRole('button', { name: /^Pay together/ }).click();
  const payment = page.getByRole('list', { name: 'Payments for several invoices' }).getByRole('listitem').first();
  await expect(payment).toContainText(/reference RF\d{2}PAY\d{10}/);
  await expect(payment).toContainText('LATE-FJ');
  await expectDrawn(page);
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Statements (CSV)' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^statements-\d{4}-\d{2}-\d{2}\.csv$/);
});
