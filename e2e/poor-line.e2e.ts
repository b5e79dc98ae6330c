import type { Page, Route } from '@playwright/test';
import { arriveAs, framed, greeting } from './people.ts';
import { expect, expectAccessible, expectDrawn, expectFit, test } from './portal-test.ts';

const contacts = '/member-account-settings/account-contacts';
const openContacts = (page: Page) => page.getByRole('link', { name: 'Account contacts', exact: true }).first().click();

test('a tab from before a release, whose files are all gone, continues to the requested page', async ({ page, watch }) => {
  watch.expect(/404|Failed to (fetch|load)/);
  await arriveAs(page, 'corin');
  // The release has removed every file that the tab knows; the new HTML references others.
  let documents = 0;
  page.on('request', request => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents++;
  });
  await page.route(/\/assets\/[^/]+\.(js|css|woff2)$/, (route: Route) =>
    documents > 0 ? route.continue() : route.fulfill({ status: 404, body: '' }),
  );
  await openContacts(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Account contacts' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page).toHaveURL(contacts);
  expect(documents, 'documents loaded after the release').toBe(1);
});

test('a connection on which each request except the document’s fails once still loads the page', async ({ page, watch }) => {
  watch.expect(/ERR_CONNECTION_RESET|Failed to (fetch|load)/);
  await arriveAs(page, 'corin');
  const broken = new Set<string>();
  await page.route(/\/(api|assets|oidc)\//, async route => {
    const { pathname } = new URL(route.request().url());
    const isRead = route.request().method() === 'GET' && !pathname.includes('events');
    if (!isRead || broken.has(pathname) || /\.woff2$|\.css$/.test(pathname)) return route.continue();
    broken.add(pathname);
    await route.abort('connectionreset');
  });
  await page.goto(contacts, { waitUntil: 'commit' });
  await expect(page.getByRole('row').nth(1)).toBeVisible({ timeout: 60_000 });
  await expect(greeting(page)).toBeVisible();
  expect(broken.size).toBeGreaterThan(5);
  // A menu of the top bar, whose code breaks off as well.
  await greeting(page).click();
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible({ timeout: 30_000 });
});

for (const [name, path, rows] of [
  ['a page', contacts, (page: Page) => page.getByRole('row')],
  ['a framed page', '/resources/ipv4', (page: Page) => framed(page).getByRole('row')],
] as const)
  test(`on a long line ${name} that was opened once comes up with what the tab keeps of it, says of when that is, and reads it again`, async ({
    page,
  }) => {
    await arriveAs(page, 'corin', path);
    await expect(rows(page).nth(1)).toBeVisible();
    await expectDrawn(page);
    const line = await page.context().newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 180_000,
      uploadThroughput: 90_000,
    });
    // What it showed before is there while no answer has come.
    let answer = (): void => {};
    const held = new Promise<void>(resolve => (answer = resolve));
    await page.route('**/api/**', async route => (await held, route.fallback()));
    await page.reload({ waitUntil: 'commit' });
    const note = page.getByText(/^As of .*, updating$/);
    await expect(rows(page).nth(1)).toBeVisible();
    await expect(greeting(page)).toBeVisible();
    await expect(note).toBeVisible();
    answer();
    await expect(note).toHaveCount(0, { timeout: 30_000 });
    await expect(rows(page).nth(1)).toBeVisible();
    await expectDrawn(page);
  });

test('optional parts are left out if their code can’t be loaded, and the page stays', async ({ page, watch }) => {
  watch.expect(/404|Failed to (fetch|load)|dynamically imported module/);
  await page.route(/\/assets\/(NotificationMenu|AccountPicker|Menu|chat|FindPalette)-/, route => route.fulfill({ status: 404, body: '' }));
  await arriveAs(page, 'corin', contacts);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText('This couldn’t be loaded. Check your connection and try again.').first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1, name: 'Account contacts' })).toBeVisible();
  await page.unroute(/\/assets\/(NotificationMenu|AccountPicker|Menu|chat|FindPalette)-/);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('menu')).toBeVisible({ timeout: 30_000 });
});

for (const [name, path] of [
  ['home', '/'],
  ['a page', contacts],
  ['a framed page', '/resources/ipv4'],
] as const)
  test(`late banners do not push down what ${name} already shows`, async ({ page }) => {
    await arriveAs(page, 'corin');
    // Later than everything else on the page, and within the second that it waits for them, however slow the machine is.
    let areRead = (): void => {};
    let isRestSent = (): void => {};
    const bannersRead = new Promise<void>(resolve => (areRead = resolve));
    const restSent = new Promise<void>(resolve => (isRestSent = resolve));
    await page.route('**/api/accounts', async route => {
      const answer = await route.fetch();
      await bannersRead;
      await route.fulfill({ response: answer });
      isRestSent();
    });
    await page.route('**/api/announcements/banners', async route => {
      const answer = await route.fetch();
      const { rows } = (await answer.json()) as { rows: unknown[] };
      expect(rows.length, 'banners of the demo registry').toBeGreaterThan(0);
      areRead();
      await restSent;
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await route.fulfill({ response: answer });
    });
    await page.addInitScript({
      content: `sessionStorage.removeItem('kept-answers:portal'); window.shifts = [];
        new PerformanceObserver(list => shifts.push(...list.getEntries().filter(({ sources }) => sources.some(({ node }) => node?.closest?.('main'))).map(({ value }) => value)))
          .observe({ type: 'layout-shift', buffered: true });`,
    });
    await page.goto(path);
    await expect(page.getByRole('button', { name: /^(Acknowledge|Dismiss):/ }).first()).toBeVisible();
    await expectDrawn(page);
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.evaluate('shifts.reduce((sum, value) => sum + value, 0)'), 'layout shift').toBeLessThan(0.01);
  });

