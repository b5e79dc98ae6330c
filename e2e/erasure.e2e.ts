import { DAY_MS } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { moveClock } from './moved-clock.ts';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test.use({ program: 'moved clock' });
test.setTimeout(240_000);

const main = (page: Page) => page.getByRole('main');

/** Opens a browser of a person's own in which as many days have gone by as in the program. */
async function arrive(browser: Browser, { name, place, days }: { name: string; place: string; days: number }): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(moveClock, days * DAY_MS);
  const page = await context.newPage();
  forget(name);
  await arriveAs(page, name, place);
  return page;
}

test('Nadia asks to be erased, Stella alone can’t do it, and once Stan agrees her login is gone', async ({ browser, programs, watch }) => {
  watch.expect(/status of (400|401|404|409|422)/);
  const nadia = await arrive(browser, { name: 'nadia', place: '/', days: 0 });
  await nadia.goto('/account/erasure');
  await expect(nadia.getByRole('heading', { level: 1, name: 'Erasure' })).toBeVisible();
  await expectAccessible(nadia);
  await expectFit(nadia);
  await nadia.setViewportSize({ width: 1280, height: 900 });
  // An open ticket is in the way: the page leads to it.
  await nadia.getByRole('link', { name: /^Ticket \d+ is open/ }).click();
  await nadia.getByRole('button', { name: 'Mark as solved' }).click();
  await expect(nadia.getByRole('button', { name: 'Mark as solved' })).toHaveCount(0);
  await nadia.goto('/account/erasure');
  await expect(nadia.getByText('To settle first')).toHaveCount(0);
  await nadia.getByRole('button', { name: 'Request erasure' }).click();
  await expect(nadia.getByText('You asked to be erased.')).toBeVisible();
  await expect(nadia.getByRole('button', { name: 'Take the request back' })).toBeVisible();
  await nadia.context().close();

  const early = await arrive(browser, { name: 'stella', place: '/desk/privacy', days: 0 });
  const requests = (page: Page) => main(page).getByRole('list', { name: 'Erasure requests' });
  // Whose requests they are is read with a press, which leaves a line in the log.
  const look = (page: Page) => main(page).getByRole('button', { name: 'Show the requests' }).click();
  await expect(main(early).getByText('nadia', { exact: true })).toHaveCount(0);
  await expectAccessible(early);
  await look(early);
  await expect(requests(early).getByText('nadia', { exact: true })).toBeVisible();
  await expect(requests(early).getByRole('button', { name: /^Erase/ })).toHaveCount(0);
  // One who can’t sign in is identified by staff; corin is the only one who can let others in.
  await main(early).getByRole('button', { name: 'File a request' }).click();
  const form = early.getByRole('dialog', { name: 'File an erasure request' });
  await form.getByLabel('User name').fill('corin');
  await form.getByLabel('How the person was identified').fill('Passport, ticket 20001');
  await expectAccessible(early);
  await form.getByRole('button', { name: 'File the request' }).click();
  await expect(requests(early).getByText('There is no other corporate contact', { exact: false }).first()).toBeVisible();
  await expectAccessible(early);
  await early.context().close();

  await programs.moveClock('moved clock', 8 * DAY_MS);
  const stella = await arrive(browser, { name: 'stella', place: '/desk/privacy', days: 8 });
  // What she did last is sealed within a minute or two.
  await expect(async () => {
    await stella.reload();
    await look(stella);
    await expect(main(stella).getByRole('button', { name: /^Erase the person/ })).toHaveCount(1, { timeout: 5000 });
  }).toPass({ timeout: 120_000 });
  await main(stella)
    .getByRole('button', { name: /^Erase the person/ })
    .click();
  const sure = stella.getByRole('alertdialog', { name: 'Erase nadia?' });
  await expectAccessible(stella);
  await sure.getByRole('button', { name: 'Erase', exact: true }).click();
  await expect(sure).toBeHidden();
  // Stella alone erases no one.
  await stella.reload();
  await look(stella);
  await expect(requests(stella).getByText('nadia', { exact: true })).toBeVisible();
  await stella.goto('/desk/approvals');
  await expect(main(stella).getByRole('heading', { name: /^Erase the person of request \d/ })).toBeVisible();
  await expect(main(stella).getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await stella.context().close();

  const stan = await arrive(browser, { name: 'stan', place: '/desk/approvals', days: 8 });
  await main(stan).getByRole('button', { name: 'Approve' }).click();
  await expect(stan.getByText('Approved and applied.')).toBeVisible();
  await stan.goto('/desk/privacy');
  await look(stan);
  await expect(requests(stan).getByText('Erased person')).toBeVisible();
  await expect(requests(stan).getByText('nadia', { exact: true })).toHaveCount(0);
  await expectFit(stan);
  await stan.context().close();

  const gone = await browser.newContext();
  const page = await gone.newPage();
  await page.goto('/');
  await page.getByLabel('User name or e-mail').fill('nadia');
  await page.getByLabel('Password').fill('demo-registry-nadia');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Hello, / })).toHaveCount(0);
  await gone.close();
});
