import type { Page } from '@playwright/test';
import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

const log = '/member-account-settings/activity-logs';

/** The button that opens the newest line. */
const firstLine = (page: Page) => page.getByRole('gridcell').first().getByRole('button');

/** Invites a person through the API, as the pages do; returns the status. */
const invite = `(async (fullName, email) => (await fetch('/api/EXAMPLE-AU/contacts', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + sessionStorage.getItem('id_token'), 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify({ fullName, email, contactTypes: ['technical'] }),
})).status)`;

test('a contact’s activities are in the log, with author, changes, and refusals', async ({ page, watch }) => {
  watch.expect(/status of 409 .*contacts/);
  await arriveAs(page, 'corin', log);
  await expect(page.getByRole('listbox', { name: /^Activities by day/ })).toBeVisible();
  expect(await page.evaluate<number>(`${invite}('Activity Guest', 'guest@activity.example')`)).toBe(200);
  expect(await page.evaluate<number>(`${invite}('Activity Guest', 'guest@activity.example')`)).toBe(409);

  await page.getByRole('button', { name: 'Refresh' }).click();
  const done = page.getByRole('button', { name: 'Invited a contact Activity Guest' });
  await expect(done).toBeVisible();
  await expect(page.getByText('The person is already a contact of the account').first()).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);

  await done.click();
  await expect(page).toHaveURL(/line=\d+/);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('guest@activity.example')).toBeVisible();
  await expect(drawer.getByRole('row', { name: /^Permissions .*View number resources/ })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('dialog').getByText('guest@activity.example')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).not.toHaveURL(/line=/);

  await page.getByLabel('Result').selectOption('refused');
  await expect(done).toHaveCount(0);
  await expect(page).toHaveURL(/result=refused/);
  await page.reload();
  await expect(page.getByLabel('Result')).toHaveValue('refused');
  await expect(done).toHaveCount(0);
});

test('a day is selected and deselected with the keyboard alone', async ({ page }) => {
  await arriveAs(page, 'corin', log);
  const days = page.getByRole('listbox', { name: /^Activities by day/ });
  const last = days.getByRole('option').last();
  await expect(last).toBeVisible();
  await last.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await expect(days.getByRole('option', { selected: true })).toHaveCount(1);
  // Of that day alone, whether or not something happened on it.
  await expect(firstLine(page).or(page.getByRole('heading', { name: 'No activity' }))).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/from=/);
  await expect(firstLine(page)).toBeVisible();
});

test('the filtered log is saved as a file', async ({ page }) => {
  await arriveAs(page, 'corin', `${log}?q=Opened&from=2020-12-01&to=2020-12-31`);
  await expect(page.getByRole('button', { name: 'Opened the account' })).toBeVisible();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export the activity as CSV' }).click();
  const saved = await file;
  expect(saved.suggestedFilename()).toBe('EXAMPLE-AU-activity.csv');
});

test('the proof of the days is saved, and the page about it is a link away', async ({ page }) => {
  await arriveAs(page, 'corin', `${log}?from=2020-12-01&to=2020-12-31`);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Proof' }).click();
  expect((await file).suggestedFilename()).toBe('EXAMPLE-AU-log-proof-2020-12-01-2020-12-31.json');
  await page.getByRole('link', { name: 'How to check' }).click();
  await expect(page.getByRole('heading', { name: 'Check your own log' })).toBeVisible();
  await expectAccessible(page);
  // Of twelve months the newest days that a proof covers are offered, and nothing that is then refused.
  await page.goto(`${log}?period=365`);
  await expect(page.getByText('A proof covers at most 92 days')).toBeVisible();
  await expectAccessible(page);
  const newest = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Proof of the last 92 days' }).click();
  expect((await newest).suggestedFilename()).toMatch(/^EXAMPLE-AU-log-proof-/);
});

test('on a telephone the lines are cards, and nothing scrolls sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await arriveAs(page, 'corin', log);
  await expect(firstLine(page)).toBeVisible();
  await expectDrawn(page);
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow, `scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

test('a contact who may not see the log is told who can help', async ({ page }) => {
  await arriveAs(page, 'bill', log);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible();
});