test.describe('saving data', () => {
  test.use({ extraHTTPHeaders: { 'save-data': 'on' } });

  test('no web font and no map is loaded until the map is requested', async ({ page, browser, baseURL }) => {
    // The header would be lost on the redirects of a sign-in.
    const other = await browser.newContext({ extraHTTPHeaders: {}, baseURL: baseURL! });
    await arriveAs(await other.newPage(), 'corin');
    await other.close();
    await page.addInitScript({
      content: `Object.defineProperty(navigator, 'connection', { value: { saveData: true, addEventListener() {} } })`,
    });
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await arriveAs(page, 'corin', '/resources/ipv4');
    await expect(framed(page).getByRole('heading', { name: 'Map not loaded' })).toBeVisible();
    await expectAccessible(page);
    const ofMaps = (): string[] => asked.filter(path => /\.woff2$|address-(map|overview)/.test(path));
    expect(ofMaps()).toEqual([]);
    await framed(page).getByRole('button', { name: 'Show the map' }).click();
    await expect.poll(ofMaps).toEqual([expect.stringMatching(/address-(map|overview)/), ...ofMaps().slice(1)]);
  });
});

test('pages for browsers without scripts fit every width, and are accessible', async ({ page, watch }) => {
  watch.expect(/status of 403/);
  await arriveAs(page, 'bill');
  for (const path of [
    '/plain',
    '/plain/EXAMPLE-AU',
    '/plain/EXAMPLE-AU/invoices',
    '/plain/EXAMPLE-AU/tickets',
    '/plain/EXAMPLE-AU/resources',
  ]) {
    await page.goto(path);
    await expectFit(page);
  }
  await page.goto('/plain/EXAMPLE-AU/invoices');
  await page.getByRole('rowheader').first().getByRole('link').click();
  await expectFit(page);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  const logIn = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('User name or e-mail').fill(name);
    await page.getByLabel('Password').fill(`demo-registry-${name}`);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  const heading = (page: Page) => page.getByRole('heading', { level: 1 });

  test('a person without a session signs in at any address of the portal, and reads home and resources of their own account only', async ({
    page,
    watch,
  }) => {
    watch.expect(/status of 404/);
    await page.goto('/resources/ipv4');
    await expect(page).toHaveURL(/\/sign-in\//);
    await logIn(page, 'olive');
    await expect(heading(page)).toHaveText('Your accounts');
    await page.getByRole('link', { name: 'OTHER-SG' }).click();
    await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await expect(page.getByRole('rowheader').first()).toHaveText(/^\d+\.\d+/);
    await page.getByRole('link', { name: 'IPv6' }).click();
    await expect(page.getByRole('rowheader').first()).toHaveText(/:/);
    // No account except one's own.
    expect((await page.goto('/plain/EXAMPLE-AU'))!.status()).toBe(404);
    await expect(heading(page)).toHaveText('Not found');
    expect((await page.goto('/plain/EXAMPLE-AU/invoices'))!.status()).toBe(404);
  });

  test('a billing contact reads tickets and invoices, and why resources are not shown', async ({ page, watch }) => {
    watch.expect(/status of 403/);
    await page.goto('/plain/EXAMPLE-AU/invoices');
    await logIn(page, 'bill');
    await expect(heading(page)).toHaveText('Billing');
    const invoice = page.getByRole('rowheader').first();
    const number = await invoice.textContent();
    await invoice.getByRole('link').click();
    await expect(heading(page)).toHaveText(number!);
    await expect(page.getByText('Balance')).toBeVisible();
    await page.getByRole('link', { name: 'Tickets' }).click();
    await page.getByRole('rowheader').first().getByRole('link').click();
    await expect(heading(page)).toHaveText(/^#\d+ /);
    expect((await page.goto('/plain/EXAMPLE-AU/resources'))!.status()).toBe(403);
    await expect(page.getByRole('alert')).toBeVisible();
  });

  test('the portal’s own page links to the version without scripts', async ({ request }) => {
    expect(await (await request.get('/?guest')).text()).toContain('<a href="/plain">Read your account without it</a>');
  });
});
