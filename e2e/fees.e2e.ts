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

  await expect(page.getByRole('heading', { name: `Fees of ${year}`, level: 1 })).toBeVisible();
  const effect = page.getByRole('region', { name: /^Effect on all \d+ accounts/ });
  await expect(effect.getByText(/^pay more/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Rules' }).getByRole('row', { name: /^Base fee Members/ })).toContainText('2 000.00');
  const changes = page.getByRole('grid', { name: 'Largest changes' });
  await expect(changes.getByRole('row', { name: /EXAMPLE-AU/ })).toContainText('+');
  await expectAccessible(page);
  const table = page.waitForEvent('download');
  await effect.getByRole('button', { name: 'Every account (CSV)' }).click();
  expect((await table).suggestedFilename()).toBe(`fees-from-${from}.csv`);
  await page.getByRole('searchbox', { name: 'Account to add' }).fill('no-such');
  await expect(page.getByText('NO-SUCH gets no bill by these fees.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Ask a second person to announce them' }).click();
  await expect(page.getByText('It waits for a second person')).toBeVisible();
  await expect(page.getByRole('button', { name: `Announce the fees of ${year}` })).toHaveCount(0);

  const second = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await arriveAs(second, 'stan', '/desk/approvals');
  // Other stories may have asked for a second person too.
  await second.locator('a[href^="/desk/fees"]', { hasText: 'View it in full' }).click();
  const theirs = second.getByRole('complementary', { name: 'You are the second person' });
  await expect(theirs.getByText('Stella Kowalski')).toBeVisible();
  await expectAccessible(second);
  await theirs.getByRole('checkbox', { name: 'I compared the numbers with the decision' }).check();
  await theirs.getByRole('button', { name: `Announce the fees of ${year}` }).click();
  await expect(second.getByText(`Announced. The calculator, quotes and invoices have the fees of ${year} now.`)).toBeVisible();
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
