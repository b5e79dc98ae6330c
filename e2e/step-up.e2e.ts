import { enterCode, forget, greeting } from './people.ts';
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
