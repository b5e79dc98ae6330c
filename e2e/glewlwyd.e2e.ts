import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { type Glewlwyd, glewlwydIsInstalled, startGlewlwyd } from '../dev/independent/glewlwyd.ts';
import { freePort, type Running, start } from '../dev/independent/program.ts';
import { greeting } from './people.ts';
import { expect, test as portalTest } from './portal-test.ts';
import { demoRegistry } from './programs.ts';

type RenewMode = 'iframe' | 'refresh-token';
type House = { glewlwyd: Glewlwyd; portals: Record<RenewMode, string> };

/** Starts the program, on a demo registry of its own, for people who sign in at Glewlwyd. */
async function startPortal({ issuer, claimNames }: Glewlwyd, port: number, renewMode: RenewMode): Promise<Running> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-e2e-glewlwyd-'));
  await cp(await demoRegistry(), folder, { recursive: true });
  const program = await start(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts', 'serve'], {
    ready: `http://localhost:${port}/readyz`,
    seconds: 120,
    environment: {
      PORT: String(port),
      WHOIS_PORT: '0',
      DATABASE_URL: '',
      DATA_DIR: folder,
      ISSUER_URI: issuer,
      CLIENT_ID: renewMode,
      CLAIM_NAMES: claimNames,
      SCOPES: 'openid',
      MFA_AMR: 'otp',
      RENEW_MODE: renewMode,
      // Its page for watching a session answers to its own pages only.
      MONITOR_SESSION: 'off',
    },
  });
  return {
    ...program,
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Portals with a third-party provider. Tokens live 70 seconds, so they are renewed after ten. */
const test = portalTest.extend<{ renewMode: RenewMode }, { house: House }>({
  renewMode: ['iframe', { option: true }],
  house: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted.
    async ({}, use) => {
      const ports = { iframe: await freePort(), 'refresh-token': await freePort() };
      const modes: readonly RenewMode[] = ['iframe', 'refresh-token'];
      const portals = { iframe: `http://localhost:${ports.iframe}`, 'refresh-token': `http://localhost:${ports['refresh-token']}` };
      const clients = modes.map(mode => ({ appUrl: portals[mode], clientId: mode }));
      const glewlwyd = await startGlewlwyd(await freePort(), clients, { tokenSeconds: 70 });
      const programs = await Promise.all(modes.map(mode => startPortal(glewlwyd, ports[mode], mode)));
      await use({ glewlwyd, portals });
      await Promise.all([glewlwyd.close(), ...programs.map(({ stop }) => stop())]);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ house, renewMode }, provide) => provide(house.portals[renewMode]),
});

/** Fills in Glewlwyd's own pages. */
async function enterPassword(page: Page, { person }: Glewlwyd): Promise<void> {
  await page.locator('#username').fill(person.username);
  await page.locator('#password').fill(person.password);
  await page.keyboard.press('Enter');
}
async function signIn(page: Page, glewlwyd: Glewlwyd): Promise<void> {
  await enterPassword(page, glewlwyd);
  await page.getByRole('button', { name: 'Continue' }).click();
}
const tokenOf = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('id_token'));
const me = (page: Page, token: string | null) => page.request.get('/api/me', { headers: { authorization: `Bearer ${token ?? ''}` } });

test.describe('Glewlwyd as the provider', () => {
  test.skip(!glewlwydIsInstalled, 'Glewlwyd is not installed');
  test.beforeEach(({ watch, house }) => {
    // Its pages and answers are third-party.
    watch.expect(new RegExp(new URL(house.glewlwyd.issuer).origin));
  });

  test('a person returns to the requested page, the API accepts them, and a frame renews expiring tokens', async ({ page, house }) => {
    const asked = '/member-account-settings/my-accounts?from=mail#top';
    await page.goto(asked);
    await signIn(page, house.glewlwyd);
    await expect(greeting(page)).toHaveAccessibleName(/Olga.*No 2FA/);
    await expect(page).toHaveURL(asked);

    const before = await tokenOf(page);
    expect(await (await me(page, before)).json()).toMatchObject({
      fullName: 'Olga Nygaard',
      email: 'olga@example-no.example',
      mfa: false,
      staff: false,
    });
    const renewal = page.waitForRequest(
      request => request.url().includes('/silent-renew-oidc.html?') && request.frame() !== page.mainFrame(),
    );
    await renewal;
    await expect.poll(() => tokenOf(page)).not.toBe(before);
    await expect(page).toHaveURL(asked);
    expect((await me(page, await tokenOf(page))).status()).toBe(200);
  });

  test('log-out ends the session there, and invalidates the bearer here', async ({ page, house }) => {
    await page.goto('/');
    await signIn(page, house.glewlwyd);
    await expect(greeting(page)).toBeVisible();
    const token = await tokenOf(page);
    expect((await me(page, token)).status()).toBe(200);
    await page.goto('/logout');
    // It accepts the redirect to the portal, though this version stays on its own page.
    await expect(page.getByRole('heading', { name: `redirected to: ${house.portals.iframe}/` })).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByText('You are disconnected')).toBeVisible();
    await expect.poll(async () => (await me(page, token)).status()).toBe(401);
    await page.goto('/');
    await expect(page.locator('#username')).toBeVisible();
  });

  test('a one-time code makes it a sign-in with a second factor, because the operator has configured its name there', async ({
    page,
    house,
  }) => {
    await house.glewlwyd.require('password and code');
    try {
      await page.goto('/');
      await enterPassword(page, house.glewlwyd);
      const code = new TOTP({ secret: house.glewlwyd.person.totpSecret }).generate();
      await page.getByRole('textbox', { name: 'Code' }).fill(code);
      await page.getByRole('button', { name: 'OK' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(greeting(page)).toBeVisible();
      await expect(greeting(page)).not.toHaveAccessibleName(/No 2FA/);
      expect(await (await me(page, await tokenOf(page))).json()).toMatchObject({ mfa: true });
    } finally {
      await house.glewlwyd.require('password');
    }
  });

  test.describe('whose refresh tokens are used', () => {
    test.use({ renewMode: 'refresh-token' });

    test('the portal renews with them, and by a frame if no new identity token is returned', async ({ page, house }) => {
      await page.goto('/');
      await signIn(page, house.glewlwyd);
      await expect(greeting(page)).toBeVisible();
      const before = await tokenOf(page);
      const refreshed = page.waitForResponse(
        answer => answer.url().endsWith('/token') && (answer.request().postData() ?? '').includes('grant_type=refresh_token'),
      );
      expect(await (await refreshed).json()).not.toHaveProperty('id_token');
      await expect.poll(() => tokenOf(page), { timeout: 20_000 }).not.toBe(before);
      expect((await me(page, await tokenOf(page))).status()).toBe(200);
    });
  });
});
