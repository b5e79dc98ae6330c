import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { moveClock } from './moved-clock.ts';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test.use({ program: 'moved clock' });
test.setTimeout(300_000);

const main = (page: Page) => page.getByRole('main');

/** Opens a browser of a person's own in which as many hours have gone by as in the program. */
async function arrive(browser: Browser, { name, place, hours }: { name: string; place: string; hours: number }): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(moveClock, hours * HOUR_MS);
  const page = await context.newPage();
  forget(name);
  await arriveAs(page, name, place);
  return page;
}

/** A day so many days from now, as a person types it. */
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(Date.now() + days * DAY_MS))
    .replace('Sept', 'Sep');

test('Stella writes the next terms, Stan confirms them, and on their day Corin sees what changed and accepts', async ({
  browser,
  programs,
  watch,
}) => {
  watch.expect(/status of (400|401|403|409|422)/);
  const stella = await arrive(browser, { name: 'stella', place: '/desk/legal', hours: 0 });
  await expect(main(stella).getByRole('link', { name: 'Membership agreement' })).toBeVisible();
  await expectAccessible(stella);
  await expectFit(stella);
  await stella.setViewportSize({ width: 1280, height: 900 });
  await main(stella).getByRole('link', { name: 'Membership agreement' }).click();
  await main(stella).getByRole('button', { name: 'Write the next version' }).click();
  const form = stella.getByRole('form', { name: 'Draft of the next version' });
  const text = form.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill(`${await text.inputValue()}\n\n# Too large`);
  await expect(main(stella).getByText(/must be a heading of the second or third level/)).toBeVisible();
  await text.fill((await text.inputValue()).replace('# Too large', 'Disputes are decided by arbitration.'));
  await expect(main(stella).getByText('Disputes are decided by arbitration.').last()).toBeVisible();
  await form.getByLabel('What is new').fill('Disputes go to arbitration.');
  await form.getByLabel('Days to accept it').fill('14');
  await form.getByRole('checkbox', { name: 'After these days, changes wait until it is accepted' }).check();
  await form.getByLabel('In force from').fill(dayIn(3));
  await form.getByLabel('Reason').fill('Decided by the council');
  await expectAccessible(stella);
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(main(stella).getByRole('heading', { name: 'Changes since version 1' }).first()).toBeVisible();
  await main(stella).getByRole('button', { name: 'Ask a second person to confirm' }).click();
  await expect(main(stella).getByText(/^You proposed it on/)).toBeVisible();
  await expect(main(stella).getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await stella.context().close();

  const stan = await arrive(browser, { name: 'stan', place: '/desk/legal?text=membership-agreement', hours: 0 });
  await expect(main(stan).getByText('Disputes are decided by arbitration.').first()).toBeVisible();
  await main(stan).getByRole('button', { name: 'Approve' }).click();
  await expect(main(stan).getByRole('heading', { name: 'Version 2 is to come' })).toBeVisible();
  await expectAccessible(stan);
  await stan.context().close();

  // Everyone reads it before its day; no one is asked yet.
  const anyone = await (await browser.newContext()).newPage();
  await anyone.goto('/legal/membership-agreement/2');
  await expect(anyone.getByText('Disputes are decided by arbitration.')).toBeVisible();
  await expectAccessible(anyone);
  await anyone.goto('/legal/membership-agreement');
  await expect(anyone.getByText(/^Version 1, in force since/)).toBeVisible();
  await anyone.context().close();
  const before = await arrive(browser, { name: 'corin', place: '/', hours: 0 });
  await expect(main(before).getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(main(before).getByRole('button', { name: /^Read and accept/ })).toHaveCount(0);
  await before.context().close();

  await programs.moveClock('moved clock', 96 * HOUR_MS);
  const corin = await arrive(browser, { name: 'corin', place: '/', hours: 96 });
  await main(corin).getByRole('button', { name: 'Read and accept: Membership agreement' }).click();
  const dialog = corin.getByRole('dialog', { name: 'Membership agreement' });
  await expect(dialog.getByText('Disputes go to arbitration.')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'Changes since version 1, which you accepted' })).toBeVisible();
  await expect(dialog.getByText('Disputes are decided by arbitration.').first()).toBeVisible();
  await expectAccessible(corin);
  await dialog.getByText('If you don’t agree').click();
  await expect(dialog.getByText(/^You can leave:/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Accept version 2' }).click();
  await expect(corin.getByText('You accepted “Membership agreement”, version 2.')).toBeVisible();
  await expect(main(corin).getByRole('button', { name: /^Read and accept/ })).toHaveCount(0);
  await corin.goto('/settings');
  const accepted = main(corin).getByRole('region', { name: 'Legal texts you accepted' });
  await expect(accepted.getByRole('row', { name: /Membership agreement, version 2 SOUTHSITE-NZ .* In force/ })).toBeVisible();
  await expectAccessible(corin);
  await corin.context().close();

  // Olive waits.
  const olive = await arrive(browser, { name: 'olive', place: '/', hours: 96 });
  await main(olive).getByRole('button', { name: 'Read and accept: Membership agreement' }).click();
  await olive.getByRole('dialog', { name: 'Membership agreement' }).getByRole('button', { name: 'Later' }).click();
  await expect(main(olive).getByRole('button', { name: 'Read and accept: Membership agreement' })).toBeVisible();
  await olive.context().close();

  // Audra reads who accepted, and changes nothing.
  const audra = await arrive(browser, { name: 'audra', place: '/desk/legal?text=membership-agreement', hours: 96 });
  await expect(main(audra).getByRole('button', { name: /next version|draft/ })).toHaveCount(0);
  await main(audra).getByRole('button', { name: 'Show who accepted it' }).click();
  await expect(main(audra).getByRole('row', { name: /OTHER-SG/ })).toBeVisible();
  await main(audra).getByText('Accepted', { exact: true }).first().click();
  await main(audra).getByRole('button', { name: 'Show these' }).click();
  await expect(main(audra).getByRole('row', { name: /EXAMPLE-AU.*Version 2.*Corin/ })).toBeVisible();
  await expectAccessible(audra);
  const file = audra.waitForEvent('download');
  await main(audra).getByRole('button', { name: 'CSV' }).click();
  expect((await file).suggestedFilename()).toBe('membership-agreement-accepted.csv');
  await audra.context().close();
});
