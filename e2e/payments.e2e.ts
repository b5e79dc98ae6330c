import { DAY_MS, utcDay } from '@portal/contract/days';
import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => forget('stella'));

const main = (page: Page) => page.getByRole('main');

test('staff allow a closed account to reopen, and match its payment from a bank statement', async ({ page, watch }) => {
  watch.expect(/status of 400/);
  await arriveAs(page, 'stella', '/desk/accounts/GONE-VU');
  await expect(main(page).getByText(/It can be reactivated until/)).toBeVisible();
  const line = main(page).getByRole('list', { name: 'Invoices of GONE-VU' }).getByRole('listitem').first();
  const words = await line.innerText();
  const [number] = /INV-\d{4}-\d{6}/.exec(words)!;
  const amount = /AUD\s([\d\s.]+)/.exec(words)![1]!.replace(/\s/g, '');
  await main(page).getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('button', { name: 'Start the reactivation' }).click();
  await expect(page.getByText('Enter a reason. It’s kept with the account.').first()).toBeVisible();
  await page.getByLabel('Reason').fill('They wrote within two months');
  await page.getByText(/^Waive the fee of/).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start the reactivation' }).click();
  await expect(main(page).getByText(/Reactivation started/)).toBeVisible();

  await page.goto('/desk/payments');
  await expect(main(page).getByText('No transfers to match')).toBeVisible();
  await page.getByRole('button', { name: 'Import a statement' }).click();
  const file = (content: string) => ({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const choose = (content: string) => page.getByLabel('Statement', { exact: true }).setInputFiles(file(content));
  await choose('Day,Sum\n1,2\n');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/The first line must name the columns/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove november.csv' }).click();
  const day = utcDay(Date.now() - DAY_MS);
  const statement = `Date,Amount,Description,Payer\n${day},${amount},"Renewal ${number.replaceAll('-', ' ')}",GONE ISLANDS WIRELESS\n${day},12.00,a gift,Unknown\n${day},-3.00,bank fee,\n`;
  await choose(statement);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/2 transfers imported\..*1 lines? left out/)).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Record it' }).click();
  await expect(page.getByText('1 payment recorded.')).toBeVisible();

  await page.getByRole('button', { name: 'Set aside' }).click();
  await page.getByLabel('Reason').fill('Sent back');
  await page.getByRole('dialog').getByRole('button', { name: 'Set aside' }).click();
  await expect(main(page).getByText('No transfers to match')).toBeVisible();

  // The same file again changes nothing.
  await page.getByRole('button', { name: 'Import a statement' }).click();
  await choose(statement);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/No new transfers\. 2 transfers were known already/)).toBeVisible();
  await main(page).getByText('Recorded (1)').click();
  await expect(main(page).getByText(`for ${number}`)).toBeVisible();
});
