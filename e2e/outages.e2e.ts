import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, test } from './portal-test.ts';

const invitations = '/member-account-settings/account-contacts?invite=yes';
const sent = (page: Page) => page.getByText(/^Invitation sent to/);

test.beforeAll(() => forget('corin'));

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Mina Park');
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('E-mail again').fill(email);
  await page.getByRole('checkbox', { name: 'Billing', exact: true }).check();
}

/** Cuts the connection to the API: requests are lost, or arrive and their answers are lost. Returns a function that restores it. */
async function cutLine(page: Page, lost: 'request' | 'answer'): Promise<() => Promise<void>> {
  const isCall = (url: URL): boolean => /^\/api\/(EXAMPLE-AU\/contacts$|change-outcomes)/.test(url.pathname);
  await page.route(isCall, async route => {
    if (route.request().method() === 'GET') return route.continue();
    if (lost === 'answer' && !route.request().url().includes('change-outcomes')) await route.fetch();
    await route.abort('connectionreset');
  });
  return () => page.unroute(isCall);
}

test('a change whose answer is lost is reported as saved as soon as the connection is back', async ({ page, watch }) => {
  test.slow();
  watch.expect(/ERR_CONNECTION_RESET/);
  await arriveAs(page, 'corin', invitations);
  await fillIn(page, 'answer-lost@example-au.example');
  const restore = await cutLine(page, 'answer');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText(/^The connection broke while your change was being saved/)).toBeVisible({ timeout: 30_000 });
  await restore();
  await expect(page.getByText('Your change was saved.')).toBeVisible({ timeout: 20_000 });
  await expect(sent(page)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'answer-lost@example-au.example' })).toHaveCount(1);
});

test('a change that never arrived is reported as not saved, the input stays, and it is made on the next click', async ({ page, watch }) => {
  test.slow();
  watch.expect(/ERR_CONNECTION_RESET/);
  await arriveAs(page, 'corin', invitations);
  await fillIn(page, 'request-lost@example-au.example');
  const restore = await cutLine(page, 'request');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText(/^The connection broke while your change was being saved/)).toBeVisible({ timeout: 30_000 });
  await restore();
  await expect(page.getByText(/Your change was not saved, because the registry could not be reached/).first()).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('request-lost@example-au.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(sent(page)).toBeVisible();
});

test('after a reload the page shows the result of the change', async ({ page, watch }) => {
  test.slow();
  watch.expect(/ERR_CONNECTION_RESET/);
  await arriveAs(page, 'corin', invitations);
  await fillIn(page, 'page-left@example-au.example');
  const restore = await cutLine(page, 'answer');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText(/^The connection broke while your change was being saved/)).toBeVisible({ timeout: 30_000 });
  await restore();
  const asked = page.waitForResponse(answer => answer.url().endsWith('/api/change-outcomes'));
  await page.reload();
  expect((await (await asked).json()) as unknown).toMatchObject({ outcome: 'saved' });
  await expect(page.getByText(/Your change from \d\d:\d\d was saved/)).toBeVisible({ timeout: 20_000 });
});
