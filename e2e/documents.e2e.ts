import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Signing needs a second factor given minutes ago.
test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => forget('corin'));

const documents = '/member-account-settings/documents';

/** A small PDF, as a program writes one. */
const pdf = (words: string): Buffer => {
  const head = `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%${words}\n`;
  return Buffer.from(`${head}trailer<</Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);
};

test('a contact drops an executable, is refused, adds a document instead, opens it, and gets a certificate', async ({ page, watch }) => {
  watch.expect(/status of 422/);
  await arriveAs(page, 'corin', `/SOUTHSITE-NZ/index.html?to=${documents}`);
  await page.getByRole('button', { name: 'Add a document' }).click();
  const form = page.getByRole('form', { name: 'Add a document' });
  const choose = form.getByLabel('File', { exact: true });
  await choose.setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ this is a program') });
  await expect(form.getByText(/The file “invoice.pdf” can’t be uploaded: its content is a program/)).toBeVisible();
  await expectAccessible(page);
  await choose.setInputFiles({ name: 'Company_extract.pdf', mimeType: 'application/pdf', buffer: pdf('extract') });
  await expect(form.getByLabel('Title')).toHaveValue('Company extract');
  await form.getByLabel('Type').selectOption('legal');
  await expectDrawn(page);
  await form.getByRole('button', { name: 'Add the document' }).click();
  await expect(page.getByText('The document is added.')).toBeVisible();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Open Company extract' }).click();
  expect((await saved).suggestedFilename()).toBe('Company_extract.pdf');
  const certificate = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Get a certificate' }).click();
  expect((await certificate).suggestedFilename()).toMatch(/^certificate-SOUTHSITE-NZ-.*\.pdf$/);
  const code = (await page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/).textContent())!;
  await expectAccessible(page);
  await page.getByRole('link', { name: '/certificates' }).click();
  await expect(page).toHaveURL('/certificates');
  await page.getByRole('textbox').fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Southsite', { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
});
