import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

// Creating a token requires a second factor given minutes ago.
test.beforeAll(() => forget('stella'));

test('staff create the token of a watcher, which reports to the status page, and revoke it', async ({ page, watch }) => {
  test.setTimeout(180_000);
  watch.expect(/status of (400|401|403|409)/);
  await arriveAs(page, 'stella', '/desk/registry-data');
  const watchers = page.getByRole('region', { name: 'Watchers of the status page' });
  await expect(watchers.getByText('No watcher has a token')).toBeVisible();
  await watchers.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Enter where it is, such as Singapore').first()).toBeVisible();
  await dialog.getByLabel('Place').fill('Singapore');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await dialog.getByText(/^mr_watch_/).textContent();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(watchers.getByText('Not reported yet')).toBeVisible();

  const report = {
    version: 1,
    at: new Date().toISOString(),
    checks: [{ service: 'outside-whois', state: 'working', milliseconds: 42, note: '' }],
  };
  const send = async () =>
    (await page.request.post('/status/watch', { headers: { authorization: `Bearer ${token}` }, data: report })).status();
  expect(await send()).toBe(204);
  await page.goto('/status');
  await expect(page.getByText('Singapore 42 ms').first()).toBeVisible();
  await expectFit(page);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/desk/registry-data');
  await expect(watchers.getByText('Reporting')).toBeVisible();
  await expect(page.getByText(token!)).toHaveCount(0);
  await watchers.getByRole('button', { name: 'Rename Singapore' }).click();
  await dialog.getByLabel('Place').fill('Jakarta');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expectFit(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await watchers.getByRole('button', { name: 'Revoke Jakarta' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click();
  await expect(watchers.getByText('Revoked')).toBeVisible();
  // Within five seconds of its last report the answer is that it reports too often.
  await expect.poll(send, { timeout: 20_000 }).toBe(401);
});
