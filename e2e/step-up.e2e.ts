import { Secret, TOTP } from 'otpauth';
import { arriveAs, enterCode, forget, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

// A second program, where sign-in asks for the password alone.
test.use({ program: 'short tokens' });
test.beforeEach(() => forget('stella'));
test.afterEach(() => forget('stella'));

test('an action that needs a second factor asks for it alone, and continues where the person was', async ({ page, watch }) => {
  watch.expect(/status of 401 .*\/api\/staff\/(holders|requests)/);
  const asked = '/desk/accounts?q=198.18.0.1';
  await page.goto(asked);
  await page.getByLabel('User name or e-mail').fill('stella');
  await page.getByLabel('Password').fill('demo-registry-stella');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();

  await expect(page.getByLabel('One-time code')).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveCount(0);
  await expectAccessible(page);
  await enterCode(page, 'stella');

  await expect(page).toHaveURL(asked);
  await expect(page.getByText('EXAMPLE-AU').first()).toBeVisible();
  await expect(greeting(page)).toBeVisible();
});

test('a person without a second factor adds one where it is missed, and returns to the same page', async ({ page }) => {
  test.slow();
  forget('max');
  const contacts = '/member-account-settings/account-contacts';
  await arriveAs(page, 'max', contacts);
  const invite = page.getByRole('button', { name: 'Invite a contact' });
  await expect(invite).toHaveAttribute('aria-disabled', 'true');
  await invite.hover();
  await page.getByRole('button', { name: 'Add a second factor' }).first().click();
  await page.getByRole('button', { name: 'Set it up now' }).click();
  const password = page.getByLabel('Password');
  const app = page.getByRole('link', { name: 'Authenticator app' });
  await expect(password.or(app)).toBeVisible();
  if (await password.isVisible()) {
    await password.fill('demo-registry-max');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  await app.click();
  const secret = (await page.locator('.key').textContent())!.replaceAll(' ', '');
  await page.getByLabel('Code the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page
    .getByRole('button', { name: /Add|Continue|Turn on/ })
    .first()
    .click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(contacts);
  await expect(invite).not.toHaveAttribute('aria-disabled', 'true');
  await invite.click();
  await expect(page.getByLabel('Full name')).toBeVisible();
  forget('max');
});
