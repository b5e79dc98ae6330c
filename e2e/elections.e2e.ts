import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';
import { approveAsScrutineer } from './scrutineer.ts';

// Publishing an election requires a second factor given minutes ago.
test.beforeAll(() => ['stella', 'vera'].forEach(forget));

const day = (days: number): string => utcDay(Date.now() + days * DAY_MS);

test('staff run an election on the desk: from a draft with its ballot to what members see, and to its end', async ({
  page,
  browser,
  watch,
}) => {
  watch.expect(/409 \(Conflict\).*\/(publish|cancel)/);
  test.setTimeout(180_000);
  await arriveAs(page, 'stella', '/desk/elections?election=new');
  const form = page.getByRole('form', { name: 'New election' });
  await form.getByLabel('Kind').selectOption('nro-nc');
  await form.getByLabel('Title').fill('Number Council by-election');
  await form.getByLabel('Seats').fill('1');
  await form.getByLabel(/selections/i).fill('1');
  for (const [group, opens, closes] of [
    ['Voting of members', 3, 9],
    ['Voting of attendees', 5, 9],
  ] as const) {
    await form
      .getByRole('group', { name: group })
      .getByLabel('Opens')
      .fill(`${day(opens)}T09:00`);
    await form
      .getByRole('group', { name: group })
      .getByLabel('Closes')
      .fill(`${day(closes)}T17:30`);
  }
  await form.getByLabel('Conference whose attendees vote').selectOption('CONF-63');
  await form.getByLabel('Registration closes').fill(`${day(5)}T09:00`);
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Number Council by-election' })).toBeVisible();
  await expect(page.getByText('The registry’s own ballots', { exact: true })).toHaveCount(2);
  // Nothing is on the ballot yet.
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(/Enter at least two candidates or answers for the ballot/).first()).toBeVisible();
  await page.getByRole('button', { name: /^Change candidates/ }).click();
  await page.getByLabel(/^One paragraph for each/).fill('Ada Okafor\nOpen peering.\n\nBo Lind');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Ada Okafor')).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  const election = /election=(\d+)/.exec(page.url())![1]!;
  const vera = await (await browser.newContext()).newPage();
  await arriveAs(vera, 'vera', `/desk/elections?election=${election}`);
  await approveAsScrutineer(vera);
  await page.reload();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  // Those who set an election up don't count it.
  await expect(page.getByRole('region', { name: 'Scrutiny' })).toHaveCount(0);
  await expectAccessible(page);

  const corin = await (await browser.newContext()).newPage();
  await arriveAs(corin, 'corin', '/voting');
  const card = corin.getByRole('region', { name: 'Number Council by-election, as a member' });
  await expect(card.getByText('Your organisation has one vote per candidate')).toBeVisible();
  await expect(card.getByText('You can vote as an attendee once voting opens')).toBeVisible();
  const opening = corin.context().waitForEvent('page');
  await card.getByRole('link', { name: /^All candidates of/ }).click();
  const candidates = await opening;
  await expect(candidates.getByText('Ada Okafor')).toBeVisible();
  await candidates.close();
  // Before its time the page of the ballot shows when it opens, for the person and the account.
  await corin.goto(`/voting/${election}/cast?as=attendee`);
  await expect(corin.getByText('Corin Achterberg, as an attendee')).toBeVisible();
  await expect(corin.getByRole('button', { name: 'Open the ballot' })).toHaveCount(0);
  await expectAccessible(corin);
  await expectDrawn(corin);

  await page.getByRole('button', { name: /^Cancel the election/ }).click();
  await page.getByLabel('Reason').fill('Both stand for other offices.');
  await page
    .getByRole('button', { name: /^Cancel (the )?election/ })
    .last()
    .click();
  await vera.reload();
  await approveAsScrutineer(vera);
  await vera.context().close();
  await page.reload();
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await corin.goto('/voting');
  await expect(card.getByText('Both stand for other offices.')).toBeVisible();
  await corin.context().close();
});

test('a running vote shows its scrutineers the roll, the ballots and the box, but no choice', async ({ page }) => {
  await arriveAs(page, 'dora', '/desk/elections');
  await page.getByRole('link', { name: 'Fee schedule from 2028' }).click();
  const scrutiny = page.getByRole('region', { name: 'Scrutiny' });
  await expect(scrutiny.getByText('Ballot box')).toBeVisible();
  await expect(scrutiny.getByText(/accounts voted \(/)).toBeVisible();
  await expectAccessible(page);
  await expectDrawn(page);
});
