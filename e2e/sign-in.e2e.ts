import { arriveAs, enterCode, fillIn, forget, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

test('a person with a second factor signs in and comes back to the page, query and hash that were asked for', { tag: '@firefox' }, async ({
  page,
}) => {
  const asked = '/resources/ipv4?sort=size#holdings';
  await page.goto(asked);
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel('User name or e-mail').fill('tess');
  await page.getByLabel('Password').fill('demo-registry-tess');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expectAccessible(page);
  await enterCode(page, 'tess');

  await expect(greeting(page)).toHaveAccessibleName(/Tess/);
  await expect(page).toHaveURL(asked);
});

test('registry staff come back to the part of a desk page that they asked for', async ({ page }) => {
  await page.goto('/desk/accounts/EXAMPLE-AU#activity');
  await fillIn(page, 'stella');
  await expect(page.getByRole('heading', { name: 'EXAMPLE-AU' })).toBeVisible();
  await expect(page).toHaveURL('/desk/accounts/EXAMPLE-AU#activity');
});

test('a wrong password is refused without saying which of the two was wrong, and the right one then opens', async ({ page, watch }) => {
  watch.expect(/status of 4\d\d .*\/sign-in\//);
  await page.goto('/');
  await page.getByLabel('User name or e-mail').fill('bill');
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('alert')).not.toContainText(/unknown|no such|does not exist/i);
  await expectAccessible(page);

  await fillIn(page, 'bill');
  await expect(greeting(page)).toHaveAccessibleName(/Bill/);
});

test('what is sent before the code of the form has come is sent once it is there', async ({ page }) => {
  // The form is in the first HTML; its script comes when it is let through.
  let letThrough = (): void => undefined;
  const pressed = new Promise<void>(resolve => (letThrough = resolve));
  await page.route(/\/assets\/sign-in-form-.*\.js$/, async route => (await pressed, route.continue()));
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByLabel('User name or e-mail').fill('bill');
  await page.getByLabel('Password').fill('demo-registry-bill');
  await page.getByRole('button', { name: 'Log in', exact: true }).click({ noWaitAfter: true });
  await expect(page.locator('html[data-asked]')).toBeAttached();
  letThrough();
  await expect(greeting(page)).toHaveAccessibleName(/Bill/);
});

test('choosing a demo person fills in the form', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Other people').click();
  await page.getByRole('link', { name: 'nadia', exact: true }).click();
  await expect(page.getByLabel('User name or e-mail')).toHaveValue('nadia');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Nadia/);
});

test('after a wrong password the cursor is in the field to retry, and the password can be shown', async ({ page, watch }) => {
  watch.expect(/status of 401 .*\/sign-in\//);
  await page.goto('/');
  const password = page.getByLabel('Password');
  await page.getByLabel('User name or e-mail').fill('olive');
  await password.fill('wrong');
  await password.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription('Wrong user name or password.');

  await password.fill('demo-registry-olive');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Olive/);
});

test('a wrong code is reported until the next attempt, while the demo’s code moves on to the next', async ({ page, watch }) => {
  watch.expect(/status of 401 .*\/sign-in\//);
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('link', { name: 'corin', exact: true }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByLabel('One-time code').fill('000000');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Wrong code');
  // Where both codes of now were used, none is shown until half a minute later there is another.
  await page.evaluate(`document.querySelector('.demo-code').textContent = 'Both codes Corin could enter now were used.'`);
  let next = '123456';
  await page.route(/\/code$/, async route => {
    const answer = await route.fetch();
    const link = `$1<a href="?fill=code" data-code="${next}">${next}</a>`;
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/(<span class="demo-code">).*?(?=<\/span>)/s, link) });
  });
  await page.clock.runFor(31_000);
  await expect(page.locator('a[data-code]')).toHaveText('123 456');
  next = '234567';
  await page.clock.runFor(30_000);
  await expect(page.locator('a[data-code]')).toHaveText('234 567');
  await expect(page.locator('#left')).toHaveText(/^A new code in ([1-9]|[12]\d|30) s$/);
  await expect(page.getByRole('alert')).toContainText('Wrong code');
  await page.locator('a[data-code]').click();
  await expect(page.getByLabel('One-time code')).toHaveValue('234567');
});

test('going back after signing in says so, and leads on to the portal', async ({ page }) => {
  await page.goto('/');
  await fillIn(page, 'nadia');
  await expect(greeting(page)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'You’re logged in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Go to/ }).click();
  await expect(greeting(page)).toHaveAccessibleName(/Nadia/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('password and code open the login, and the passkeys of a browser that cannot ask for them are not offered', async ({
    page,
    baseURL,
  }) => {
    await page.goto('/account');
    await expect(page.getByRole('button', { name: /passkey|Show/ })).toHaveCount(0);
    await page.getByRole('link', { name: 'tess', exact: true }).click();
    await expect(page.getByLabel('User name or e-mail')).toHaveValue('tess');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();

    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    // Stories before this one may have used the codes of now; without scripts a person asks for the next.
    const code = page.locator('a[data-code]');
    await expect(async () => {
      if (!(await code.isVisible())) await page.getByRole('link', { name: 'Show the next one' }).click();
      await expect(code).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 40_000 });
    await code.click();
    await expect(page.getByLabel('One-time code')).toHaveValue(/^\d{6}$/);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page).toHaveURL(`${baseURL}/account`);
    await expect(page.getByText('Hello, Tess')).toBeVisible();
  });
});

test('the pages fit a screen of 320 pixels, in both themes', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const fits = async (): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(beyond, `${page.url()} in ${colorScheme}`).toBe(0);
      await expectAccessible(page);
    }
  };
  await page.goto('/');
  await page.getByLabel('User name or e-mail').fill('corin');
  await fits();
  await page.getByLabel('Password').fill('demo-registry-corin');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByLabel('One-time code')).toBeVisible();
  await fits();
});

test('signing out in one tab signs out the other, and its token is worth nothing', async ({ page, context, request, watch }) => {
  // A tab whose last reads begin when the session is over learns it from the refusal.
  watch.expect(
    /^Console error on .*status of 401 .*\/api\/(session-events|me\/notifications\/unread|announcements\/banners|EXAMPLE-AU\/home|talk\?account=[\w-]+)$/,
  );
  await arriveAs(page, 'tilda');
  const other = await context.newPage();
  await arriveAs(other, 'tilda', '/settings');
  const sent = page.waitForRequest(asked => asked.url().endsWith('/api/accounts') && 'authorization' in asked.headers());
  await page.reload();
  const { authorization = '' } = (await sent).headers();
  expect((await request.get('/api/accounts', { headers: { authorization } })).status()).toBe(200);

  // `npm run bench sign-out` measures how fast it is.
  const leaves = page.waitForRequest(asked => asked.url().includes('/oidc/session/end'));
  await other.goto('/logout');
  await leaves;
  await expect(page.getByRole('heading', { name: /^(Log in|You’re logged out)$/ })).toBeVisible();
  forget('tilda');

  const answer = await request.get('/api/accounts', { headers: { authorization } });
  expect(answer.status()).toBe(401);
  expect(await answer.json()).toMatchObject({ errors: [{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }] });
});
