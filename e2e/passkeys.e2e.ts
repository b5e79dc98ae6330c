import type { CDPSession, Page } from '@playwright/test';
import { enterCode, forget, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

// One has another second factor, the other none; both end without a passkey.
const people = ['nils', 'tilda'];
test.beforeEach(() => people.forEach(forget));
test.afterEach(() => people.forEach(forget));

/** Adds a device with passkeys. It responds only while touched. */
async function plugIn(page: Page): Promise<{ touch(on: boolean): Promise<void> }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return {
    touch: async enabled => void (await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
  };
}

async function enterPassword(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password').fill(`demo-registry-${name}`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Office laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Office laptop')).toBeVisible();
}

async function removePasskey(page: Page): Promise<void> {
  await page.goto('/account/factors');
  await page.getByRole('link', { name: 'Remove Office laptop' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('status')).toContainText('It was removed');
}

/** Signs out in this tab and browser: from a document without calls of its own, of which one would be refused afterwards. */
async function leave(page: Page): Promise<void> {
  await page.goto('/healthz');
  await page.context().clearCookies();
  await page.evaluate('sessionStorage.clear()');
}

test('a passkey is asked for after the password, and opens the portal automatically', async ({ page }) => {
  const device = await plugIn(page);
  await page.goto('/account/factors/passkey');
  await enterPassword(page, 'tilda');
  await device.touch(true);
  await addPasskey(page);

  await device.touch(false);
  await leave(page);
  await page.goto('/');
  await enterPassword(page, 'tilda');
  await expect(page.getByRole('heading', { name: 'Use your passkey' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Use a recovery code' })).toBeVisible();
  await device.touch(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Tilda.*· 2FA/);

  await device.touch(false);
  await leave(page);
  await page.goto('/');
  const alone = page.getByRole('button', { name: 'Log in with a passkey' });
  await expect(alone).toBeVisible();
  await page.getByLabel('Password').focus();
  await device.touch(true);
  // A device that is touched all the time may accept the browser's own offer before the button is clicked: the passkey alone is also sufficient.
  await alone.click({ timeout: 3_000 }).catch(() => expect(alone).toBeHidden());
  await expect(greeting(page)).toHaveAccessibleName(/Tilda.*· 2FA/);
  await removePasskey(page);
});

test.describe('if a second factor is required only for some actions', () => {
  test.use({ program: 'short tokens' });

  test('a passkey serves as second factor, like the code of an app', async ({ page }) => {
    const device = await plugIn(page);
    await page.goto('/account/factors/passkey');
    await enterPassword(page, 'nils');
    await expect(page.getByText('Confirm it’s you. Nothing is lost.')).toBeVisible();
    await enterCode(page, 'nils');
    await device.touch(true);
    await addPasskey(page);

    await device.touch(false);
    await leave(page);
    await page.goto('/');
    await enterPassword(page, 'nils');
    await expect(greeting(page)).toHaveAccessibleName(/Nils.*· No 2FA/);
    await page.goto('/account/factors/passkey');
    await expect(page.getByText('Confirm it’s you. Nothing is lost.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Use a one-time code' })).toBeVisible();
    await expectAccessible(page);
    await device.touch(true);
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await expect(page.getByRole('button', { name: 'Add passkey' })).toBeVisible();
    await removePasskey(page);
  });
});
