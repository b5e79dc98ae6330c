import type { Page } from '@playwright/test';
import { arriveAs, fillIn, forget, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

const pages = ['', '/profile', '/email', '/password', '/factors', '/sessions', '/history', '/data'];

/** Opens a page of the login as a person who is signed in to the portal. */
async function arriveAtLogin(page: Page, name: string, path = ''): Promise<void> {
  await arriveAs(page, name, '/settings');
  await page.goto(`/account${path}`);
  await expect(page.getByRole('navigation', { name: 'Your login' })).toBeVisible();
}

/** The newest kept mail to an address. */
const newestMail = (page: Page, recipient: string) =>
  page
    .getByRole('article')
    .filter({ hasText: `To ${recipient},` })
    .first();

test('the person’s menu and the settings link to the pages of the login, and those link back', async ({ page }) => {
  await arriveAs(page, 'tilda', '/settings');
  await greeting(page).click();
  await page.getByRole('menuitem', { name: 'Your login' }).click();
  await expect(page.getByRole('heading', { name: 'Your login', level: 1 })).toBeVisible();
  await expect(page).toHaveURL('/account');
  await page.getByRole('link', { name: 'Back to MyRegistry' }).click();
  await expect(greeting(page)).toBeVisible();
  await page.goto('/settings');
  await page.getByRole('link', { name: /password, second factors and sessions/ }).click();
  await expect(page).toHaveURL('/account');
});

test('every page of the login is accessible, light and dark, wide and narrow', async ({ page }) => {
  test.slow();
  await arriveAtLogin(page, 'tilda');
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const path of pages) {
      await page.goto(`/account${path}`);
      await expect(page.locator('nav [aria-current="page"]')).toHaveCount(1);
      await expectAccessible(page);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(beyond, `what stands out of ${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test('names are changed by keyboard alone, and the portal greets by them', async ({ page }) => {
  await arriveAtLogin(page, 'tilda');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
  await page.getByRole('link', { name: 'Profile', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  const before = await page.getByLabel('Nickname').inputValue();
  // The longest possible name, in one word, still fits the narrowest screen.
  for (const nickname of ['W'.repeat(100), before]) {
    await page.getByLabel('Nickname').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(nickname);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toHaveText('Your names were saved.');
    await expect(page.getByText(`Hello, ${nickname}!`)).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});

test('a wrong current password is reported beside its field, and the password can be shown', async ({ page, watch }) => {
  watch.expect(/status of 422 .*\/account\/password/);
  await arriveAtLogin(page, 'tilda', '/password');
  if (await page.getByRole('link', { name: 'Log in again to change it' }).isVisible()) {
    await page.getByRole('link', { name: 'Log in again to change it' }).click();
    await page.getByLabel('Password', { exact: true }).fill('demo-registry-tilda');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password', { exact: true }).fill('seven quiet lakes at noon');
  await page.getByRole('button', { name: /^Show/ }).click();
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Your password wasn’t changed.');
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription('Wrong password.');
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('');
  await expectAccessible(page);
});

test('a session ended from another browser is over there immediately', async ({ page, browser, baseURL }) => {
  await arriveAs(page, 'tilda');
  const elsewhere = await browser.newContext({ baseURL: baseURL! });
  const other = await elsewhere.newPage();
  await other.goto('/account/sessions');
  await other.getByLabel('User name or e-mail').fill('tilda');
  await other.getByLabel('Password', { exact: true }).fill('demo-registry-tilda');
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other.getByRole('heading', { name: 'Sessions' })).toBeVisible();
  await expectAccessible(other);
  const left = page.waitForRequest(asked => asked.url().includes('/oidc/session/end'));
  await other.getByRole('button', { name: 'End all others' }).click();
  await expect(other.getByRole('status')).toHaveText('All other sessions were ended.');
  await expect(other.getByText('You aren’t logged in anywhere else.')).toBeVisible();
  await left;
  await elsewhere.close();
  forget('tilda');
});

test('a new e-mail address is confirmed by a link, and the old one reverts it', async ({ page, watch }) => {
  watch.expect(/status of 410 .*\/account\/email/);
  // In no other story: a login whose address was changed makes no changes for a day.
  await arriveAs(page, 'hana', '/settings');
  await page.goto('/account/email?change=1');
  const old = await page.locator('dd').first().innerText();
  const wanted = `hana.${Date.now()}@example.net`;
  if (await page.getByLabel('User name or e-mail').isVisible()) await fillIn(page, 'hana');
  await page.getByLabel('New email address').fill(wanted);
  await page.getByLabel('Confirm email address').fill(wanted);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status')).toContainText('We sent a link to the new address.');
  await expectAccessible(page);

  // The task that writes the mail runs in parallel.
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(newestMail(page, wanted)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await newestMail(page, wanted)
    .getByRole('link', { name: /\/account\/email\/confirm/ })
    .click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await expect(page.getByRole('heading', { name: 'Address changed' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByText('The e-mail address of your login was changed')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/dev/mail');
  await newestMail(page, old)
    .getByRole('link', { name: /\/account\/email\/undo/ })
    .click();
  const undo = page.url();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Address changed back' })).toBeVisible();
  await page.goto(undo);
  await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible();
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  forget('hana');
});

test('the sign-in history is shown and can be downloaded', async ({ page }) => {
  await arriveAtLogin(page, 'tilda', '/history');
  await expect(page.getByRole('row').filter({ hasText: 'Signed in' }).first()).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download all as CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('sign-in-history.csv');
});
