import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('changing the account changes every page, and the choice is remembered', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/ipv4');
  const resources = framed(page);
  await expect(resources.getByText('198.18.0.0/19').first()).toBeVisible();

  await page.getByRole('button', { name: /^Member account EXAMPLE-AU/ }).click();
  await expect(page.getByRole('dialog', { name: 'Change account' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Find an account' }).fill('southsite');
  await page.getByRole('option', { name: /SOUTHSITE-NZ/ }).click();

  await expect(page.getByRole('button', { name: /^Member account SOUTHSITE-NZ/ })).toBeVisible();
  await expect(resources.getByText('192.0.2.0/24').first()).toBeVisible();
  await expect(resources.getByText('198.18.0.0/19')).toHaveCount(0);

  await page.reload();
  await expect(page.getByRole('button', { name: /^Member account SOUTHSITE-NZ/ })).toBeVisible();
  await page.goto('/EXAMPLE-AU/index.html');
  await expect(page.getByRole('button', { name: /^Member account EXAMPLE-AU/ })).toBeVisible();
});

test('an address with an account selects it regardless of case and keeps the hash; a closed one is reported as closed', async ({
  page,
}) => {
  await arriveAs(page, 'max', '/late-fj/index.html#help');
  await expect(page.getByRole('button', { name: /^Member account LATE-FJ/ })).toBeVisible();
  await expect(page).toHaveURL('/#help');
  await page.goto('/GONE-VU/index.html');
  await expect(page.getByRole('heading', { level: 1, name: 'GONE-VU is closed' })).toBeVisible();
  await expect(page.getByText('You’re still a contact of GONE-VU')).toBeVisible();
  await page.getByRole('link', { name: 'Invoices, reactivation and people' }).click();
  const people = page.getByRole('list', { name: 'People with access to GONE-VU' });
  await expect(people.getByRole('listitem').filter({ hasText: 'you' })).toContainText('Reads invoices, pays and can ask for the reopening');
  // The last person who can pay is offered no way out.
  await expect(people).toContainText('The only person who can pay');
  await expect(people.getByRole('button')).toHaveCount(0);
});

test('a contact of one account sees its name, without a switcher', async ({ page }) => {
  await arriveAs(page, 'bill');
  await expect(page.getByRole('banner').getByText('EXAMPLE-AU')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Member account/ })).toHaveCount(0);
});

test('a billing contact is told why the resources are not accessible, and asks the person who can grant access', async ({
  page,
  watch,
}) => {
  watch.expect(/status of 409 .*permission-requests/);
  await arriveAs(page, 'bill', '/resources/ipv4');
  const inFrame = framed(page);
  await expect(inFrame.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible();
  await expect(inFrame.getByText(/View number resources/).first()).toBeVisible();
  await inFrame.getByRole('button', { name: /^Ask Corin/ }).click();
  await expect(inFrame.getByText(/You asked Corin/)).toBeVisible();

  await page.reload();
  await expect(inFrame.getByText(/You can ask again after 24 hours/)).toBeVisible();
  await expect(inFrame.getByRole('button', { name: /^Ask / })).toHaveCount(0);
});

test('registry staff find the holder of a prefix, visit the account, and end the visit', async ({ page, watch }) => {
  watch.expect(/status of 403 .*\/api\/EXAMPLE-AU\//);
  await arriveAs(page, 'stella', '/staff/holders?q=198.18.4.9');
  await expect(page).toHaveURL('/desk/accounts?q=198.18.4.9');
  await expect(page.getByRole('grid').getByText('198.18.0.0/19')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('grid').getByRole('link', { name: 'EXAMPLE-AU' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'EXAMPLE-AU' })).toBeVisible();
  await expect(page.getByText('2FA', { exact: true }).first()).toBeVisible();
  // Ten years at a glance; a range and a day of it.
  await expect(page.getByRole('navigation', { name: 'Key figures' }).getByRole('link', { name: /^Health/ })).toBeVisible();
  await page.getByText('90 days', { exact: true }).click();
  await page.getByLabel('As of').fill('2022-01-01');
  await expect(page.getByText('1 Jan 2022', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send a document' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add mark' }).click();
  const mark = page.getByRole('dialog', { name: 'Add a risk mark to EXAMPLE-AU' });
  await mark.getByLabel('Mark').fill('Access asked from a new domain');
  await mark.getByLabel('Reason').fill('Nora Vale writes from example.net');
  await mark.getByRole('button', { name: 'Add the mark' }).click();
  await page.getByRole('link', { name: '2 risk marks' }).click();
  await expect(page.getByText(/Set by Stella Kowalski, ends/)).toBeInViewport();
  await page.getByRole('button', { name: 'View as member' }).click();
  await expect(page.getByText('You’re viewing EXAMPLE-AU read-only.')).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await expect(page).toHaveURL('/desk/accounts/EXAMPLE-AU');
  await expect(page.getByText('Started viewing the account').first()).toBeVisible();
});

test('registry staff filter the list of accounts, find an economy by its name, and come back to it by its address', async ({ page }) => {
  await arriveAs(page, 'stella', '/desk/accounts');
  const grid = page.getByRole('grid', { name: 'Accounts' });
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible();
  await expect(grid.getByRole('link', { name: 'EXAMPLE-AU' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Name, economy, prefix, address or AS number').fill('singapore');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(page).toHaveURL('/desk/accounts?q=singapore');
  await expect(grid.getByRole('link', { name: 'OTHER-SG' })).toBeVisible();
  await expect(grid.getByRole('link', { name: 'EXAMPLE-AU' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Account state' }).selectOption('closed');
  await expect(page.getByText('No account matches singapore')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Balance' }).selectOption('overdue');
  await expect(grid.getByText('Overdue').first()).toBeVisible();
  const address = page.url();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('accounts.csv');
  await grid.getByRole('link').first().click();
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('combobox', { name: 'Balance' })).toHaveValue('overdue');
  await page.getByLabel('Name, economy, prefix, address or AS number').fill('nobody has this name');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(page.getByText('No account matches nobody has this name')).toBeVisible();
  await expectAccessible(page);
});
