import type { Page, Route } from '@playwright/test';
import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

const contacts = '/member-account-settings/account-contacts';
const openContacts = (page: Page) => page.getByRole('link', { name: 'Account contacts', exact: true }).first().click();

test('a tab that was open before a release goes on to the page it was asked for', async ({ page, watch }) => {
  watch.expect(/404|Failed to (fetch|load)/);
  // The release has removed this page's file; the HTML of the new one names another.
  let documents = 0;
  page.on('request', request => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents++;
  });
  let before = Number.POSITIVE_INFINITY;
  await page.route(/\/assets\/AccountContactsPage-/, (route: Route) =>
    documents > before ? route.continue() : route.fulfill({ status: 404, body: '' }),
  );
  await arriveAs(page, 'corin');
  before = documents;
  await openContacts(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Account contacts' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page).toHaveURL(contacts);
  expect(documents, 'documents loaded after the release').toBe(before + 1);
});

test.describe('saving data', () => {
  test.use({ extraHTTPHeaders: { 'save-data': 'on' } });

  test('no map is loaded until it is asked for', async ({ page }) => {
    await page.addInitScript({
      content: `Object.defineProperty(navigator, 'connection', { value: { saveData: true, addEventListener() {} } })`,
    });
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await arriveAs(page, 'corin', '/resources/ipv4');
    await expect(framed(page).getByRole('heading', { name: 'Map not loaded' })).toBeVisible();
    await expectAccessible(page);
    const ofMaps = (): string[] => asked.filter(path => /address-(map|overview)/.test(path));
    expect(ofMaps()).toEqual([]);
    await framed(page).getByRole('button', { name: 'Show the map' }).click();
    await expect.poll(ofMaps).toEqual([expect.stringMatching(/address-(map|overview)/), ...ofMaps().slice(1)]);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a stranger at any address of the portal is led to what works: the pages of the login', async ({ page }) => {
    await page.goto('/resources/ipv4');
    await expect(page).toHaveURL(/\/sign-in\//);
    await page.getByLabel('User name or e-mail').fill('max');
    await page.getByLabel('Password').fill('demo-registry-max');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Your login' })).toBeVisible();
  });
});
