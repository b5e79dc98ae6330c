import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { TOTP, Secret } from 'otpauth';
import { forget, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

// People without a second factor, one a test; each leaves its person without one.
const people = ['nadia', 'hana', 'olive', 'max'] as const;
const forgetAll = (): void => people.forEach(forget);
test.beforeEach(forgetAll);
test.afterEach(forgetAll);

/** A device that keeps passkeys and recognises its person, in the browser of this page. */
async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
}

/** Opens a page of the login, logging in with the password. */
async function arrive(page: Page, name: (typeof people)[number], path = '/account/factors'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(`demo-registry-${name}`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

test('a passkey is added, opens the login without a password, is renamed and removed', async ({ page }) => {
  await plugIn(page);
  await arrive(page, 'nadia');
  await expect(page.getByRole('heading', { name: 'Second factors', level: 1 })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Office laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/ })).toHaveCount(10);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  const shown = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(file.match(/^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/gm)).toEqual(shown);
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Office laptop')).toBeVisible();
  await expect(page.getByText('10 codes left')).toBeVisible();
  await expectAccessible(page);

  // Logged out everywhere, the passkey alone is enough.
  await page.context().clearCookies();
  await page.goto('/account/factors');
  // The browser offers it in the user name field, and this device accepts every offer.
  await expect(page.getByRole('heading', { name: 'Second factors', level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'Rename Office laptop' }).click();
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Home laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('The name was changed.');

  await page.getByRole('link', { name: 'Remove Home laptop' }).click();
  await expect(page.getByText('This is your last second factor.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('status')).toContainText('It was removed');
  await expect(page.getByText('Home laptop')).toHaveCount(0);
});

test('a device that already has a passkey of the login says so, and a cancelled one can be retried', async ({ page }) => {
  await plugIn(page);
  await arrive(page, 'hana', '/account/factors/passkey');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Chrome on Linux')).toBeVisible();

  await page.goto('/account/factors/passkey');
  await page.getByRole('button', { name: /passkey/i }).click();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('This device has a passkey of your login already.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeEnabled();
  await page.goto('/account/factors');
  await page.getByRole('link', { name: 'Remove Chrome on Linux' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('status')).toContainText('It was removed');
});

test('an authenticator app is added by its key, and its code is asked for from then on', { tag: '@firefox' }, async ({ page, watch }) => {
  watch.expect(/status of 400 .*\/account\/factors\/authenticator/);
  await arrive(page, 'olive', '/account/factors/authenticator');
  await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.locator('.key').textContent())!.replaceAll(' ', '');
  await page.getByLabel('Name').fill('Phone');
  await page.getByLabel('Code the app shows').fill('000000');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('alert')).toContainText('Wrong code');
  await expectAccessible(page);
  await page.getByLabel('Code the app shows').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Phone', { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await arrive(page, 'olive');
  await page.getByLabel('One-time code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('link', { name: 'Create new codes' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create ten new codes' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Remove Phone' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('status')).toContainText('It was removed');
  await page.goto('/');
  await expect(greeting(page)).toHaveAccessibleName(/Olive/);
});

test('a browser without passkeys says so', async ({ page }) => {
  await page.addInitScript({ content: 'delete window.PublicKeyCredential' });
  await arrive(page, 'max', '/account/factors/passkey');
  await expect(page.getByText('This browser cannot use passkeys.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden();
});
