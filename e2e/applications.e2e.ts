import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Decisions of staff require a second factor given minutes ago.
test.beforeAll(() => forget('stella'));

/** A call of the API as the person of this page, as the desk of the registry makes it. */
async function decide(page: Page, path: string, body: unknown): Promise<number> {
  const token = await page.evaluate<string>('sessionStorage.id_token');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await page.request.post(path, { headers, data: JSON.stringify(body) })).status();
}

const paper = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\nxref\n0 3\n' +
    '0000000000 65535 f \n0000000009 00000 n \n0000000054 00000 n \ntrailer<</Size 3/Root 1 0 R>>\nstartxref\n102\n%%EOF\n',
);

test('a person applies for membership in steps, answers the registry, and is the corporate contact of the new account', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  await arriveAs(page, 'olive', '/add-account');
  const goOn = page.getByRole('button', { name: 'Continue' });
  await page.getByRole('button', { name: 'Start an application' }).click();

  await expect(page.getByRole('heading', { name: 'Organisation' })).toBeVisible();
  await goOn.click();
  // Everything missing in the step is shown at its field, and in one list with links.
  await expect(page.getByRole('alert', { name: 'There’s a problem' })).toBeVisible();
  await expect(page.getByLabel('Legal name')).toBeFocused();
  await expect(page.getByLabel('Legal name')).toHaveAccessibleDescription('Enter the legal name, at least 2 characters');
  await expectAccessible(page);
  await page.getByLabel('Legal name').fill('礁湖网络 Lagoon <b>Networks</b>');
  await page.getByLabel('Economy').selectOption('FJ');
  await page.getByLabel('Legal form').selectOption('company');
  await page.getByLabel('What the organisation does').selectOption('internet service provider');
  await page.getByLabel('Registration number').fill('RCFS-30117');
  await page.getByLabel('Street or post box').fill('12 Example Street');
  await page.getByLabel('City').fill('Suva');
  await page.getByLabel('Organisation’s telephone').fill('+679 555 0140');
  await page.getByLabel('E-mail for abuse reports').fill('abuse@lagoon.example');
  await goOn.click();

  await page.getByLabel('Your position').fill('Managing director');
  await page.getByLabel('Your telephone').fill('+679 555 0141');
  await expectAccessible(page);
  // A person who leaves finds everything unchanged on return.
  await expect(page.getByText(/ · saved /)).toBeVisible();
  await page.goto('/add-account');
  await page.getByRole('link', { name: '礁湖网络 Lagoon <b>Networks</b>' }).click();
  await expect(page.getByLabel('Your position')).toHaveValue('Managing director');
  await goOn.click();

  await page.getByRole('button', { name: 'LAGOON-B-NETWORKS-B-FJ' }).click();
  await page.getByLabel('Account name').fill('other-sg');
  await page.getByLabel('Account name').blur();
  await expect(page.getByLabel('Account name')).toHaveAccessibleDescription('OTHER-SG is taken. Choose another account name');
  await page.getByLabel('Account name').fill('lagoon-fj');
  await page.getByLabel('Account name').blur();
  await expect(page.getByText('LAGOON-FJ is available. It’s reserved when you submit.')).toBeVisible();
  await expectAccessible(page);
  await goOn.click();
  await page.getByLabel('IPv6').check();
  await page.getByLabel('Network plan').fill('Two upstreams from March; routers are ordered.');
  await goOn.click();
  await expect(page.getByLabel('E-mail for invoices')).toHaveValue('olive@other-sg.example');
  await goOn.click();
  await goOn.click();
  await expect(page.getByText('Add the certificate of incorporation or an equivalent document').first()).toBeVisible();
  await page.setInputFiles('input[type=file]', { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: paper });
  await expect(page.getByText('certificate.pdf')).toBeVisible();
  await goOn.click();

  const submit = page.getByRole('button', { name: 'Submit the application' });
  await submit.click();
  await expect(page.getByLabel(/membership agreement/)).toHaveAccessibleDescription('Accept the membership agreement');
  await page.getByLabel(/membership agreement/).check();
  await page.getByLabel(/everything here is true/).check();
  await expectAccessible(page);
  await expectDrawn(page);
  await submit.click();
  await expect(page.getByText('The application is with the registry.')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('application')!;

  const stella = await (await browser.newContext()).newPage();
  await arriveAs(stella, 'stella');
  expect(await decide(stella, `/api/staff/applications/${id}/ask`, { question: 'Is the street number 12 or 21?' })).toBe(200);
  await page.reload();
  await expect(page.getByText('Is the street number 12 or 21?').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change the application first' }).click();
  await page.getByLabel('Street or post box').fill('21 Example Street');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByLabel('Your answer').fill('21, sorry');
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByText('The application is with the registry.')).toBeVisible();
  expect(await decide(stella, `/api/staff/applications/${id}/approve`, { note: '' })).toBe(200);
  await page.reload();
  await expect(page.getByText('LAGOON-FJ is approved, and you are its corporate contact.')).toBeVisible();
  await page.getByRole('link', { name: 'Open LAGOON-FJ' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/member-account-settings/organization-details');
  await expect(page.getByText('21 Example Street')).toBeVisible();
  await stella.context().close();
});
