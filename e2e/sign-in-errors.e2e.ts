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
  ['access_denied', 'The sign-in was not completed'],
  ['login_required', 'You are not signed in any more'],
  ['interaction_required', 'The sign-in service has a question for you'],
  ['consent_required', 'The sign-in service needs your consent'],
  ['account_selection_required', 'Choose one of your logins'],
  ['unmet_authentication_requirements', 'MFA is not enabled!'],
  ['invalid_request', 'The sign-in is not set up right'],
  ['unauthorized_client', 'The sign-in is not set up right'],
  ['unsupported_response_type', 'The sign-in is not set up right'],
  ['invalid_scope', 'The sign-in is not set up right'],
  ['server_error', 'The sign-in service has a problem'],
  ['temporarily_unavailable', 'The sign-in service is busy'],
  ['of_another_standard', 'The sign-in service refused'],
];

test('every error the provider answers has its page, with its code', async ({ context }) => {
  for (const [code, words] of errorCodes) await expectProblem(context, `error:${code}`, words);
});

test('an answer of the token endpoint that is no sign-in signs no one in', async ({ context }) => {
  await expectProblem(context, 'token-error:invalid_grant', 'This sign-in was already used');
  await expectProblem(context, 'token-error:invalid_client', 'The sign-in is not set up right');
  await expectProblem(context, 'token-503-html', 'The sign-in service is not available');
  await expectProblem(context, 'dpop-nonce', 'The sign-in service asked for a proof the portal does not give');
  await expectProblem(context, 'hanging-token-endpoint', 'The sign-in service did not answer in time');
  await expectProblem(context, 'wrong-state', 'This sign-in cannot be continued');
  await expectProblem(context, 'userinfo-of-another', 'The sign-in service named two different people');
});

const wrongTokens: readonly (readonly [Misbehaviour, string])[] = [
  ['two-part-token', 'The identity token cannot be trusted'],
  ['alg-none', 'The identity token cannot be trusted'],
  ['hs256-with-public-key', 'The identity token cannot be trusted'],
  ['forged-signature', 'The identity token cannot be trusted'],
  ['no-subject', 'The sign-in service did not say who you are'],
  ['wrong-issuer', 'This is not the sign-in service of the portal'],
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
  await expectProblem(context, 'wrong-nonce', 'This sign-in does not match its start');
  await expectProblem(context, 'no-id-token', 'The sign-in service did not say who you are');
});

test('a provider that cannot be reached, or is another, is reported before anyone is sent there', async ({ context }) => {
  await expectProblem(context, 'discovery-503-html', 'The sign-in service is not available');
  await expectProblem(context, 'discovery-of-another', 'This is not the sign-in service of the portal');
  const page = await context.newPage();
  await page.route(`http://localhost:${anotherProviderPort}/**`, route => route.abort('connectionrefused'));
  await page.goto('/');
  await expect(title(page)).toHaveText('The sign-in service could not be reached');
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
  const ways = page.getByRole('region', { name: 'What to do' }).or(page.getByRole('alert'));
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
  await expect(title(page)).toHaveText('There is no sign-in to finish here');
  await page.goto('/auth-callback?code=c0de-of-yesterday&state=st4te-of-yesterday');
  await expect(title(page)).toHaveText('This sign-in cannot be continued');
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
  await expect(title(blocked)).toHaveText('The browser keeps nothing for this site');

  const full = await context.newPage();
  await full.addInitScript({
    content: `Storage.prototype.setItem = function () { throw new DOMException('exceeded the quota', 'QuotaExceededError'); };`,
  });
  await full.goto('/');
  await expect(title(full)).toHaveText('The browser has no room to keep the sign-in');
  await expectNobody(full);
});

test('a token the registry refuses although the provider accepts it ends in a message, not in a loop', async ({ page }) => {
  await page.route('**/api/**', route =>
    route.fulfill({ status: 401, json: { errors: [{ code: 'NOT_SIGNED_IN', message: 'no', traceId: '1'.repeat(32) }] } }),
  );
  await page.goto('/');
  await expect(title(page)).toHaveText('The registry did not accept this sign-in');
  await expectNobody(page);
});
