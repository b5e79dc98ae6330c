import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { moveClock } from './moved-clock.ts';
import { arriveAs, forget } from './people.ts';
import { expect, expectFit, test } from './portal-test.ts';
import { approveAsScrutineer } from './scrutineer.ts';

test.use({ program: 'moved clock' });

const start = Date.now();
/** How the form is given a time: in Brisbane, which knows no summer time. */
const typed = (hours: number): string => new Date(start + (10 + hours) * HOUR_MS).toISOString().slice(0, 16);

/** Opens a browser of a person's own in which as many hours have gone by as in the program. */
async function arrive(browser: Browser, name: string, path: string, hours: number): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(moveClock, hours * HOUR_MS);
  const page = await context.newPage();
  forget(name);
  await arriveAs(page, name, path);
  return page;
}

test('a whole election: from the draft over a nominee who agrees, a vote and a proxy to the result, in which a receipt is checked', async ({
  browser,
  page,
  programs,
}) => {
  test.setTimeout(240_000);
  const title = 'Council by-election';

  const stella = await arrive(browser, 'stella', '/desk/elections?election=new', 0);
  const form = stella.getByRole('form', { name: 'New election' });
  await form.getByLabel('Kind').selectOption('ec');
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Seats').fill('1');
  await form.getByLabel(/selections/i).fill('1');
  for (const [group, opens, closes] of [
    ['Nominations', -1, 2],
    ['Proxy appointment', 2, 5],
    ['Voting of members', 2, 60],
    ['Voting of proxies', 53, 60],
  ] as const) {
    const times = form.getByRole('group', { name: group });
    await times.getByLabel('Opens').fill(typed(opens));
    await times.getByLabel('Closes').fill(typed(closes));
  }
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(stella.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const election = /election=(\d+)/.exec(stella.url())![1]!;
  await stella.getByRole('button', { name: 'Publish' }).click();
  const vera = await arrive(browser, 'vera', `/desk/elections?election=${election}`, 0);
  await approveAsScrutineer(vera);
  await vera.context().close();
  await stella.reload();
  await expect(stella.getByText('Published', { exact: true })).toBeVisible();

  const corin = await arrive(browser, 'corin', `/voting/${election}/nominate`, 0);
  const nomination = corin.getByRole('form', { name: `Nomination in ${title}` });
  await nomination.getByLabel('Full name').fill('Nadia Newcomer');
  await nomination.getByLabel('E-mail', { exact: true }).fill('nadia@newcomer.example');
  await nomination.getByLabel('E-mail again').fill('nadia@newcomer.example');
  await nomination.getByLabel('Reason').fill('She ran the exchange point for ten years.');
  await nomination.getByRole('button', { name: 'Nominate' }).click();
  await expect(corin.getByText('Awaiting the nominee')).toBeVisible();
  const nadia = await arrive(browser, 'nadia', `/voting/${election}/nomination`, 0);
  await nadia.getByLabel('Statement').fill('I stand for open peering.');
  await nadia.getByRole('button', { name: 'Agree to stand' }).click();
  await expect(nadia.getByText('Agreed, being checked')).toBeVisible();
  await stella.reload();
  await stella.getByRole('button', { name: 'Can stand: Nadia Newcomer' }).click();
  await expect(stella.getByText('Candidate', { exact: true })).toBeVisible();
  for (const person of [stella, corin, nadia]) await person.context().close();

  // Nominations are over, and voting has opened: Nils leaves his votes to a proxy, Corin votes.
  await programs.moveClock('moved clock', 3 * HOUR_MS);
  const nils = await arrive(browser, 'nils', `/voting/${election}/appoint-proxy`, 3);
  const appointment = nils.getByRole('form', { name: /^Proxy of / });
  await appointment.getByLabel('Full name').fill('Tess Lindqvist');
  await appointment.getByLabel('E-mail', { exact: true }).fill('tess@example-au.example');
  await appointment.getByLabel('E-mail again').fill('tess@example-au.example');
  await appointment.getByRole('checkbox').check();
  await appointment.getByRole('button', { name: 'Appoint the proxy' }).click();
  await expect(nils.getByText('Tess Lindqvist is the proxy of')).toBeVisible();
  await nils.goto('/voting');
  const own = nils.getByRole('region', { name: `${title}, as a member` });
  await expect(own.getByText('Proxy: Tess Lindqvist')).toBeVisible();
  await expect(own.getByRole('link', { name: /^Vote/ })).toHaveCount(0);
  await nils.context().close();

  // The candidate comes on the ballot as soon as the work of the program is due.
  await expect(async () => {
    await page.goto(`/ballots/${election}`);
    await expect(page.getByText('I stand for open peering.')).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  const voter = await arrive(browser, 'corin', `/voting/${election}/cast`, 3);
  const opening = voter.context().waitForEvent('page');
  await voter.getByRole('button', { name: 'Open the ballot' }).click();
  const ballot = await opening;
  await ballot.getByRole('radio', { name: 'Nadia Newcomer' }).check();
  await ballot.getByRole('button', { name: 'Review' }).click();
  await ballot.getByLabel('I have checked this ballot').check();
  await ballot.getByRole('button', { name: 'Cast the ballot' }).click();
  const receipt = (await ballot.getByTestId('receipt').textContent())!;
  await voter.context().close();

  // Proxies vote two days later: the e-mail leads to the page where they sign in.
  await programs.moveClock('moved clock', 2 * DAY_MS + 6 * HOUR_MS);
  const mail = page.getByRole('article').filter({ hasText: 'To tess@example-au.example,' }).filter({ hasText: 'Vote as the proxy of' });
  const way = mail.getByRole('link', { name: /\/voting\/proxy-votes\/\d+/ }).first();
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(way).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  const tess = await arrive(browser, 'tess', new URL((await way.getAttribute('href'))!).pathname, 54);
  const opened = tess.context().waitForEvent('page');
  await tess.getByRole('button', { name: 'Open the ballot' }).click();
  const proxyBallot = await opened;
  await expect(proxyBallot.getByText('64 votes', { exact: false }).first()).toBeVisible();
  await expect(proxyBallot.getByText('(NATREG-XX), as its proxy')).toBeVisible();
  await proxyBallot.getByRole('radio', { name: 'Nadia Newcomer' }).check();
  await proxyBallot.getByRole('button', { name: 'Review' }).click();
  await proxyBallot.getByLabel('I have checked this ballot').check();
  await proxyBallot.getByRole('button', { name: 'Cast the ballot of NATREG-XX' }).click();
  await expect(proxyBallot.getByTestId('receipt')).toBeVisible();
  await tess.goto('/voting');
  await expect(tess.getByRole('link', { name: `NATREG-XX in ${title}` })).toBeVisible();
  await expect(tess.getByText('Voted', { exact: true })).toBeVisible();
  await tess.context().close();

  await programs.moveClock('moved clock', 61 * HOUR_MS);
  const end = await arrive(browser, 'corin', '/voting', 61);
  const results = end.context().waitForEvent('page');
  await end.getByRole('link', { name: `Results of ${title}, in a new window` }).click();
  const result = await results;
  await expect(
    result
      .getByRole('row', { name: /Nadia Newcomer/ })
      .getByRole('cell')
      .first(),
  ).toHaveText('72');
  await expect(result.getByText(/^2 of \d+ accounts voted \(\d+(\.\d)? %\)\.$/)).toBeVisible();
  await result.getByLabel('Receipt of your ballot').fill(receipt);
  await result.getByRole('button', { name: 'Check' }).click();
  await expect(result.getByRole('status')).toContainText('is counted with 8 votes for Nadia Newcomer.');
  await expectFit(result);
  await end.context().close();
});
