import type { BrowserContext, Page } from '@playwright/test';
import { arriveAs, framed, goInside } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

/** From now on all answers to calls come from a newer release. */
async function upgrade(context: BrowserContext): Promise<void> {
  await context.route(
    url => url.pathname.startsWith('/api/') && url.pathname !== '/api/session-events',
    async route => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'registry-release': '99.0.0' } });
    },
  );
}

const message = (page: Page) =>
  page.getByRole('region', { name: 'Notifications' }).getByText('A new version of MyRegistry is available. Your drafts are kept.');

/** Lets time pass: the page asks something within a minute, as ever, and then the newer release answers alone for two. */
const passUntilSaid = (page: Page): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward('02:01');
    // A slow answer is waited for: each step more of time takes the person nearer to the end of the session.
    await expect(message(page)).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });

// What is under way at the end would fail the story that comes next.
test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }));

test('an open tab says once that there is a newer release, not where something was entered, and a reload keeps the draft', async ({
  page,
}) => {
  test.slow();
  await page.clock.install();
  await arriveAs(page, 'tess');
  await upgrade(page.context());
  await passUntilSaid(page);
  await expectAccessible(page);

  await goInside(page, '/resources/whois_contact_details_update/index');
  const phone = framed(page).locator('#contact-details-phone');
  await expect(message(page)).toBeVisible();
  await phone.fill('+61 7 5550 0199');
  await expect(message(page)).toHaveCount(0);
  // The framed page is only hidden.
  await goInside(page, '/member-account-settings/my-accounts');
  await expect(page.getByRole('heading', { level: 1, name: 'My accounts' })).toBeVisible();
  await expect(message(page)).toHaveCount(0);

  await goInside(page, '/resources/summary');
  await expect(message(page)).toBeVisible();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await loaded;
  await expect(framed(page).getByRole('heading', { level: 1 })).toBeVisible();
  await goInside(page, '/resources/whois_contact_details_update/index');
  await expect(phone).toHaveValue('+61 7 5550 0199');
  await expect(message(page), 'the reload led to the old release, and is not asked for again').toHaveCount(0);
});

test('registry staff read it at the desk, and what they dismiss stays away', async ({ page }) => {
  test.slow();
  await page.clock.install();
  await arriveAs(page, 'stella');
  await page.goto('/desk');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await upgrade(page.context());
  await goInside(page, '/desk/set-aside');
  await passUntilSaid(page);
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' }).click();
  await goInside(page, '/desk');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(message(page)).toHaveCount(0);
});
