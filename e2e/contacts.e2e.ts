import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

const settings = '/member-account-settings';
const contacts = `${settings}/account-contacts`;

// Changes of contacts require a second factor given within the last minutes.
test.beforeAll(() => forget('corin'));

const looks = [
  { width: 390, theme: 'light' },
  { width: 320, theme: 'dark' },
  { width: 1280, theme: 'light' },
] as const;

const fillIn = async (page: Page, name: string, email: string): Promise<void> => {
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('E-mail again').fill(email);
};
const box = (page: Page, name: string) => page.getByRole('main').getByRole('checkbox', { name, exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name });

test('a corporate contact invites a person, sees a change before it is saved, and withdraws the invitation', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', contacts);
  await expect(rowOf(page, 'Bill Okonkwo')).toContainText('Off');
  await expectFit(page, looks);

  await page.getByRole('button', { name: 'Invite a contact' }).click();
  await expect(page).toHaveURL(/\?invite=yes$/);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByRole('alert', { name: 'There’s a problem' })).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await fillIn(page, 'Mina Park', 'mina@example');
  await expect(page.getByText('Enter a valid email address').first()).toBeVisible();
  await fillIn(page, 'Mina Park', 'mina@example-au.example');
  await box(page, 'Technical').check();
  await box(page, 'View billing').check();
  await expectFit(page, looks);
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('Mina Park');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText('Invitation sent to mina@example-au.example.')).toBeVisible();
  await expect(page).toHaveURL(contacts);

  await page.getByRole('searchbox', { name: /Find contacts/ }).fill('mina');
  await expect(page).toHaveURL(/\?q=mina$/);
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(2);
  await rowOf(page, 'Mina Park').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mina Park' })).toBeVisible();
  await expect(page.getByText('granted by hand')).toBeVisible();
  await box(page, 'Billing').check();
  await box(page, 'Technical').uncheck();
  await expect(page.getByText('Keep permissions set by hand')).toBeVisible();
  await page.getByLabel('Position').fill('Accounts');
  await expect(page.getByRole('heading', { name: /^Gains 2 permissions/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Loses 12 permissions/ })).toBeVisible();
  await expectFit(page, looks);
  await page.getByRole('button', { name: 'Save 16 changes' }).click();
  await expect(page.getByText(/^Mina Park is saved\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('alertdialog', { name: 'Withdraw the invitation of Mina Park?' });
  await expect(question).toContainText('The link sent to mina@example-au.example stops working');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(rowOf(page, 'Mina Park')).toHaveCount(0);
});

