import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// The second story depends on the first.
test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => ['stella', 'dora'].forEach(forget));

const main = (page: Page) => page.getByRole('main');

test('finance credit a part of a paid invoice, and a director refunds some of the credit', async ({ page, browser, watch }) => {
  watch.expect(/status of 400/);
  await arriveAs(page, 'stella', '/desk/accounts/EXAMPLE-AU');
  await page
    .getByRole('button', { name: /^Issue a credit note for INV-/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Issue the credit note' }).click();
  await expect(page.getByLabel('Amount with tax, AUD')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Amount with tax, AUD').fill('110');
  await page.getByLabel('Reason').fill('One AS number too many');
  await page.getByRole('button', { name: 'Issue the credit note' }).click();
  await expect(page.getByText(/^CN-\d{4}-000001 is issued/)).toBeVisible();
  await expect(main(page).getByText('One AS number too many')).toBeVisible();
  await expect(main(page).getByText(/Account credit: AUD\s110\.00/)).toBeVisible();

  // Who credits doesn't pay back.
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0);

  const desk = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await arriveAs(desk, 'dora', '/desk/accounts/EXAMPLE-AU');
  await expect(desk.getByRole('button', { name: /^Issue a credit note for INV-/ })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  await desk.getByLabel('Amount, AUD').fill('200');
  await desk.getByLabel('Bank reference').fill('BACK-2026-1');
  await desk.getByLabel('Reason').fill('They asked for it');
  await desk.getByRole('button', { name: 'Record the refund' }).click();
  await expect(desk.getByText('The credit of EXAMPLE-AU is AUD 110.00').first()).toBeVisible();
  await desk.getByLabel('Amount, AUD').fill('40');
  await desk.getByRole('button', { name: 'Record the refund' }).click();
  await expect(main(desk).getByText(/Account credit: AUD\s70\.00/)).toBeVisible();
  await expectDrawn(desk);
  await expectAccessible(desk);
  await desk.context().close();
});

test('finance find the invoice with its credit note and its receipt, and save both', async ({ page }) => {
  await arriveAs(page, 'bill', '/EXAMPLE-AU/index.html?to=/member-account-settings/billing');
  await expect(main(page).getByText(/credit of AUD\s70\.00/)).toBeVisible();
  await expect(main(page).getByText('BACK-2026-1')).toBeVisible();
  // The invoices of two years in one file, and a single one.
  const invoices = main(page).getByRole('grid', { name: /^Invoices of EXAMPLE-AU/ });
  for (const box of (await invoices.getByRole('checkbox', { name: /INV-/ }).all()).slice(0, 2)) await box.check();
  const zip = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download PDFs (ZIP)' }).click();
  expect((await zip).suggestedFilename()).toBe('invoices-EXAMPLE-AU.zip');
  await expectAccessible(page);
  const opened = page.waitForEvent('download');
  await invoices
    .getByRole('button', { name: /^Open INV-/ })
    .first()
    .click();
  expect((await opened).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/);
  await main(page).getByRole('link', { name: /^INV-/ }).first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('One AS number too many')).toBeVisible();
  await expectAccessible(page);
  for (const [name, file] of [
    [/^PDF of .*CN-/i, /^CN-\d{4}-000001\.pdf$/],
    [/^PDF of .*REC-/i, /^REC-\d{4}-\d{6}-1\.pdf$/],
  ] as const) {
    const saved = page.waitForEvent('download');
    await drawer.getByRole('button', { name }).click();
    expect((await saved).suggestedFilename()).toMatch(file);
  }
  // By keyboard: Escape closes the form, then the drawer, and each returns the focus to where it was opened.
  const send = drawer.getByRole('button', { name: 'Send to a colleague' });
  await send.press('Enter');
  await expect(drawer.getByLabel('Document')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(send).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  const cell = invoices.locator('[data-cell][tabindex="0"]');
  await cell.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cell).toBeFocused();
  await main(page).getByRole('link', { name: /^INV-/ }).first().click();
  await send.click();
  const sending = drawer.getByRole('form', { name: /to a colleague$/ });
  await sending.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(sending.getByText('Choose a contact').filter({ visible: true }).first()).toBeVisible();
  await sending.getByLabel('Document').selectOption({ index: 1 });
  await sending.getByLabel('To', { exact: true }).selectOption({ index: 1 });
  await sending.getByLabel('Note').fill('For the books');
  await expectAccessible(page);
  await sending.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText(/^CN-\d{4}-000001 was sent to /)).toBeVisible();
  const statement = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Statement (CSV)' }).click();
  expect((await statement).suggestedFilename()).toMatch(/^statement-EXAMPLE-AU/);
});
