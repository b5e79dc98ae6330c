import { arriveAs, framed, greeting } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('an address that does not exist says so, with its status', async ({ page, watch }) => {
  watch.expect(/status of 404 .*\/nowhere/);
  await arriveAs(page, 'corin');
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL('/');
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the navigation is a drawer that keeps the focus and gives it back; nothing scrolls sideways', async ({ page }) => {
    await arriveAs(page, 'corin');
    const menu = page.getByRole('button', { name: 'Menu' });
    await expect(page.getByRole('link', { name: 'My accounts' })).toBeHidden();
    await menu.click();
    const drawer = page.getByRole('dialog');
    await expect(drawer).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(menu).toBeFocused();

    for (const path of ['/', '/resources/ipv4', '/member-account-settings/my-accounts', '/settings']) {
      await page.goto(path);
      await expect(greeting(page)).toBeVisible();
      await expectDrawn(page);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
    }
  });
});

test('the theme changes immediately, in the frame too, and stays', async ({ page }) => {
  await arriveAs(page, 'tess', '/settings');
  const themeOf = (within: 'document' | 'frame') =>
    (within === 'document' ? page.locator('html') : framed(page).locator('html')).getAttribute('data-theme');
  const saved = page.waitForResponse(answer => answer.url().endsWith('/api/me/preferences') && answer.request().method() === 'PATCH');
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect.poll(() => themeOf('document')).toBe('dark');
  await saved;
  await page.goto('/resources/summary');
  await expect(framed(page).getByRole('heading', { level: 1 })).toBeVisible();
  expect(await themeOf('document')).toBe('dark');
  await expect.poll(() => themeOf('frame')).toBe('dark');
  await expectDrawn(page);
  await expectAccessible(page);
});

test('with the keyboard alone a person finds a page and opens it', async ({ page }) => {
  await arriveAs(page, 'corin');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('AS numbers');
  await expect(page.getByRole('option', { name: /AS numbers/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/resources/asn');
  await expect(framed(page).getByRole('heading', { level: 1, name: 'AS numbers' })).toBeVisible();
});

test('the first stop of the keyboard leads past the navigation', async ({ page }) => {
  await arriveAs(page, 'corin');
  await page.keyboard.press('Tab');
  const first = page.locator(':focus');
  await expect(first).toHaveAccessibleName(/skip|content/i);
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});
