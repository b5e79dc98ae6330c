import type { Browser, Page } from '@playwright/test';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Their changes require a second factor given minutes ago. The stories depend on each other: a request in one is decided in the next.
test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => {
  forget('corin');
  forget('stella');
});

const details = '/member-account-settings/organization-details';

/** A PDF, as small as one can be. */
const onePage = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n');

/** A second person, in a browser of their own. */
async function besides(browser: Browser, name: string, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await arriveAs(page, name, path);
  return page;
}
const main = (page: Page) => page.getByRole('main');

test('a corporate contact changes the address, and sees what is wrong with a website', async ({ page }) => {
  await arriveAs(page, 'corin', `/SOUTHSITE-NZ/index.html?to=${details}`);
  await expect(main(page).getByText('Southsite Dairy Limited').first()).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Change contact details' }).click();
  await page.getByLabel('Website').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Website')).toBeFocused();
  await expect(page.getByLabel('Website')).toHaveAccessibleDescription(/starts with https/);
  await expectAccessible(page);
  await page.getByLabel('Website').fill('https://southsite.example/ネット');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Contact details: saved.')).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'https://southsite.example/ネット' })).toBeVisible();
});

test('two windows edit the same part: the second sees what the first saved, and saves on top of it', async ({ page, browser, watch }) => {
  watch.expect(/status of 412/);
  await arriveAs(page, 'corin', `/SOUTHSITE-NZ/index.html?to=${details}`);
  const other = await besides(browser, 'corin', `/SOUTHSITE-NZ/index.html?to=${details}`);
  for (const window of [page, other]) {
    await window.getByRole('button', { name: 'Change postal address' }).click();
    await expect(window.getByLabel('City')).toHaveValue('Ashburton');
  }
  await other.getByLabel('Postcode').fill('7910');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Postal address: saved.')).toBeVisible();

  await page.getByLabel('City').fill('Timaru');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Someone else changed the organisation while you were editing.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Apply my changes' }).click();
  await expect(page.getByLabel('Postcode')).toHaveValue('7910');
  await expect(page.getByLabel('City')).toHaveValue('Timaru');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Postal address: saved.')).toBeVisible();
  await expect(main(page).getByText('7910')).toBeVisible();
});

test('a change of the legal name waits for the registry, which asks, gets an answer, and approves', async ({ page, browser }) => {
  await arriveAs(page, 'corin', `/SOUTHSITE-NZ/index.html?to=${details}`);
  await page.getByRole('button', { name: 'Request a change: legal name' }).click();
  await page.getByLabel('New legal name').fill('Southsite 乳業 Limited');
  await page.getByLabel('Reason').fill('Registered in its own script');
  await page.getByRole('button', { name: 'Ask the registry' }).click();
  await expect(page.getByText('Add at least one file')).toBeVisible();
  await page.getByLabel('Supporting documents').setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: onePage });
  await expect(page.getByRole('button', { name: 'Remove certificate.pdf' })).toBeVisible();
  await page.getByRole('button', { name: 'Ask the registry' }).click();
  await expect(page.getByText('awaiting the registry')).toBeVisible();
  await expectAccessible(page);

  const staff = await besides(browser, 'stella', '/staff/organisation-changes');
  await staff.getByText('Legal name: Southsite 乳業 Limited').click();
  await expect(staff.getByRole('heading', { level: 1, name: /Legal name: Southsite/ })).toBeVisible();
  const bar = staff.getByRole('region', { name: 'Decision' });
  await bar.getByRole('button', { name: 'Ask a question' }).click();
  await bar.getByRole('textbox', { name: 'Question' }).fill('Please send the certificate of the companies office');
  await bar.getByRole('button', { name: 'Ask a question' }).click();
  await expect(main(staff).getByText('The member hasn’t answered yet.')).toBeVisible();
  await expectAccessible(staff);

  await page.reload();
  await page.getByLabel('Your answer').fill('Sent this morning');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(page.getByText('in review')).toBeVisible();

  await staff.reload();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(main(staff).getByText(/Approved by Stella/)).toBeVisible();

  await page.reload();
  await expect(main(page).getByText('Southsite 乳業 Limited').first()).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'Registry staff' })).toBeVisible();
});

test('closing an account is requested, approved by registry staff, and withdrawn after all', async ({ page, browser }) => {
  await arriveAs(page, 'corin', `/SOUTHSITE-NZ/index.html?to=${details}`);
  await page.getByRole('button', { name: 'Ask to close the account' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Ask to close SOUTHSITE-NZ?' });
  await dialog.getByRole('button', { name: 'Ask the registry' }).click();
  await expect(dialog.getByRole('link', { name: 'Write SOUTHSITE-NZ', exact: true })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Sold to another dairy');
  await dialog.getByLabel('Day').fill(utcDay(Date.now() + 40 * DAY_MS));
  await dialog.getByLabel('Number resources').selectOption('transfer');
  await dialog.getByLabel('Type SOUTHSITE-NZ to confirm').fill('SOUTHSITE-NZ');
  await dialog.getByRole('button', { name: 'Ask the registry' }).click();
  await expect(page.getByRole('button', { name: 'Keep the account' })).toBeVisible();

  const staff = await besides(browser, 'stella', '/staff/organisation-changes?kind=closures');
  await staff
    .getByRole('row', { name: /SOUTHSITE-NZ/ })
    .getByText(/^Close the account on/)
    .click();
  await expect(staff.getByRole('heading', { level: 1, name: /Close the account on/ })).toBeVisible();
  const bar = staff.getByRole('region', { name: 'Decision' });
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(bar.getByText(/Make sure they are transferred/)).toBeVisible();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(main(staff).getByText('What’s left to do')).toBeVisible();
  await expectAccessible(staff);

  await page.reload();
  await page.getByRole('button', { name: 'Keep the account' }).click();
  await expect(page.getByText(/The last request, for .* was withdrawn by Corin/)).toBeVisible();
});

test('a contact without the permission can read it, and is told why it can’t be changed', async ({ page }) => {
  await arriveAs(page, 'tess', details);
  const change = page.getByRole('button', { name: 'Change billing' });
  await expect(change).toHaveAttribute('aria-disabled', 'true');
  await expect(change).toHaveAccessibleDescription(/You do not have permission to access this feature/);
  await expect(main(page).getByText('Sorry, you must be a corporate contact')).toBeAttached();
  await expectAccessible(page);
});
