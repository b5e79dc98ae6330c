import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';
import { approveAsScrutineer } from './scrutineer.ts';

// Publishing an election requires a second factor given minutes ago.
test.beforeAll(() => ['stella', 'vera'].forEach(forget));

test('Nadia, who has no account, finds the ways to one, no billing, and votes as an attendee only', async ({ page }) => {
  await arriveAs(page, 'nadia', '/voting');
  await expect(page.getByRole('region', { name: 'For attendees' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^For members/ })).toHaveCount(0);
  // She was at the last conference and is registered for the next one; what she lacks is a second factor.
  await expect(page.getByText('MFA is not enabled!')).toBeVisible();
  const menu = page.getByRole('navigation').filter({ hasText: 'Membership' });
  for (const name of ['Apply for membership', 'Link a membership', 'Voting'])
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
  for (const name of ['Billing', 'Voting history']) await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(0);
  await expectDrawn(page);
  await expectAccessible(page);
});

test('two of the staff publish an election that one wrote down, and a member reads what it may do in it', async ({
  page,
  browser,
  watch,
}) => {
  watch.expect(/409 \(Conflict\).*\/publish/);
  test.setTimeout(120_000);
  await arriveAs(page, 'stella', '/desk/elections');
  await page.getByRole('link', { name: 'New election' }).click();
  const form = page.getByRole('form', { name: 'New election' });
  await form.getByLabel('Kind').selectOption('resolution');
  await form.getByLabel('Title').fill('By-law resolutions');
  const day = (days: number): string => utcDay(Date.now() + days * DAY_MS);
  const members = form.getByRole('group', { name: 'Voting of members' });
  await members.getByLabel('Opens').fill(`${day(9)}T09:00`);
  await members.getByLabel('Closes').fill(`${day(7)}T17:30`);
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(members.getByLabel('Closes')).toBeFocused();
  // At the top no field lies half under the bar.
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(page);
  await members.getByLabel('Closes').fill(`${day(21)}T17:30`);
  await members.getByLabel('Address').fill('https://vote.registry.example/by-laws');
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'By-law resolutions' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  const vera = await (await browser.newContext()).newPage();
  await arriveAs(vera, 'vera', new URL(page.url()).pathname + new URL(page.url()).search);
  await approveAsScrutineer(vera);
  await vera.context().close();
  await page.reload();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();

  const nils = await (await browser.newContext()).newPage();
  await arriveAs(nils, 'nils', '/voting');
  const card = nils.getByRole('region', { name: 'By-law resolutions, as a member' });
  await expect(card.getByText('Your organisation has 64 votes per resolution')).toBeVisible();
  await card.getByText(/^Exact times/).click();
  await expect(card.getByText('In the voting system vote.registry.example')).toBeVisible();
  await expect(card.getByRole('link')).toHaveCount(0);
  await expectAccessible(nils);
  await nils.context().close();
});
