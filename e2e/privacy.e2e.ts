import { HOUR_MS } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { moveClock } from './moved-clock.ts';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test.use({ program: 'moved clock' });
test.setTimeout(240_000);

const main = (page: Page) => page.getByRole('main');
const attempts = /^Attempts to link a login to an account/;

/** Opens a browser of a person's own in which as many hours have gone by as in the program. */
async function arrive(browser: Browser, { name, place, hours }: { name: string; place: string; hours: number }): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(moveClock, hours * HOUR_MS);
  const page = await context.newPage();
  forget(name);
  await arriveAs(page, name, place);
  return page;
}

/** Expects how many attempts to link a login the next run deletes, a hold keeps, and runs deleted lately. Runs begin in their own time. */
async function expectAttempts(page: Page, { over, held, ended }: { over: string; held: string; ended: string }): Promise<void> {
  await expect(async () => {
    await page.reload();
    const row = main(page).getByRole('row', { name: attempts });
    await expect(row.getByRole('gridcell').nth(2)).toHaveText(over, { timeout: 5000 });
    await expect(row.getByRole('gridcell').nth(3)).toHaveText(held, { timeout: 1000 });
    await expect(row.getByRole('gridcell').nth(4)).toHaveText(ended, { timeout: 1000 });
  }).toPass({ timeout: 60_000 });
}

test('Stella holds the data of Nadia, the clock deletes what isn’t held, and two people release the hold', async ({
  browser,
  programs,
  baseURL,
  watch,
}) => {
  watch.expect(/status of (401|404|409|422)/);
  expect(baseURL).toBeDefined();
  const stella = await arrive(browser, { name: 'stella', place: '/desk/privacy', hours: 0 });
  await expect(main(stella).getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  // One attempt of the demo was over when the registry began; two are kept by the hold on a closed account.
  await expectAttempts(stella, { over: 'None', held: '2', ended: '1' });
  await expectFit(stella);
  await stella.setViewportSize({ width: 1280, height: 900 });
  const file = stella.waitForEvent('download');
  await main(stella).getByRole('button', { name: 'Export all kinds' }).click();
  expect((await file).suggestedFilename()).toMatch(/^personal-data.*\.csv$/);

  // What is missing or misspelled is said in the form.
  await main(stella).getByRole('button', { name: 'Place a hold' }).click();
  const form = stella.getByRole('dialog', { name: 'Place a legal hold' });
  await form.getByRole('button', { name: 'Place the hold' }).click();
  await expect(form.getByText('Enter who asks for the data, and why').first()).toBeVisible();
  await expectAccessible(stella);
  await form.getByLabel('Data of').selectOption('A person');
  await form.getByLabel('User name').fill('nadja');
  await form.getByLabel('Reason').fill('District court of Brisbane, 12/26');
  await form.getByRole('button', { name: 'Place the hold' }).click();
  await expect(form.getByText('A login of that user name', { exact: false }).first()).toBeVisible();
  await form.getByLabel('User name').fill('nadia');
  await form.getByRole('button', { name: 'Place the hold' }).click();
  const holds = main(stella).getByRole('list', { name: 'Legal holds' });
  await expect(holds.getByText('District court of Brisbane, 12/26')).toBeVisible();
  await stella.context().close();

  // Three days later the attempts of Nadia and Olive are over. Olive’s goes.
  await programs.moveClock('moved clock', 72 * HOUR_MS);
  const later = await arrive(browser, { name: 'stella', place: '/desk/privacy', hours: 72 });
  await expectAttempts(later, { over: 'None', held: '3', ended: '2' });
  await main(later).getByRole('button', { name: 'Show the holds' }).click();
  await main(later).getByRole('button', { name: 'Release the hold on nadia' }).click();
  const release = later.getByRole('dialog', { name: 'Release the hold on nadia?' });
  await release.getByLabel('Reason').fill('The court closed the case');
  await expectAccessible(later);
  await release.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(release).toBeHidden();
  // Stella alone releases nothing.
  await later.reload();
  await main(later).getByRole('button', { name: 'Show the holds' }).click();
  await expect(main(later).getByRole('button', { name: 'Release the hold on nadia' })).toBeVisible();
  await later.goto('/desk/approvals');
  await expect(main(later).getByText('Release a legal hold', { exact: false }).first()).toBeVisible();
  await expect(main(later).getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await later.context().close();

  const stan = await arrive(browser, { name: 'stan', place: '/desk/approvals', hours: 72 });
  await expectAccessible(stan);
  await main(stan).getByRole('button', { name: 'Approve' }).click();
  await expect(stan.getByText('Approved and applied.')).toBeVisible();
  await stan.goto('/desk/privacy');
  await main(stan).getByRole('button', { name: 'Show the holds' }).click();
  await expect(main(stan).getByRole('button', { name: 'Release the hold on GONE-VU' })).toBeVisible();
  await expect(main(stan).getByRole('button', { name: 'Release the hold on nadia' })).toHaveCount(0);
  await expectAttempts(stan, { over: '1', held: '2', ended: '2' });
  await stan.context().close();

  await programs.moveClock('moved clock', 98 * HOUR_MS);
  const last = await arrive(browser, { name: 'stan', place: '/desk/privacy', hours: 98 });
  await expectAttempts(last, { over: 'None', held: '2', ended: '3' });
  await last.context().close();
});
