import { arriveAs } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

/** A small PDF, as a program writes one. */
const head = '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n';
const paper = Buffer.from(`${head}trailer<</Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);

test('a day at the desk by keyboard: lists, a decision, why one isn’t possible, the second person, and a letter about a case', async ({
  page,
  browser,
  baseURL,
  watch,
}) => {
  test.slow();
  // An approval that waits for a second person.
  watch.expect(/status of 409/);
  const press = (key: string) => page.keyboard.press(key);
  const main = page.getByRole('main');
  await arriveAs(page, 'stella', '/desk');
  await expect(page.getByRole('link', { name: /tickets? waits? for the registry/ })).toHaveAttribute('aria-keyshortcuts', 'i');
  await press('i');
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible();
  await expect(main).toBeFocused();
  // The palette is loaded before it is asked for: what is typed for it isn’t taken for keys of the page.
  await expect
    .poll(() => page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => /DeskPalette/.test(name))`))
    .toBe(true);
  // A key leads to the filters of the list, and Enter back to it.
  const search = page.getByRole('searchbox', { name: 'Find a ticket' });
  await expect(search).toBeVisible();
  await press('s');
  await expect(search).toBeFocused();
  await press('Enter');
  await expect(main).toBeFocused();
  // The palette leads on, and the page has the focus, not what was behind the palette.
  await press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  // A key that opens it elsewhere is a letter here.
  await page.keyboard.type('198.18.8.0/24');
  await expect(palette.getByRole('searchbox')).toHaveValue('198.18.8.0/24');
  await press('Control+a');
  await page.keyboard.type('Second');
  await expect(palette.getByRole('option', { name: 'Second approvals' })).toBeVisible();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Second approvals' })).toBeVisible();
  await expect(main).toBeFocused();

  // A return is approved; pressed once more, the letter says where the case is, in full above the end of the screen.
  await page.goto('/desk/requests/transfers-9');
  const bar = page.getByRole('region', { name: 'Decision' });
  await expect(bar.getByRole('button', { name: 'Approve' })).toBeVisible();
  await press('a');
  await expect(bar.getByRole('textbox')).toBeFocused();
  await press('Control+Enter');
  await expect(bar.getByRole('button', { name: 'Next case' })).toBeFocused();
  const approve = bar.getByRole('button', { name: 'Approve' });
  await expect(approve).toHaveAccessibleDescription('An approval is waiting for a second person');
  await press('a');
  await expect(approve).toBeFocused();
  await expect(bar.getByText('An approval is waiting for a second person')).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);

  const other = await browser.newContext({ baseURL: baseURL! });
  const stan = await other.newPage();
  await arriveAs(stan, 'stan', '/desk/requests/transfers-9');
  const second = stan.locator('[data-second-person]').getByRole('button', { name: 'Approve' });
  // Pressed before the approval of the first person is read, too.
  await expect(stan.getByRole('region', { name: 'Decision' })).toBeVisible();
  await stan.keyboard.press('a');
  await expect(second).toBeFocused();
  await other.close();

  // A closure has no messages of its own: a ticket about it is written from its page, which stays.
  await page.goto('/desk/requests/closures-1');
  await expect(page.getByRole('button', { name: /^Write to INLET-ID/ })).toBeVisible();
  await press('c');
  const letter = page.getByRole('dialog', { name: 'Write to INLET-ID' });
  await expect(letter.getByLabel('To', { exact: true })).toBeFocused();
  await expect(letter.getByLabel('Subject')).toHaveValue('CLOSE-1: ');
  await letter.getByLabel('Subject').fill('CLOSE-1: The open invoice');
  await letter.getByLabel('Message').fill('The letter that you asked for is attached.');
  await letter.locator('input[type=file]').setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: paper });
  await expect(letter.getByText('letter.pdf')).toBeVisible();
  await expectAccessible(page);
  await letter.getByLabel('Message').press('Control+Enter');
  const sent = page.getByText(/^Ticket \d+ is sent to /);
  await expect(sent).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('INLET-ID');
  const ticket = /\d+/.exec((await sent.textContent())!)![0];
  await page.goto(`/desk/tickets?ticket=${ticket}`);
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('letter.pdf')).toBeVisible();
});
