import type { BrowserContext, Page } from '@playwright/test';
import { type HostileProvider, type Misbehaviour, startHostileProvider } from '../dev/stand-ins/hostile-provider.ts';
import { greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';
import { anotherProviderPort } from './programs.ts';

// The program whose people sign in at another provider.
test.use({ program: 'another provider' });

let provider: HostileProvider;
test.beforeAll(async () => {
  provider = await startHostileProvider({ port: anotherProviderPort });
});
test.afterAll(() => provider.close());
test.beforeEach(({ watch }) => {
  provider.liveFor(600);
  provider.misbehave('well');
  watch.expect(new RegExp(`^Request to another host: http://localhost:${anotherProviderPort}/`));
  // The browser logs the provoked failures of provider and network to the console.
  watch.expect(/^Console error on .*(status of [45]\d\d|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|net::ERR_FAILED|blocked by CORS)/);
});

const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** No user is stored, and no tokens of a sign-in remain. */
async function expectNobody(page: Page): Promise<void> {
  const kept = await page.evaluate<string[]>('Object.keys(sessionStorage)');
  expect(kept.filter(key => key === 'id_token' || key.startsWith('oidc.'))).toEqual([]);
}

/** Opens the result of a sign-in with this misbehaviour, in a new tab. */
async function expectProblem(context: BrowserContext, how: Misbehaviour, words: string | RegExp): Promise<void> {
  await test.step(how, async () => {
    provider.misbehave(how);
    const page = await context.newPage();
    await page.goto('/');
    await expect(title(page), how).toHaveText(words, { timeout: 15_000 });
    await expectNobody(page);
    await expect(page.getByText(/^[0-9a-f]{32}$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy trace id' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in again' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', 'https://support.example.net/');
    // The callback's address is cleaned, and the page does not redirect automatically.
    expect(new URL(page.url()).search).toBe('');
    const asked = provider.asked().length;
    await expect(title(page)).toHaveText(words);
    expect(provider.asked()).toHaveLength(asked);
    await page.close();
  });
}

test('a person whose provider works is signed in', async ({ page }) => {
  await page.goto('/');
  await expect(greeting(page)).toHaveAccessibleName(/Petra/);
  expect(await page.evaluate('sessionStorage.id_token')).toBe(provider.lastToken());
});

const errorCodes: readonly (readonly [string, string])[] = [
  ['access_denied', 'Sign-in wasn’t completed'],
  ['login_required', 'You’re no longer signed in'],
  ['interaction_required', 'The sign-in service has a question for you'],
  ['consent_required', 'The sign-in service needs your consent'],
  ['account_selection_required', 'Choose one of your logins'],
  ['unmet_authentication_requirements', 'MFA is not enabled!'],
  ['invalid_request', 'Sign-in isn’t set up correctly'],
  ['unauthorized_client', 'Sign-in isn’t set up correctly'],
  ['unsupported_response_type', 'Sign-in isn’t set up correctly'],
  ['invalid_scope', 'Sign-in isn’t set up correctly'],
  ['server_error', 'The sign-in service has a problem'],
  ['temporarily_unavailable', 'The sign-in service is busy'],
  ['of_another_standard', 'The sign-in service refused'],
];

test('every error the provider answers has its page, with its code', async ({ context }) => {
  for (const [code, words] of errorCodes) await expectProblem(context, `error:${code}`, words);
});

test('an answer of the token endpoint that is no sign-in signs no one in', async ({ context }) => {
  await expectProblem(context, 'token-error:invalid_grant', 'This sign-in was already used');
  await expectProblem(context, 'token-error:invalid_client', 'Sign-in isn’t set up correctly');
  await expectProblem(context, 'token-503-html', 'The sign-in service isn’t available');
  await expectProblem(context, 'dpop-nonce', 'The sign-in service asked for an unsupported proof');
  await expectProblem(context, 'hanging-token-endpoint', 'The sign-in service didn’t answer in time');
  await expectProblem(context, 'wrong-state', 'This sign-in can’t be continued');
  await expectProblem(context, 'userinfo-of-another', 'The sign-in service named two different people');
});

const wrongTokens: readonly (readonly [Misbehaviour, string])[] = [
  ['two-part-token', 'The identity token can’t be trusted'],
  ['alg-none', 'The identity token can’t be trusted'],
  ['hs256-with-public-key', 'The identity token can’t be trusted'],
  ['forged-signature', 'The identity token can’t be trusted'],
  ['no-subject', 'The sign-in service didn’t say who you are'],
  ['wrong-issuer', 'This isn’t the portal’s sign-in service'],
  ['wrong-audience', 'This sign-in is meant for another system'],
  ['wrong-azp', 'This sign-in is meant for another system'],
  ['expired', 'The sign-in had expired on arrival'],
];

test('a wrong identity token signs no one in, and the API refuses it as well', async ({ context, request }) => {
  for (const [how, words] of wrongTokens) {
    await expectProblem(context, how, words);
    const answer = await request.get('/api/me', { headers: { authorization: `Bearer ${provider.lastToken()}` } });
    expect(answer.status(), how).toBe(401);
  }
  await expectProblem(context, 'wrong-nonce', 'This sign-in doesn’t match');
  await expectProblem(context, 'no-id-token', 'The sign-in service didn’t say who you are');
});

test('a provider that cannot be reached, or is another, is reported before anyone is sent there', async ({ context }) => {
  await expectProblem(context, 'discovery-503-html', 'The sign-in service isn’t available');
  await expectProblem(context, 'discovery-of-another', 'This isn’t the portal’s sign-in service');
  const page = await context.newPage();
  await page.route(`http://localhost:${anotherProviderPort}/**`, route => route.abort('connectionrefused'));
  await page.goto('/');
  await expect(title(page)).toHaveText('The sign-in service can’t be reached');
  await expectNobody(page);

  // Once it is back, the same page continues.
  await page.unroute(`http://localhost:${anotherProviderPort}/**`);
  provider.misbehave('well');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Petra/);
});

test('after a second failure within a minute the ways that need no sign-in come first', async ({ page }) => {
  provider.misbehave('error:server_error');
  await page.goto('/');
  await expect(title(page)).toHaveText('The sign-in service has a problem');
  const ways = page.getByRole('region', { name: 'Actions' }).or(page.getByRole('alert'));
  await expect(ways).not.toContainText('twice within a minute');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(ways).toContainText('twice within a minute');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Start without signing in' }).click();
  await expect(page.getByText('You are not signed in.')).toBeVisible();
  await expect(page).toHaveURL('/?guest');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText('You are not signed in.')).toBeVisible();

  provider.misbehave('well');
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Petra/);
  await expect(page).toHaveURL('/');
});

