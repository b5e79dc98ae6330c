import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const unreadOn = async (page: Page): Promise<number> => Number(/\d+/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[0] ?? 0);

test.describe.configure({ mode: 'serial' });
// A program in which the stories of other files send Corin nothing.
test.use({ program: 'short tokens' });
test.beforeEach(() => forget('corin'));
test.afterEach(() => forget('corin'));

/** Waits until the program has sent renewal reminders, some seconds after its start: from then on only stories cause notifications. */
const untilReminded = (page: Page): Promise<void> =>
  expect
    .poll(async () => (await page.request.get('/metrics')).text(), { timeout: 60_000 })
    .toMatch(/^periodic_work_last_success_seconds\{work="billing\.runBillingSchedule"\} [1-9]/m);

test('the bell counts unread notifications, and those opened from it count as read', async ({ page, watch }) => {
  // The page of the first notification is prepared; its alerts and the count of its routes take a second factor, which is asked for when it is opened.
  watch.expect(/status of 401 .*\/api\/EXAMPLE-AU\/routes\/alerts$/);
  watch.expect(/status of 401 .*\/api\/EXAMPLE-AU\/routes\?limit=1$/);
  await untilReminded(page);
  await arriveAs(page, 'corin');
  await expect(bell(page)).toHaveAccessibleName(/\d+ unread/);
  const before = await unreadOn(page);
  await bell(page).press('Enter');
  const menu = page.getByRole('menu', { name: 'Notifications' });
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();
  await bell(page).click();
  await menu.getByRole('menuitem', { name: /^The membership of EXAMPLE-AU ends on/ }).click();
  await expect(page).toHaveURL(/\/billing/);
  await expect(bell(page)).toHaveAccessibleName(before === 1 ? 'Notifications' : `Notifications, ${before - 1} unread`);
});

test('all notifications are on a page, and are read one by one or all together', async ({ page }) => {
  await arriveAs(page, 'corin', '/notifications');
  await expect(page.getByRole('heading', { name: /^Tess Lindqvist is now a contact of EXAMPLE-AU/ })).toBeVisible();
  await expectDrawn(page);
  await expectAccessible(page);
  // The bell is loaded once the page is complete.
  await expect(bell(page)).toHaveAccessibleName(/\d+ unread/);
  const before = await unreadOn(page);
  await page.getByRole('button', { name: /^Mark as read ?: Tess Lindqvist is now a contact of EXAMPLE-AU/ }).click();
  await expect.poll(() => unreadOn(page)).toBe(before - 1);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await page.getByText('Unread (0)').click();
  await expect(page.getByText('You’ve read everything')).toBeVisible();
  await expect(page).toHaveURL(/show=unread/);
  await expectAccessible(page);
});

test('the delivery of each topic is chosen in the settings; a locked topic says why', async ({ page }) => {
  await arriveAs(page, 'corin', '/settings#notifications');
  const reminders = page.getByRole('combobox', { name: 'Reminders of requests' });
  await expect(reminders).toHaveValue('at-once');
  await page.getByText(/always sent by e-mail immediately/).click();
  await expect(page.getByText('Required to protect your login.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Your login' })).toHaveCount(0);
  // The choice is shown while it is being saved: a reload would abort that.
  const saved = page.waitForResponse(
    answer => answer.request().method() === 'PATCH' && answer.url().endsWith('/me/notification-preferences'),
  );
  await reminders.selectOption('By e-mail, once a day');
  await expect(reminders).toHaveValue('daily');
  await saved;
  await page.reload();
  await expect(reminders).toHaveValue('daily');
  await expectDrawn(page);
  await expectAccessible(page);
});

test('the page behind a mail’s link asks before it stops anything, and refuses an altered link', async ({ page, watch }) => {
  watch.expect(/status of 404 .*\/account\/unsubscribe/);
  await page.goto('/account/unsubscribe?login=a&topic=contacts.reminders&signature=b');
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expectAccessible(page);
});

test('a mail can be viewed as HTML and as text, in light and dark, on a narrow screen', async ({ page }) => {
  await page.goto('/account/reset');
  await page.getByLabel('User name or e-mail').fill('hana');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  const mail = page.getByRole('article', { name: 'Choose a new password' }).first();
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(mail.getByRole('link', { name: 'Choose a new password' })).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail.getByText('As text').click();
  await expect(mail.getByText('You get this e-mail because this address was entered at the registry.').last()).toBeVisible();
  const alone = await mail.getByRole('link', { name: 'Alone' }).getAttribute('href');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/dev/mail');
    await expectAccessible(page);
    await page.goto(alone!);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  }
});