test('a second corporate contact waits for the registry, cannot be changed meanwhile, and can be withdrawn', async ({ page }) => {
  await arriveAs(page, 'corin', `${contacts}?invite=yes`);
  await fillIn(page, 'Paula Corporate', 'paula@example-au.example');
  await box(page, 'Corporate').check();
  await page.getByLabel(/^Reason for the registry/).fill('Our second director');
  await page.getByRole('button', { name: 'Ask the registry' }).click();
  await expect(rowOf(page, 'Paula Corporate')).toContainText('awaiting the registry');
  await rowOf(page, 'Paula Corporate').click();
  await expect(page.getByText('The registry decides whether this person becomes a corporate contact.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(0);
  await page.getByRole('button', { name: 'Withdraw the request' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Paula Corporate is no longer a contact of EXAMPLE-AU.')).toBeVisible();
  await expect(rowOf(page, 'Paula Corporate')).toHaveCount(0);
});

test('two people change one contact: the second sees what the first saved, and applies their own change to it', async ({
  page,
  context,
  watch,
}) => {
  watch.expect(/status of 412 .*\/contacts\//);
  await arriveAs(page, 'corin', `${contacts}?q=tilda`);
  await rowOf(page, 'Tilda Marchetti').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tilda Marchetti' })).toBeVisible();
  await page.getByLabel('Position').fill('Network');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('heading', { level: 1, name: 'Tilda Marchetti' })).toBeVisible();
  // The other window finds the input of this one, discards it and changes something else.
  await other.getByRole('button', { name: 'Discard' }).first().click();
  await other.getByLabel('Telephone').fill('+61 7 5550 0122');
  await other.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(other.getByText(/^Tilda Marchetti is saved\./)).toBeVisible();
  await other.close();

  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(page.getByRole('heading', { name: 'Changed by someone else' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Their changes' })).toContainText('+61 7 5550 0122');
  await expectFit(page, looks);
  await page.getByRole('button', { name: 'Apply my changes' }).click();
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(page.getByText(/^Tilda Marchetti is saved\./)).toBeVisible();
  await expect(page.getByLabel('Telephone')).toHaveValue('+61 7 5550 0122');

  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove Tilda Marchetti?' });
  await expect(question).toContainText('permissions in EXAMPLE-AU end immediately');
  await question.getByRole('button', { name: 'Keep Tilda Marchetti' }).click();
  await expect(question).toHaveCount(0);
});

test('a technical contact sees the contacts, and asks for more permissions and for a new contact', async ({ page }) => {
  await arriveAs(page, 'tess', `${settings}/my-permissions`);
  await expect(box(page, 'Ask for: Appoint a proxy')).toBeEnabled();
  await box(page, 'Ask for: View billing').check();
  await box(page, 'Ask for: Update billing details and pay').check();
  await page.getByLabel(/^Why do you need it?/).fill('I order the cross-connects');
  await expectFit(page, looks);
  await page.getByRole('button', { name: 'Ask for 2 permissions' }).click();
  await expect(page.getByText(/^You asked Corin Achterberg/)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'View billing' })).toContainText('requested on');

  await page.goto(contacts);
  await page.getByRole('button', { name: 'Ask for a contact' }).click();
  await fillIn(page, 'Ravi Menon', 'ravi@example-au.example');
  await box(page, 'Technical').check();
  await expectFit(page, looks);
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('Corin Achterberg was asked by e-mail.')).toBeVisible();

  await page.goto(`${settings}/access-requests`);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible();
});

test('the corporate contact approves one request with less than was asked for, and rejects another with the reason', async ({ page }) => {
  await arriveAs(page, 'corin', `${settings}/access-requests`);
  await expectFit(page, looks);
  await page.getByRole('button', { name: /^Review: Tess Lindqvist asks for “View billing”/ }).click();
  await expect(page).toHaveURL(/\?request=\d+$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Update billing details and pay' }).uncheck();
  await expectFit(page, looks);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved. Tess Lindqvist gets an e-mail.')).toBeVisible();

  await page.getByRole('button', { name: /^Review: Tess Lindqvist asks to add Ravi Menon/ }).click();
  await dialog.getByText('Reject', { exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Reason').fill('We hire nobody this year');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Rejected. Tess Lindqvist gets an e-mail.')).toBeVisible();

  await page.getByRole('link', { name: 'History', exact: true }).click();
  await expect(rowOf(page, 'Ravi Menon')).toContainText('We hire nobody this year');
  await expect(rowOf(page, 'View billing')).toContainText('Without Update billing details and pay');
  await expectFit(page, looks);
  await page.getByLabel('Outcome').selectOption('Rejected');
  await expect(page).toHaveURL(/view=history&outcome=rejected$/);
  await expect(rowOf(page, 'View billing')).toHaveCount(0);
});

test('a billing contact sees the contacts, can change only himself, and resolves nothing', async ({ page }) => {
  await arriveAs(page, 'bill', contacts);
  await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toHaveCount(0);
  await rowOf(page, 'Tess Lindqvist').click();
  await expect(page.getByText(/permission to see the permissions/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Ask to remove' })).toBeVisible();
  await page.goBack();
  await rowOf(page, 'Bill Okonkwo').click();
  await page.getByLabel('Telephone').fill('nine');
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(page.getByText('Enter a telephone number, such as +61 7 5550 0100').first()).toBeVisible();
  await page.getByLabel('Telephone').fill('+61 7 5550 0199');
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(page.getByText('Your details are saved and confirmed.')).toBeVisible();
  await page.goto(`${settings}/access-requests`);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible();
  await page.goto(`${settings}/contact-details`);
  await expect(page).toHaveURL(contacts);
});

test.describe('if sign-in asks only for the password', () => {
  test.use({ program: 'short tokens' });
  test.beforeEach(() => forget('corin'));
  test.afterEach(() => forget('corin'));

  test('an invitation asks for the second factor over its page, and is sent as entered by the press that confirms it', async ({
    page,
    watch,
  }) => {
    watch.expect(/status of 401 .*\/contacts/);
    await page.goto(`${contacts}?invite=yes`);
    await page.getByLabel('User name or e-mail').fill('corin');
    await page.getByLabel('Password').fill('demo-registry-corin');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await fillIn(page, 'Ravi Menon', 'ravi@example-au.example');
    await box(page, 'Technical').check();
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const question = page.getByRole('alertdialog', { name: 'Confirm that it’s you' });
    await expect(question).toContainText('Invite a contact');
    await expect(question).toContainText('Ravi Menon, ravi@example-au.example');
    await question.locator('button[data-code]').click();
    await question.getByRole('button', { name: 'Invite a contact' }).click();
    await expect(page.getByText('Invitation sent to ravi@example-au.example.')).toBeVisible();
    await expect(rowOf(page, 'Ravi Menon')).toContainText('invited');
    await page.goto(`${contacts}?invite=yes`);
    await expect(page.getByLabel('Full name')).toHaveValue('');
  });
});
