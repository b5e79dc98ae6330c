import { openWebKit, webkitIsInstalled, type WebKit } from '../dev/browsers/webkit.ts';
import { expect, programTest } from './portal-test.ts';

/** WebKit without a session. Its driver doesn’t show the console. */
const test = programTest.extend<{ webkit: WebKit }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted.
  webkit: async ({}, provide) => {
    await using webkit = await openWebKit();
    await provide(webkit);
  },
});
test.skip(!webkitIsInstalled, 'without WebKit (Debian packages webkit2gtk-driver, xvfb)');

/** Fills in the sign-in pages as a person does. */
async function signIn(webkit: WebKit, name: string): Promise<void> {
  await webkit.fill('User name or e-mail', name);
  await webkit.fill('Password', `demo-registry-${name}`);
  await webkit.press('button', 'Log in');
  await webkit.see('heading', 'Enter your code');
  const code = await webkit.read<string>(`document.querySelector('a[data-code]').dataset.code`);
  await webkit.fill('One-time code', code);
  await webkit.press('button', 'Log in');
  await webkit.see('button', /^Hello, /);
}

test('in WebKit a person with a second factor signs in, comes back to the page that was asked for, and goes on inside its frame', async ({
  webkit,
  address,
}) => {
  await webkit.go(`${address}/resources/asn?sort=size`);
  await signIn(webkit, 'nils');
  expect(await webkit.address()).toBe(`${address}/resources/asn?sort=size`);
  await webkit.enterFrame('AS numbers');
  await webkit.see('heading', 'AS numbers');
  await webkit.enterPage();
  await webkit.press('link', 'IPv6');
  await webkit.enterFrame('IPv6');
  await webkit.see('heading', 'IPv6');
});

test('in WebKit the effect of a route is shown before it is saved', async ({ webkit, address }) => {
  await webkit.go(`${address}/resources/routes/index?add=yes&prefix=198.18.8.0/24&asn=AS64500`);
  await signIn(webkit, 'tess');
  await webkit.enterFrame(/Routes/);
  await webkit.press('button', 'Review');
  await webkit.see('text', /ROA added/);
});

test.describe('from another origin', () => {
  test.use({ program: 'manager elsewhere' });
  test('in WebKit framed pages of another origin are shown with the account’s data', async ({ webkit, address }) => {
    await webkit.go(`${address}/resources/asn`);
    await signIn(webkit, 'corin');
    await webkit.enterFrame('AS numbers');
    await webkit.see('text', 'AS64500');
  });
});
