import { expect, expectFit, test } from './portal-test.ts';

test('a stranger finds who holds a prefix, and goes on to the AS that announces it', async ({ page }) => {
  await page.goto('/whois');
  await expectFit(page);
  await page
    .getByRole('searchbox')
    .or(page.getByLabel('Address, prefix, range, AS number, domain, handle or name'))
    .fill('198.18.0.0 - 198.18.31.255');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/whois\/198\.18\.0\.0\/19$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('198.18.0.0/19');
  await expect(page.getByText('Held by Example Networks Pty Ltd')).toBeVisible();
  await expect(page.getByRole('link', { name: 'abuse@example-au.example' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy abuse@example-au.example' })).toBeVisible();
  await expectFit(page);
  await expect(
    page.getByRole('region', { name: 'Held by the same organisation', exact: true }).getByRole('link', { name: '2001:db8::/32' }),
  ).toBeVisible();
  await page.getByRole('region', { name: 'Routing' }).getByRole('link', { name: 'AS64500' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('AS64500');
  await expectFit(page);
});

test('a stranger who knows the beginning of a name finds its networks, and narrows them', async ({ page }) => {
  await page.goto('/whois/search');
  await page.getByLabel('Words of a name').fill('example');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { name: /\d objects$/ })).toBeVisible();
  await expectFit(page);
  await page.getByRole('complementary', { name: 'Narrow the search' }).getByRole('link', { name: 'inetnum' }).click();
  await expect(page).toHaveURL(/type=inetnum/);
  await page.getByRole('region', { name: 'Objects, listed' }).getByRole('link').first().click();
  await expect(page.getByRole('region', { name: 'Registry data' })).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('everything is there but the buttons that copy', async ({ page, watch }) => {
    // Nothing is registered here.
    watch.expect(/status of 404/);
    await page.goto('/whois');
    await page.getByLabel('Address, prefix, range, AS number, domain, handle or name').fill('8.8.8.8');
    await page.getByRole('button', { name: 'Look up' }).click();
    await expect(page.getByText('8.8.8.8 is registered with ARIN')).toBeVisible();
    await page.goto('/whois/198.18.0.0/19');
    await expect(page.getByText('Held by Example Networks Pty Ltd')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  });
});
