import type { BrowserContext, Page, Request } from '@playwright/test';
import { type HostileProvider, startHostileProvider } from '../dev/stand-ins/hostile-provider.ts';
import { arriveAs, forget, greeting } from './people.ts';
import { expect, test } from './portal-test.ts';
import { anotherProviderPort } from './programs.ts';

const tokenOf = (page: Page): Promise<string> => page.evaluate<string>('sessionStorage.id_token');
const claimsOf = (token: string): Record<string, number> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>;
const isRenewal = (request: Request): boolean => request.url().includes('prompt=none') && /\/auth(orize)?\?/.test(request.url());

/** Opens the settings in another tab with a copy of this one's session, as duplicating a tab does. */
async function duplicate(page: Page, context: BrowserContext): Promise<Page> {
  const opened = context.waitForEvent('page');
  await page.evaluate(`void window.open('/settings')`);
  const twin = await opened;
  await expect(greeting(twin)).toBeVisible();
  return twin;
}

test.describe('with tokens of 70 seconds', () => {
  test.use({ program: 'short tokens' });
  test.beforeEach(() => forget('bill'));
  test.afterEach(() => forget('bill'));

  test('the session is renewed by one request in the background, and the page does not change', async ({ page }) => {
    const renewals: Request[] = [];
    page.on('request', request => {
      if (isRenewal(request)) renewals.push(request);
    });
    const banners = page.waitForResponse(answer => answer.url().endsWith('/api/announcements/banners'));
    await arriveAs(page, 'bill', '/settings');
    await expect(page.getByRole('heading', { name: 'Your login' })).toBeVisible();
    // Announcements come when the page is there.
    await banners;
    await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const before = await tokenOf(page);
    const looks = await page.getByRole('main').innerHTML();

    await expect.poll(() => tokenOf(page), { timeout: 30_000 }).not.toBe(before);
    const [was, is] = [claimsOf(before), claimsOf(await tokenOf(page))];
    expect(is).toMatchObject({ auth_time: was['auth_time'], sub: was['sub'], sid: was['sid'], azp: was['azp'] });
    expect(is['exp']).toBeGreaterThan(was['exp']!);
    expect(renewals).toHaveLength(1);
    expect(new URL(renewals[0]!.url()).searchParams.get('id_token_hint')).toBeNull();
    expect(await page.getByRole('main').innerHTML()).toBe(looks);
    await expect(page.getByRole('timer')).toHaveCount(0);
  });

  test('a provider that does not answer is asked again after ten and five seconds, and no one is signed out meanwhile', async ({
    page,
  }) => {
    await arriveAs(page, 'bill', '/settings');
    await expect(greeting(page)).toBeVisible();
    const before = await tokenOf(page);
    const at: number[] = [];
    await page.route(
      url => url.pathname === '/oidc/auth',
      async route => {
        at.push(performance.now());
        // The first is never answered.
        if (at.length > 1) await route.continue();
      },
    );
    await expect.poll(() => tokenOf(page), { timeout: 50_000 }).not.toBe(before);
    expect(at).toHaveLength(2);
    expect(at[1]! - at[0]!).toBeGreaterThan(14_000);
    expect(at[1]! - at[0]!).toBeLessThan(22_000);
    await expect(greeting(page)).toBeVisible();
  });

  test('a session that is not renewed counts down to the end of its token, says so, and signs out', async ({ page, watch }) => {
    watch.expect(/ERR_FAILED|status of 401/);
    await page.clock.install();
    await arriveAs(page, 'bill', '/settings');
    await expect(greeting(page)).toBeVisible();
    const { exp } = claimsOf(await tokenOf(page));
    await page.route(
      url => url.pathname === '/oidc/auth',
      route => route.abort(),
    );
    const now = () => page.evaluate<number>('Date.now()');
    // To forty seconds before the end, in steps in which the timers of the page run.
    await expect(async () => {
      await page.clock.runFor(5_000);
      expect(exp! * 1000 - (await now())).toBeLessThan(40_000);
    }).toPass();
    const timer = page.getByRole('timer');
    await expect(timer).toHaveText(/^Your session ends in \d+ seconds\.$/);
    const said = Number(/\d+/.exec((await timer.textContent()) ?? '')![0]);
    expect(Math.abs(exp! - (await now()) / 1000 - said)).toBeLessThan(4);

    const leaves = page.waitForRequest(request => request.url().includes('/oidc/session/end'));
    await expect(async () => {
      await page.clock.runFor(2_000);
      await expect(page.getByText('Your login session expired, please login again to continue...')).toBeVisible({ timeout: 100 });
    }).toPass({ timeout: 20_000 });
    expect(await tokenOf(page)).toBeUndefined();
    await page.clock.runFor(5_000);
    expect(new URL((await leaves).url()).searchParams.get('id_token_hint')).not.toBeNull();
  });
});