test('the callback opened without an answer says so, and leads a signed-in person home', async ({ page, context }) => {
  await page.goto('/auth-callback');
  await expect(title(page)).toHaveText('No sign-in to finish');
  await page.goto('/auth-callback?code=c0de-of-yesterday&state=st4te-of-yesterday');
  await expect(title(page)).toHaveText('This sign-in can’t be continued');
  await expect(page.locator('body')).not.toContainText('of-yesterday');
  await expectNobody(page);

  const signedIn = await context.newPage();
  await signedIn.goto('/');
  await expect(greeting(signedIn)).toBeVisible();
  for (const stale of ['/auth-callback', '/auth-callback?code=c0de-of-yesterday&state=st4te-of-yesterday']) {
    await signedIn.goto(stale);
    await expect(greeting(signedIn)).toBeVisible();
    await expect(signedIn).toHaveURL('/');
  }
});

test('a browser that keeps nothing, or has no room, says so', async ({ context }) => {
  const blocked = await context.newPage();
  await blocked.addInitScript({
    content: `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } });`,
  });
  await blocked.goto('/');
  await expect(title(blocked)).toHaveText('The browser blocks storage for this site');

  const full = await context.newPage();
  await full.addInitScript({
    content: `Storage.prototype.setItem = function () { throw new DOMException('exceeded the quota', 'QuotaExceededError'); };`,
  });
  await full.goto('/');
  await expect(title(full)).toHaveText('The browser’s storage is full');
  await expectNobody(full);
});

test('a token the registry refuses although the provider accepts it ends in a message, not in a loop', async ({ page }) => {
  await page.route('**/api/**', route =>
    route.fulfill({ status: 401, json: { errors: [{ code: 'NOT_SIGNED_IN', message: 'no', traceId: '1'.repeat(32) }] } }),
  );
  await page.goto('/');
  await expect(title(page)).toHaveText('The registry didn’t accept this sign-in');
  await expectNobody(page);
});
