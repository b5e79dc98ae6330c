import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => ['ola', 'fiona', 'audra', 'stella'].forEach(forget));

const main = (page: Page) => page.getByRole('main');
const entry = (page: Page, name: string) => page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name, exact: true });

test('a finance clerk sees the pages of her role, and a page of another role names who can open it', async ({ page }) => {
  await arriveAs(page, 'fiona', '/desk');
  await expect(entry(page, 'Payments')).toBeVisible();
  for (const other of ['Elections', 'Pools', 'Staff and roles', 'Memberships'])
    await expect(entry(page, other)).toHaveCount(other === 'Memberships' ? 1 : 0);
  await page.goto('/desk/elections');
  await expect(main(page).getByText('You need “Set up elections”')).toBeVisible();
  await expectAccessible(page);
  await main(page).getByRole('link', { name: 'See who can give it to you' }).click();
  await expect(main(page).getByText('Ola Brandt or Ravi Menon can give you other roles.')).toBeVisible();
  await expect(main(page).getByText('Record payments')).toBeVisible();
  await page.goto('/desk/accounts/EXAMPLE-AU');
  await expectDrawn(page);
  await expect(page.getByRole('heading', { name: 'Billing' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Documents' })).toHaveCount(0);
});

test('an administrator gives a role and withdraws it; what policy keeps apart is refused by name', async ({ page, watch }) => {
  watch.expect(/status of (401|409)/);
  await arriveAs(page, 'ola', '/desk/staff');
  await expectDrawn(page);
  await expectAccessible(page);
  const row = main(page).getByRole('row', { name: /Fiona Doi/ });
  await row.getByRole('button', { name: 'Fiona Doi', exact: true }).click();
  const person = page.getByRole('dialog', { name: 'Fiona Doi', exact: true });
  await person.getByRole('button', { name: 'Give a role' }).click();
  const give = page.getByRole('dialog', { name: 'Give Fiona Doi a role' });
  await give.getByLabel('Role', { exact: true }).selectOption('Director');
  await give.getByLabel('Reason').fill('Stands in for a month');
  await expectAccessible(page);
  await give.getByRole('button', { name: 'Give the role' }).click();
  await expect(page.getByText(/Policy keeps “Record payments” and “Write off and refund” in different hands/).first()).toBeVisible();
  await give.getByLabel('Role', { exact: true }).selectOption('Support');
  await give.getByRole('button', { name: 'Give the role' }).click();
  await expect(give).toHaveCount(0);
  await expect(row.getByText('Support')).toBeVisible();
  await person.getByRole('button', { name: 'Withdraw Support' }).click();
  const withdraw = page.getByRole('alertdialog', { name: 'Withdraw Support from Fiona Doi?' });
  await withdraw.getByLabel('Reason').fill('The month is over');
  await withdraw.getByRole('button', { name: 'Withdraw' }).click();
  await expect(withdraw).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(row.getByText('Support')).toHaveCount(0);
  await row.getByRole('button', { name: 'Keep the roles of Fiona Doi' }).click();
  await expect(row.getByText('Kept')).toBeVisible();
});

test('an auditor reads every page of the desk, and no button changes anything', async ({ page }) => {
  await arriveAs(page, 'audra', '/desk/accounts/EXAMPLE-AU');
  await expectDrawn(page);
  await expect(page.getByRole('heading', { name: 'Billing' })).toBeVisible();
  for (const act of [/^Issue a credit note/, /^Record a payment/, 'Send a document'])
    await expect(page.getByRole('button', { name: act })).toHaveCount(0);
  await page.goto('/desk/staff');
  await expect(main(page).getByRole('button', { name: /^Keep the roles/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  // The address of a form shows who only reads the list.
  for (const place of [
    'announcements?announcement=new',
    'events?event=new',
    'elections?election=new',
    'elections?view=conferences',
    'pools',
  ]) {
    await page.goto(`/desk/${place}`);
    await expectDrawn(page);
    await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible();
    await expect(main(page).getByRole('textbox')).toHaveCount(0);
    await expect(main(page).getByRole('button', { name: /^(New|Save|Import|Remove)/ })).toHaveCount(0);
    await expect(main(page).getByRole('link', { name: /^New/ })).toHaveCount(0);
  }
});

test('a hostmaster finds contacts without a second factor and writes to them once', async ({ page }) => {
  await arriveAs(page, 'stella', '/desk/data-quality');
  await expectDrawn(page);
  await expectAccessible(page);
  await main(page).getByRole('link', { name: 'Contacts without a second factor' }).click();
  await expect(main(page).getByText('No campaigns yet')).toBeVisible();
  await main(page).getByRole('button', { name: 'Show the contacts' }).click();
  await expect(main(page).getByRole('link', { name: 'EXAMPLE-AU' }).first()).toBeVisible();
  await expectAccessible(page);
  await main(page).getByRole('link', { name: 'New campaign' }).click();
  await expect(main(page).getByRole('heading', { name: 'Preview' })).toBeVisible();
  await main(page).getByLabel('Subject').fill('A second factor for {accounts}, please');
  await expect(main(page).getByRole('heading', { name: /^A second factor for [A-Z-]+.*, please$/ })).toBeVisible();
  await expectAccessible(page);
  await main(page)
    .getByRole('button', { name: /^Send to \d+ pe/ })
    .click();
  const sure = page.getByRole('alertdialog', { name: /^Send to \d+ pe/ });
  await expectAccessible(page);
  await sure.getByRole('button', { name: /^Send \d+ e-mail/ }).click();
  await expect(sure).toHaveCount(0);
  await expect(main(page).getByText('A second factor for {accounts}, please')).toBeVisible();
});

test('an auditor reads what campaigns did, and sends and stops none', async ({ page }) => {
  await arriveAs(page, 'audra', '/desk/data-quality?finding=password-alone');
  await expect(main(page).getByText('A second factor for {accounts}, please')).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'New campaign' })).toHaveCount(0);
  await expect(main(page).getByRole('button', { name: /^Stop/ })).toHaveCount(0);
});
