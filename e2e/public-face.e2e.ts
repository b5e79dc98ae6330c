import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test('a stranger reads whether the registry works', async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Member portal/ })).toBeVisible();
  await expectFit(page);
});

test('a stranger subscribes to e-mails about a service', async ({ page, watch }) => {
  watch.expect(/status of 422/);
  await page.goto('/status');
  await page.getByRole('navigation', { name: 'Other forms' }).getByRole('link', { name: 'Get e-mails' }).click();
  await page.getByLabel('Your e-mail').fill('vera@validators.example');
  await page.getByRole('radio', { name: 'Only these:' }).check();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('group', { name: 'Services' })).toHaveAccessibleDescription('Choose at least one service, or all of them.');
  await expectFit(page);
  await page.getByRole('checkbox', { name: 'RPKI repository' }).check();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check your mail' })).toBeVisible();
  await expectFit(page);
  const link = page
    .getByRole('article')
    .filter({ hasText: 'Confirm e-mails about' })
    .first()
    .getByRole('link', { name: /token=/ });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await link.click();
  await expect(page.getByText('Services: RPKI repository')).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('vera@validators.example gets e-mails about incidents and planned work.')).toBeVisible();
});

test('a stranger reads the figures of the registry', async ({ page }) => {
  // Figures are counted by the worker after its start.
  await expect.poll(async () => (await page.request.get('/numbers')).status(), { timeout: 60_000 }).toBe(200);
  await page.goto('/numbers');
  await expect(page.getByRole('heading', { level: 1, name: 'Numbers' })).toBeVisible();
  await expectFit(page);
});

test.describe('help', () => {
  test.use({ javaScriptEnabled: false });
  test('is found and read without scripts', async ({ page }) => {
    await page.goto('/help');
    await page.getByRole('searchbox', { name: 'Search help' }).fill('create roa');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('main').getByRole('listitem').getByRole('link', { name: 'Create a ROA' }).last().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a ROA');
    await expect(page.getByRole('navigation', { name: 'Help articles' }).getByRole('link', { name: 'Create a ROA' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
});

test('help articles fit every window', async ({ page }) => {
  await page.goto('/help');
  await expectFit(page);
  await page.goto('/help/create-a-roa');
  await expectFit(page);
});

test('the accessibility statement and the privacy page are accessible', async ({ page }) => {
  await page.goto('/accessibility');
  await expect(page.getByRole('heading', { level: 1, name: 'Accessibility' })).toBeVisible();
  await expectFit(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await expectFit(page);
});

test('“?” opens the article of the page beside it, and the page stays in use', async ({ page }) => {
  await arriveAs(page, 'tess', '/notifications');
  const help = page.getByRole('link', { name: 'Help with this page' });
  const panel = page.getByRole('complementary', { name: 'Choose your e-mails' });
  await expect(async () => {
    // The part that opens it here arrives after the page.
    await help.click();
    await expect(panel).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(help).toBeFocused();
});

test('articles are suggested while a ticket is typed', async ({ page }) => {
  await arriveAs(page, 'tess', '/contact/helpdesk/rt-tickets?new=');
  await page.getByLabel('Subject').fill('How do I create a ROA?');
  await expect(page.getByRole('link', { name: 'Create a ROA' })).toBeVisible();
  await expectAccessible(page);
});
