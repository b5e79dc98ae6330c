import type { Browser, Page } from '@playwright/test';
import { arriveAs, forget, framed } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });
test.beforeAll(() => ['corin', 'nils', 'stella'].forEach(forget));

const main = (page: Page) => page.getByRole('main');
const upload = '/resources/whois-zonefile-upload';
const zoneFile = '$ORIGIN 18.198.in-addr.arpa.\n4 NS ns1.example.net.\n  NS ns2.example.net.';
const refusal = /switched on for NATREG-XX: uploading zone files/;

async function arrive(browser: Browser, name: string, place: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await arriveAs(page, name, place);
  return page;
}

const navigation = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Zone file upload' });

/** Fills the form of the feature in and applies it. */
async function apply(page: Page, { stands, fill }: { stands: string; fill: Record<string, string> }): Promise<void> {
  await main(page).getByRole('button', { name: 'Change', exact: true }).click();
  const form = page.getByRole('form', { name: 'Change Zone file upload' });
  await form.getByLabel('Available to').selectOption(stands);
  for (const [label, value] of Object.entries(fill)) await form.getByLabel(label).fill(value);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Apply now' }).click();
  await expect(form).toHaveCount(0);
}

/** Previews a zone file on the page that is open. */
async function preview(page: Page): Promise<void> {
  await framed(page).getByLabel('Text of the file').fill(zoneFile);
  await framed(page).getByRole('button', { name: 'Preview' }).click();
}

test('Stella switches a feature on for EXAMPLE-AU alone, then for a share, then off', async ({ browser, watch }) => {
  watch.expect(/status of (400|401|403)/);
  const nils = await arrive(browser, 'nils', upload);
  await expect(framed(nils).getByLabel('Text of the file')).toBeVisible();

  const stella = await arrive(browser, 'stella', '/desk/features');
  await expect(main(stella).getByRole('link', { name: 'Zone file upload' })).toBeVisible();
  await expectAccessible(stella);
  await expectFit(stella);
  await stella.setViewportSize({ width: 1280, height: 900 });
  await main(stella).getByRole('link', { name: 'Zone file upload' }).click();
  await expect(main(stella).getByText('Never changed.', { exact: false })).toBeVisible();
  await apply(stella, { stands: 'accounts', fill: { Accounts: 'EXAMPLE-AU', Reason: 'Its engineers try it first' } });
  await expect(main(stella).getByText('On for 1 named account').first()).toBeVisible();
  await expect(main(stella).getByText('Its engineers try it first')).toBeVisible();
  await main(stella).getByLabel('Is it on for this account?').fill('example-au');
  await main(stella).getByRole('button', { name: 'Check' }).click();
  await expect(main(stella).getByText('On for EXAMPLE-AU.')).toBeVisible();
  await expectAccessible(stella);
  await expectFit(stella);
  await stella.setViewportSize({ width: 1280, height: 900 });

  // Nils has the page open: the call refuses it, and the next load doesn't show it.
  await preview(nils);
  await expect(framed(nils).getByText(refusal).first()).toBeVisible();
  await nils.goto('/');
  await expect(main(nils).getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(navigation(nils)).toHaveCount(0);
  await nils.goto(upload);
  await expect(framed(nils).getByText('The registry hasn’t switched this on for NATREG-XX.')).toBeVisible();
  await expectAccessible(nils);

  const corin = await arrive(browser, 'corin', upload);
  await expect(navigation(corin).first()).toBeAttached();
  await preview(corin);
  await expect(framed(corin).getByText(/in the file, \d+ to write$/)).toBeVisible();

  // Then a share that Nils's account is in.
  await apply(stella, { stands: 'share', fill: { 'Share in percent': '99', 'Other accounts that have it': '', Reason: 'It works' } });
  await expect(
    main(stella)
      .getByText(/^On for 99\s% of accounts$/)
      .first(),
  ).toBeVisible();
  await main(stella).getByLabel('Is it on for this account?').fill('natreg-xx');
  await main(stella).getByRole('button', { name: 'Check' }).click();
  await expect(main(stella).getByText(/NATREG-XX is in every share from \d+\s%/)).toBeVisible();
  await nils.goto(upload);
  await preview(nils);
  await expect(framed(nils).getByText(/in the file, \d+ to write$/)).toBeVisible();

  await apply(stella, { stands: 'off', fill: { Reason: 'A fault was found' } });
  await preview(corin);
  await expect(
    framed(corin)
      .getByText(/switched off for everyone right now: uploading zone files/)
      .first(),
  ).toBeVisible();
  await corin.goto('/');
  await expect(main(corin).getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(navigation(corin)).toHaveCount(0);

  // What was on before is set again from the history, then everyone has it.
  await main(stella)
    .getByRole('button', { name: /^Set again: On for 99/ })
    .click();
  const again = stella.getByRole('form', { name: 'Change Zone file upload' });
  await expect(again.getByLabel('Share in percent')).toHaveValue('99');
  await again.getByLabel('Reason').fill('The fault is fixed');
  await again.getByRole('button', { name: 'Apply now' }).click();
  await expect(again).toHaveCount(0);
  await apply(stella, { stands: 'everyone', fill: { Reason: 'It works for all' } });
  await expect(main(stella).getByText('On for everyone').first()).toBeVisible();
  await expectAccessible(stella);
  for (const page of [corin, nils, stella]) await page.context().close();
});