test('a duplicated tab stays signed in, and so does the one it was made from', async ({ page, context }) => {
  await arriveAs(page, 'bill', '/settings');
  const twin = await duplicate(page, context);
  expect(await tokenOf(twin)).toBe(await tokenOf(page));
  await page.close();
  await twin.reload();
  await expect(greeting(twin)).toBeVisible();
});

test('a new tab is signed in as the tab beside it, without a way to the provider; once that signs out, so is the new one', async ({
  page,
  context,
  watch,
}) => {
  // A tab whose last reads begin when the session is over learns it from the refusal.
  watch.expect(/status of 401 .*\/api\/(session-events|me\/notifications\/unread|announcements\/banners|talk(\?.*)?)$/);
  await arriveAs(page, 'nadia', '/settings');
  forget('nadia');
  const beside = await context.newPage();
  const asked: string[] = [];
  beside.on('request', request => asked.push(new URL(request.url()).pathname));
  await beside.goto('/settings');
  await expect(greeting(beside)).toBeVisible();
  await expect(beside).toHaveURL('/settings');
  expect(await tokenOf(beside)).toBe(await tokenOf(page));
  expect(asked).not.toContain('/oidc/auth');
  expect(asked).not.toContain('/oidc/token');

  await greeting(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(beside.getByRole('heading', { name: /^(Log in|You’re logged out)$/ })).toBeVisible();
  expect(await beside.evaluate<string[]>('Object.keys(sessionStorage)')).not.toContain('id_token');
  const later = await context.newPage();
  await later.goto('/settings');
  await expect(later.getByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('a guest at /logout ends what session the provider still has, after being asked', async ({ page, context, watch }) => {
  // A tab whose last reads, or stream of events, begin when the session is over learns it from the refusal.
  watch.expect(/^Console error on .*status of 401 .*\/api\/(session-events|me\/notifications\/unread|talk\?account=[\w-]+)$/);
  await arriveAs(page, 'olive');
  forget('olive');
  // At this address a new tab takes no session over.
  const guest = await context.newPage();
  await guest.goto('/logout');
  await expect(guest).toHaveURL(/\/oidc\/session\/end/);
  await guest.getByRole('button', { name: /log out|sign out|yes/i }).click();
  await expect(page.getByRole('heading', { name: /^(Log in|You’re logged out)$/ })).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'Log in' })).toBeVisible();

  // No one is signed in: no request is made.
  await guest.goto('/logout');
  await expect(guest.getByRole('heading', { name: 'Log in' })).toBeVisible();
});

test('the single log-out link of the menu signs out immediately', async ({ page }) => {
  await arriveAs(page, 'nadia');
  forget('nadia');
  await greeting(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect(await page.evaluate<string[]>('Object.keys(sessionStorage)')).not.toContain('id_token');
});

test.describe('with refresh tokens of another provider', () => {
  test.use({ program: 'another provider' });
  let provider: HostileProvider;
  test.beforeAll(async () => {
    provider = await startHostileProvider({ port: anotherProviderPort });
  });
  test.afterAll(() => provider.close());

  test.beforeEach(async ({ context, watch }) => {
    watch.expect(new RegExp(`^Request to another host: http://localhost:${anotherProviderPort}/`));
    watch.expect(/^Console error on .*status of 4\d\d/);
    provider.misbehave('well');
    provider.liveFor(600);
    // The registry's setting RENEW_MODE=refresh-token, as the page carries it to the portal.
    await context.addInitScript({
      content: `const { get } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');
        Object.defineProperty(HTMLScriptElement.prototype, 'textContent', {
          get() { return get.call(this).replace('"renewMode":"iframe"', '"renewMode":"refresh-token"'); } });`,
    });
  });
  const storedUser = (page: Page) =>
    page.evaluate<{ refresh_token?: string }>(
      `JSON.parse(sessionStorage['oidc.user:http://localhost:${anotherProviderPort}:portal'] ?? '{}')`,
    );
  const renewals = () => provider.asked().filter(asked => asked.startsWith('/token') && asked.endsWith('refresh_token'));

  test('two tabs with the same refresh token use it once, and both stay signed in', async ({ page, context }) => {
    // Renewed after 15 seconds: by then both tabs are open.
    provider.liveFor(75);
    await page.goto('/settings');
    await expect(greeting(page)).toBeVisible();
    const twin = await duplicate(page, context);
    const before = (await storedUser(page)).refresh_token;
    expect((await storedUser(twin)).refresh_token).toBe(before);
    provider.liveFor(600);

    await expect.poll(async () => (await storedUser(page)).refresh_token, { timeout: 30_000 }).not.toBe(before);
    await expect.poll(async () => (await storedUser(twin)).refresh_token, { timeout: 30_000 }).not.toBe(before);
    expect((await storedUser(twin)).refresh_token).toBe((await storedUser(page)).refresh_token);
    expect(provider.reused()).toBe(0);
    expect(renewals()).toHaveLength(1);
    expect(await tokenOf(twin)).toBe(await tokenOf(page));
  });

  test('signing out gives the tokens back first, and every tab of the session leaves', async ({ page, context }) => {
    await page.goto('/settings');
    await expect(greeting(page)).toBeVisible();
    const twin = await duplicate(page, context);
    provider.misbehave('error:login_required');
    await page.goto('/logout');
    for (const tab of [page, twin]) await expect(tab.getByRole('heading', { level: 1 })).toHaveText('You’re no longer signed in');
    // Refresh and access token, before the session itself.
    const asked = provider.asked();
    expect(asked.slice(0, asked.indexOf('/end')).filter(path => path === '/revoke')).toHaveLength(2);
  });

  test('a session that ends at the provider ends in every tab immediately, through one stream of events', async ({
    page,
    context,
    request,
  }) => {
    const streams: string[] = [];
    context.on('request', sent => {
      if (sent.url().endsWith('/api/session-events')) streams.push(sent.url());
    });
    await page.goto('/settings');
    await expect(greeting(page)).toBeVisible();
    const twin = await duplicate(page, context);
    await expect.poll(() => streams.length).toBe(1);
    const stranger = await context.newPage();
    await stranger.goto('/settings');
    await expect(greeting(stranger)).toBeVisible();

    const ended = await tokenOf(page);
    provider.misbehave('error:login_required');
    const startedAt = performance.now();
    const answer = await request.post('/auth/backchannel-logout', { form: { logout_token: await provider.logoutToken(ended) } });
    expect(answer.status()).toBe(200);
    for (const tab of [page, twin]) await expect(tab.getByRole('heading', { level: 1 })).toHaveText('You’re no longer signed in');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await request.get('/api/me', { headers: { authorization: `Bearer ${ended}` } })).status()).toBe(401);
    await expect(greeting(stranger)).toBeVisible();
  });

  for (const how of ['refresh-of-another', 'refresh-with-another-azp', 'refresh-with-older-auth-time'] as const)
    test(`a renewal that is ${how} is refused, and no other person is signed in`, async ({ page }) => {
      provider.liveFor(65);
      // Well until it is asked to renew, five seconds later.
      provider.misbehave(how);
      await page.goto('/settings');
      await expect(greeting(page)).toBeVisible();
      const before = await tokenOf(page);
      await expect.poll(renewals, { timeout: 20_000 }).toHaveLength(1);
      await expect(page.getByRole('timer')).toBeVisible({ timeout: 15_000 });
      expect(await tokenOf(page)).toBe(before);
    });
});
