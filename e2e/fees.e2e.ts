import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 150_000 });
test.beforeEach(() => ['stella', 'stan', 'bill'].forEach(forget));

const main = (page: Page) => page.getByRole('main');

test('two people of the staff announce next year’s fees with what they do to every bill, and the calculator shows them', async ({
  page,
  browser,
  watch,
}) => {
  watch.expect(/status of 4(00|09)/);
  await arriveAs(page, 'stella', '/desk/fees');
  await expect(main(page).getByRole('region', { name: 'Announced', exact: true }).getByText('in force')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Prepare fees' }).click();
  const form = page.getByRole('form', { name: 'Prepare fees' });
  const [year] = /\d{4}$/.exec(await form.getByLabel('Terms that begin from').inputValue())!;
  const from = `${year}-01-01`;
  const members = form.getByRole('group', { name: 'Members', exact: true });
  await members.getByLabel('Base fee, AUD').fill('free');
  await form.getByRole('button', { name: 'Show the effect' }).click();
  await expect(members.getByText('Enter an amount above zero, such as 1295.00, without currency or commas')).toBeVisible();
  // One press says it and leads there, though the message pushes the button down.
  await expect(members.getByLabel('Base fee, AUD')).toBeFocused();
  await expectAccessible(page);
  await members.getByLabel('Base fee, AUD').fill('2000.00');
  await form.getByRole('button', { name: 'Show the effect' }).click();

  const prepared = page.getByRole('region', { name: `Fees of ${year}`, exact: true });
  await expect(prepared.getByRole('heading', { name: /^Effect on all \d+ accounts$/ })).toBeVisible();
  await expect(prepared.getByRole('region', { name: 'Largest differences' }).getByRole('row', { name: /EXAMPLE-AU/ })).toContainText('+');
  await expectAccessible(page);
  const table = page.waitForEvent('download');
  await prepared.getByRole('button', { name: 'Every account (CSV)' }).click();
  expect((await table).suggestedFilename()).toBe(`fees-from-${from}.csv`);
  await prepared.getByRole('button', { name: `Announce the fees of ${year}` }).click();
  await expect(prepared.getByText('You asked to announce these fees.', { exact: false })).toBeVisible();
  await expect(prepared.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  const second = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await arriveAs(second, 'stan', '/desk/approvals');
  // Other stories may have asked for a second person too.
  await second.locator('a[href^="/desk/fees"]', { hasText: 'View it in full' }).click();
  const theirs = second.getByRole('region', { name: `Fees of ${year}`, exact: true });
  await expect(theirs.getByText('Stella', { exact: false }).first()).toBeVisible();
  await expectAccessible(second);
  await theirs.getByRole('button', { name: 'Approve' }).click();
  await expect(second.getByText('Announced. The calculator, quotes and invoices have these fees now.')).toBeVisible();
  await expect(
    main(second)
      .getByRole('region', { name: 'Announced', exact: true })
      .getByRole('row', { name: new RegExp(`^${year}`) }),
  ).toContainText('2 000.00');
  await second.context().close();

  const member = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await arriveAs(member, 'bill', `/member-account-settings/annual-fee-calculator?year=${year}&v4=/24&v6=-&as=0`);
  await expect(main(member).getByText('2 000.00').first()).toBeVisible();
  await expect(main(member).getByText(/projected/)).toHaveText(new RegExp(String(Number(year) + 1)));
  await member.context().close();
});
