import { arriveAs, framed, greeting } from './people.ts';
import { expect, test } from './portal-test.ts';

const built = [
  ['Summary', 'Resources', '/resources/summary'],
  ['IPv6', 'IPv6', '/resources/ipv6'],
  ['AS numbers', 'AS numbers', '/resources/asn'],
  ['IPv4 registrations', 'IPv4 registrations', '/resources/IPv4ShowList'],
  ['IPv6 registrations', 'IPv6 registrations', '/resources/IPv6ShowList'],
  ['IPv4', 'IPv4', '/resources/ipv4'],
] as const;

test('going from one framed page to another keeps the frame’s document; address, title and frame follow', { tag: '@firefox' }, async ({
  page,
}) => {
  await arriveAs(page, 'corin', '/resources/ipv4');
  const inFrame = framed(page);
  await expect(inFrame.getByRole('heading', { level: 1 })).toBeVisible();
  const inside = page.frames().find(frame => frame !== page.mainFrame() && frame.url().includes('/resources/'))!;
  await inside.evaluate('window.sameDocument = true');

  for (const [link, title, path] of built) {
    await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).first().click();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(new RegExp(`^${title}`));
    await expect(page.locator('iframe[title]')).toHaveAttribute('title', title);
    await expect(inFrame.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await inside.evaluate('window.sameDocument'), `${path} was loaded anew`).toBe(true);
  }

  await page.goBack();
  await expect(page).toHaveURL('/resources/IPv6ShowList');
  await expect(page).toHaveTitle(/^IPv6 registrations/);
});

test('a page opened by keyboard inside the frame has the focus at its heading', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/routes/index');
  const inFrame = framed(page);
  const link = inFrame.getByRole('link', { name: 'Changes and consents' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/request/);
  await expect(inFrame.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a framed page opened by its own address is shown inside the portal', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/asn?sort=size');
  await expect(framed(page).getByText('AS64500').first()).toBeVisible();
  await expect(page).toHaveURL('/resources/asn?sort=size');
});

test('the list of delegations can be filtered, with the filter in the address', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/ipv4?table=delegations');
  const inFrame = framed(page);
  await expect(inFrame.getByRole('grid').first()).toBeVisible();
  await inFrame.getByRole('searchbox').first().fill('203.0.113');
  await expect(page).toHaveURL(/203\.0\.113/);
  await expect(inFrame.getByRole('grid').getByText('203.0.113.0/24')).toBeVisible();
  await expect(inFrame.getByRole('grid').getByText('198.18.0.0/19')).toHaveCount(0);

  await page.reload();
  await expect(inFrame.getByRole('grid').getByText('203.0.113.0/24')).toBeVisible();
  await expect(inFrame.getByRole('grid').getByText('198.18.0.0/19')).toHaveCount(0);
});

test.describe('from another origin', () => {
  test.use({ program: 'manager elsewhere' });

  test('framed pages are shown, read the account’s data, and link to each other', { tag: '@firefox' }, async ({ page, watch }) => {
    watch.expect(/^Request to another host: http:\/\/manager\.localhost:/);
    await arriveAs(page, 'corin', '/resources/asn');
    const inFrame = framed(page);
    await expect(inFrame.getByText('AS64500').first()).toBeVisible();
    expect(page.frames().some(frame => frame.url().startsWith('http://manager.localhost:'))).toBe(true);
    await page.getByRole('navigation').getByRole('link', { name: 'IPv6', exact: true }).first().click();
    await expect(page).toHaveURL('/resources/ipv6');
    await expect(inFrame.getByRole('heading', { level: 1, name: 'IPv6' })).toBeVisible();
  });

  test('an expired token is renewed by the portal, and the page repeats its call with the new one', async ({ page, watch }) => {
    watch.expect(/^Request to another host: http:\/\/manager\.localhost:/);
    watch.expect(/status of 401/);
    await arriveAs(page, 'corin', '/resources/asn');
    const inFrame = framed(page);
    await expect(inFrame.getByText('AS64500').first()).toBeVisible();
    const bearers: string[] = [];
    const over = { errors: [{ code: 'NOT_SIGNED_IN', message: 'Your login session expired', traceId: '0'.repeat(32) }] };
    await page.route(
      url => url.hostname === 'manager.localhost' && url.pathname.startsWith('/api/EXAMPLE-AU/'),
      async route => {
        bearers.push((await route.request().headerValue('authorization')) ?? 'none');
        // The frame's token is refused in every call; the next one is accepted.
        if (bearers.at(-1) === bearers[0]) await route.fulfill({ status: 401, json: over });
        else await route.continue();
      },
    );
    await page.getByRole('navigation').getByRole('link', { name: 'IPv6', exact: true }).first().click();
    await expect(inFrame.getByRole('heading', { level: 1, name: 'IPv6' })).toBeVisible();
    await expect(inFrame.getByText('2001:db8::/32').first()).toBeVisible();
    // The page may be shown from its cache before the renewed token is used.
    await expect.poll(() => new Set(bearers).size).toBe(2);
    expect(bearers.at(-1)).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    await expect(greeting(page)).toBeVisible();
  });
});
