import type { Page } from '@playwright/test';
import { greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

const password = 'seven quiet otters under ice';
const newPassword = 'nine herons left the harbour';

// The second story is of the person the first one made.
test.describe.configure({ mode: 'serial' });

/** The address of the link in the newest mail of a subject, read as a newcomer would. */
async function followMail(page: Page, subject: string): Promise<void> {
  const link = page
    .getByRole('article')
    .filter({ hasText: subject })
    .first()
    .getByRole('link', { name: /token=/ });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectAccessible(page);
  await link.click();
}

test('a new person registers, confirms by mail, and is in', async ({ page, watch }) => {
  watch.expect(/status of 422 .*\/sign-in\//);
  await page.goto('/');
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Register' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Full name').fill('Wanda Ito');
  await page.getByLabel('E-mail', { exact: true }).fill('wanda@newcomer.example');
  await page.getByLabel('E-mail again').fill('wanda@newcomer.exmaple');
  await page.getByLabel('Password').fill('wanda ito 2026!');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByLabel('E-mail again')).toHaveAccessibleDescription('The two addresses don’t match.');
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/This password is mostly a name/);
  await expect(page.getByLabel('Full name')).toHaveValue('Wanda Ito');
  await expectAccessible(page);

  await page.getByLabel('E-mail again').fill('wanda@newcomer.example');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await expectAccessible(page);

  await followMail(page, 'Confirm your registration');
  await expect(page.getByRole('heading', { name: 'Confirm your registration' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'You have a login' })).toBeVisible();
  await expectAccessible(page);
  // The browser that registered goes on without the password.
  await page.getByRole('button', { name: 'Continue to MyRegistry' }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Wanda/);
  await expect(page.getByRole('heading', { name: 'Welcome, Wanda' })).toBeVisible();
});

test('the sign-in form of another browser has the name of a new login filled in', async ({ page }) => {
  await page.goto('/#registered=wanda');
  await expect(page.getByLabel('User name or e-mail')).toHaveValue('wanda');
  await expect(page.getByText('Your login is ready. Enter the password you chose when you registered.')).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Wanda/);
  await expect(page).toHaveURL(/\/$/);
});

test('a person who forgot the password chooses a new one by mail, and a used link offers a new one', async ({ page, watch }) => {
  watch.expect(/status of 4\d\d .*\/(sign-in|account)\//);
  await page.goto('/');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectAccessible(page);
  await page.getByLabel('User name or e-mail').fill('wanda');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await expectAccessible(page);

  await followMail(page, 'Choose a new password');
  const address = page.url();
  await expectAccessible(page);
  await page.getByLabel('New password').fill('wanda wanda wanda');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/repeats itself|mostly a name/);
  await expectAccessible(page);
  await page.getByLabel('New password').fill('demo-registry-wanda');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/is mostly a name/);
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();

  await page.goto('/');
  await page.getByLabel('User name or e-mail').fill('wanda');
  await page.getByLabel('Password').fill(newPassword);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Wanda/);
});
