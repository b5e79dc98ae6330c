import { DAY_MS } from '@portal/contract/days';
import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 150_000 });
test.beforeEach(() => ['stella', 'stan', 'audra'].forEach(forget));

const main = (page: Page) => page.getByRole('main');

/** A day so many days from now, as a person types it. */
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(Date.now() + days * DAY_MS))
    .replace('Sept', 'Sep');

test('Stella proposes another promise of answers, and Stan is shown its impact', async ({ page, browser, watch }) => {
  watch.expect(/status of (400|401|409|422)/);
  await arriveAs(page, 'stella', '/desk/policy');
  await expectDrawn(page);
  await expect(main(page).getByRole('link', { name: 'Working hours to an answer of the registry' })).toBeVisible();
  await expectAccessible(page);

  // With the keyboard alone, from the value to its form.
  await main(page).getByRole('link', { name: 'Working hours to an answer of the registry' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Working hours to an answer of the registry' })).toBeVisible();
  await expect(main(page).getByText('a whole number from 1 to 1,000')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Change it' }).focus();
  await page.keyboard.press('Enter');

  const form = page.getByRole('form', { name: 'Prepare a change of the policy' });
  await expectAccessible(page);
  const value = form.getByLabel('Working hours to an answer of the registry', { exact: true });
  await value.fill('5000');
  await form.getByLabel('Takes effect on').fill(dayIn(-3));
  await form.getByLabel('Reason').fill('Answers within three working days');
  await form.getByLabel('Decision').fill('EC-2026-12, item 3');
  await form.getByRole('button', { name: 'Show its impact' }).click();
  await expect(form.getByText(/enter a whole number from 1 to 1,000/).first()).toBeVisible();
  await value.fill('24');
  await form.getByRole('button', { name: 'Show its impact' }).click();
  await expect(form.getByText(/This day has begun already\. Choose .+ or a later day/).first()).toBeVisible();
  await form.getByLabel('Takes effect on').fill(dayIn(12));
  await form.getByRole('button', { name: 'Show its impact' }).click();

  await expect(page.getByRole('heading', { level: 1, name: /^Policy from / })).toBeVisible();
  await expect(main(page).getByText(/open cases? that waits? for the registry/)).toBeVisible();
  await expectAccessible(page);
  const file = page.waitForEvent('download');
  await main(page).getByRole('button', { name: 'CSV of all' }).click();
  expect((await file).suggestedFilename()).toMatch(/^policy-from-\d{4}-\d\d-\d\d\.csv$/);
  await main(page).getByRole('button', { name: 'Ask a second person to confirm' }).click();
  await expect(main(page).getByRole('button', { name: 'Take back the request' })).toBeVisible();
  const address = new URL(page.url());

  // One person alone confirms nothing: who asked finds no way to say yes.
  await expect(main(page).getByRole('button', { name: /^Confirm the change/ })).toHaveCount(0);
  await page.goto('/desk/approvals');
  await expect(main(page).getByText('Working hours to an answer of the registry').first()).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.goto(address.pathname + address.search);

  const second = await (await browser.newContext({ baseURL: address.origin })).newPage();
  await arriveAs(second, 'stan', '/desk/approvals');
  await second.locator('a[href^="/desk/policy"]', { hasText: 'View it in full' }).first().click();
  const panel = second
    .getByRole('region', { name: 'You are the second person' })
    .or(second.getByRole('complementary', { name: 'You are the second person' }));
  await expect(panel.getByText('Stella Kowalski')).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Ask Stella' })).toHaveAttribute('href', /^mailto:stella@/);
  await expectAccessible(second);
  await expect(panel.getByRole('button', { name: /^Confirm the change from / })).toBeDisabled();
  await panel.getByRole('button', { name: /^Confirm the change from / }).focus();
  await expect(panel.getByText('Compare the values first').first()).toBeVisible();
  await panel.getByRole('checkbox', { name: 'I compared the value with the decision' }).check();
  await panel.getByRole('button', { name: /^Confirm the change from / }).click();
  await expect(main(second).getByRole('heading', { name: 'Confirmed by two people' })).toBeVisible();
  await expectAccessible(second);

  // Everyone who looks at the policy sees that it comes.
  await second.goto('/desk/policy');
  await expect(main(second).getByText(/Confirmed by Stan/)).toBeVisible();
  await expect(main(second).getByRole('link', { name: /^24 hours from / })).toBeVisible();
  await expect(main(second).getByRole('row', { name: /^Working hours to an answer of the registry 16 hours/ })).toBeVisible();
  await second.goto(address.pathname + address.search);

  // Audra reads it, and decides nothing.
  const auditor = await (await browser.newContext({ baseURL: address.origin })).newPage();
  await arriveAs(auditor, 'audra', address.pathname + address.search);
  await expect(main(auditor).getByRole('heading', { name: 'Confirmed by two people' })).toBeVisible();
  await expect(main(auditor).getByRole('button', { name: 'Withdraw the change' })).toHaveCount(0);
  await auditor.goto('/desk/policy');
  await expect(main(auditor).getByRole('link', { name: /^24 hours from / })).toBeVisible();
  await expect(main(auditor).getByRole('link', { name: 'Prepare a change' })).toHaveCount(0);
  await auditor.goto('/desk/policy?prepare=new');
  await expect(main(auditor).getByRole('heading', { level: 1, name: 'Policy' })).toBeVisible();
  await expect(auditor.getByRole('form', { name: 'Prepare a change of the policy' })).toHaveCount(0);
  await auditor.context().close();

  // Stan withdraws it before its day, and Stella has to agree.
  await main(second).getByRole('button', { name: 'Withdraw the change' }).click();
  await expect(main(second).getByRole('button', { name: 'Take back the request' })).toBeVisible();
  await second.context().close();
  await page.reload();
  const agreed = page.getByRole('checkbox', { name: 'I compared the value with the decision' });
  await agreed.check();
  await page.getByRole('button', { name: /^Withdraw the change from / }).click();
  await expect(main(page).getByRole('heading', { name: 'Withdrawn before its day' })).toBeVisible();
  await expectAccessible(page);
});

test('Audra reads the report of a year for the board, and saves it', async ({ page }) => {
  await arriveAs(page, 'audra', '/desk/board');
  await expect(page.getByRole('heading', { level: 1, name: /^Board report: [A-Z][a-z]+ \d{4}$/ })).toBeVisible();
  await expect(main(page).getByRole('rowheader', { name: 'Members at the end' })).toBeVisible();
  await expectAccessible(page);
  const year = String(new Date().getUTCFullYear() - 1);
  await main(page).getByLabel('Year').selectOption(year);
  await main(page).getByLabel('Month').selectOption('Whole year');
  await expect(page.getByRole('heading', { level: 1, name: `Board report: ${year}` })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('period')).toBe(year);
  for (const [format, name] of [
    ['PDF', `board-report-${year}.pdf`],
    ['CSV', `board-report-${year}.csv`],
  ] as const) {
    const file = page.waitForEvent('download');
    await main(page).getByRole('button', { name: format }).click();
    expect((await file).suggestedFilename()).toBe(name);
  }
});
