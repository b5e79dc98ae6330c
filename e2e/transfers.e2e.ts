import type { Browser, Page } from '@playwright/test';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget, framed } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 180_000 });
test.use({ program: 'changes of holder' });
test.beforeEach(() => ['corin', 'nils', 'stella', 'stan'].forEach(forget));

/** A page of another person beside the first one. */
async function besides(browser: Browser, of: Page, name: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: new URL(of.url()).origin })).newPage();
  await arriveAs(page, name, path);
  return page;
}

/** Opens a case at the desk as Stella, approves it, and lets Stan confirm the change of holder. */
async function decide(browser: Browser, of: Page, requestId: string, { note, shows }: { note?: string; shows: RegExp }): Promise<void> {
  const desk = await besides(browser, of, 'stella', `/desk/requests/transfers-${requestId}`);
  await expect(desk.getByRole('heading', { name: shows })).toBeVisible();
  await expect(desk.getByRole('table', { name: 'Checks of the request' })).toBeVisible();
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Approve' }).click();
  if (note !== undefined) await desk.getByRole('form', { name: 'Approve' }).getByLabel(/^Note/).fill(note);
  await desk.getByRole('button', { name: 'Approve' }).click();
  await expect(desk.getByText(/^You approved this on/)).toBeVisible();
  await desk.context().close();
  const second = await besides(browser, of, 'stan', '/desk/approvals');
  await expectAccessible(second);
  await second.getByRole('button', { name: 'Approve' }).first().click();
  await expect(second.getByText('Approved and applied.')).toBeVisible();
  await second.context().close();
}

const requestOf = (page: Page): string => new URL(page.url()).searchParams.get('request')!;
const rdap = async (page: Page, path: string): Promise<{ name?: string }> =>
  (await (await page.request.get(`/rdap/${path}`, { maxRedirects: 0 })).json()) as { name?: string };

test('a returned block is checked by two people at the desk, leaves RDAP and rests in the pool', async ({ page, browser }) => {
  await arriveAs(page, 'corin', '/EXAMPLE-AU/index.html?to=/resources/ipv4_transfer_return');
  const frame = framed(page);
  await frame.getByRole('button', { name: /^(Start return|Continue the draft)$/ }).click();
  await frame.getByText('Other resources, or as text').click();
  await frame.getByLabel('Chosen resources').fill('203.0.113.0/24');
  await frame.getByLabel('Not used any more from').fill(utcDay(Date.now()));
  await frame.getByLabel('Reason').fill('The event network is closed');
  await expect(frame.getByRole('table', { name: 'Plan for each object' })).toBeVisible();
  await frame.getByLabel(/^The answers are true/).check();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Send return' }).click();
  await expect(page).toHaveURL(/ipv4_transfer_return_success/);
  await expect(frame.getByRole('heading', { name: /^In the queue/ })).toBeVisible();
  await decide(browser, page, requestOf(page), { shows: /Return 203\.0\.113\.0\/24/ });
  await page.reload();
  await expect(frame.getByText('Completed').first()).toBeVisible();
  await expect.poll(async () => String((await rdap(page, 'ip/203.0.113.0/24')).name), { timeout: 30_000 }).not.toBe('EXAMPLE-AU');
  const pools = await besides(browser, page, 'stella', '/desk/pools');
  const resting = pools.getByRole('listitem').filter({ hasText: '203.0.113.0/24' });
  await expect(resting).toContainText('Quarantine');
  await expect(resting).toContainText('until');
  await pools.context().close();
});

test('a national registry delegates to a sub-account, and RDAP shows whose it is', async ({ page }) => {
  await arriveAs(page, 'nils', '/NATREG-XX/index.html?to=/resources/nirtools/resource_delegation_nir?add=yes');
  const frame = framed(page);
  await frame.getByLabel('Sub-account', { exact: true }).fill('UNIEX');
  await frame.getByRole('option', { name: /UNIEX-ZZ/ }).click();
  // The name is proposed, and the checks are made while the form is filled in.
  await expect(frame.getByLabel('Netname')).toHaveValue(/^UNIEX-\d+$/);
  await frame.getByLabel('Block').fill('198.19.26.0/24');
  await frame.getByLabel('Netname').fill('UNIEX-LABS');
  await expect(frame.getByText('New whois object')).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Delegate 198.19.26.0/24' }).click();
  await expect(frame.getByText('Delegated to UNIEX-ZZ')).toBeVisible();
  await expect(frame.getByRole('button', { name: 'Delegate another' })).toBeVisible();
  await expect.poll(async () => (await rdap(page, 'ip/198.19.26.0/24')).name, { timeout: 30_000 }).toBe('UNIEX-LABS');
  await frame.getByRole('button', { name: 'All of UNIEX-ZZ' }).click();
  await expect(frame.getByRole('grid').getByText('198.19.26.0/24')).toBeVisible();
});

test('a national registry filters its sub-accounts, and compares its own list with the registry', async ({ page }) => {
  await arriveAs(page, 'nils', '/NATREG-XX/index.html?to=/resources/nirtools/subaccount_management');
  const frame = framed(page);
  const tabs = frame.getByRole('navigation', { name: 'NIR tools' });
  await expect(tabs.getByRole('link', { name: /^Sub-accounts ?\d/ })).toHaveAttribute('aria-current', 'page');
  const members = frame.getByRole('grid', { name: 'Sub-accounts of NATREG-XX' });
  await expect(members.getByText('HARBOURHOST-ZZ')).toBeVisible();
  await frame.getByLabel('Holds').selectOption('With IPv6');
  await expect(members.getByText('HARBOURHOST-ZZ')).toBeHidden();
  await expect(members.getByText('UNIEX-ZZ')).toBeVisible();
  await expect(frame.getByRole('group', { name: 'By IPv4 holding' }).getByRole('button', { name: /^All ?2$/ })).toBeVisible();
  await frame.getByLabel('Changed since').selectOption('Changed in 7 days');
  await expect(page).toHaveURL(/changed=7/);
  await expect(members.getByText('UNIEX-ZZ')).toBeVisible();
  await frame.getByLabel('Holds').selectOption('With AS numbers');
  await frame.getByRole('searchbox', { name: 'Find a sub-account' }).fill('UNIEX');
  await expect(frame.getByText('No matches')).toBeVisible();
  await frame.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(members.getByText('HARBOURHOST-ZZ')).toBeVisible();
  await expectAccessible(page);

  // A delegation and a file of many are on the page of the list.
  await members.getByRole('checkbox', { name: /HARBOURHOST-ZZ/ }).check();
  await frame.getByRole('button', { name: 'Delegate', exact: true }).click();
  await expect(frame.getByRole('heading', { name: 'Delegate from your pool' })).toBeFocused();
  await expect(frame.getByLabel('Sub-account', { exact: true })).toHaveValue('HARBOURHOST-ZZ');
  await expect(members.getByText('UNIEX-ZZ')).toBeVisible();
  await frame.getByRole('button', { name: 'Import CSV' }).click();
  await expect(frame.getByRole('heading', { name: 'Delegate with a file' })).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('form', { name: 'New delegation' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(frame.getByRole('heading', { name: 'Delegate from your pool' })).toBeHidden();
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).not.toHaveURL(/import=/);

  await tabs.getByRole('link', { name: /^Differences/ }).click();
  const list = frame.getByLabel('Rows');
  await list.fill(
    'subaccount,resource,kind,netname\nUNIEX-ZZ,198.19.24.0/24,assigned,UNIEX-CAMPUS\nUNIEX-ZZ,198.19.99.0/24,assigned,UNIEX-NEW',
  );
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Compare' }).press('Enter');
  const found = frame.getByRole('list', { name: 'Differences' });
  await expect(found.getByRole('listitem').filter({ hasText: '198.19.99.0/24' })).toContainText('Not at the registry');
  await expect(found.getByRole('listitem').filter({ hasText: '198.19.20.0/23' })).toContainText('Not in your list');
  await expect(found.getByRole('listitem').filter({ hasText: '198.19.24.0/24' })).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(found).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Import the missing delegation' }).click();
  await expect(frame.getByLabel('Rows')).toHaveValue(/198\.19\.99\.0\/24/);
});

test('a block goes to another registry after its fee is paid, and nothing of it stays here', async ({ page, browser }) => {
  test.slow();
  await arriveAs(page, 'corin', '/EXAMPLE-AU/index.html?to=/resources/ipv4_transfer_request');
  const frame = framed(page);
  await frame.getByRole('button', { name: /^(Start transfer|Continue the draft)$/ }).click();
  await frame.getByText('Other resources, or as text').click();
  await frame.getByLabel('Chosen resources').fill('198.18.16.0/21');
  await frame.getByLabel('Destination').selectOption('Another registry');
  await frame.getByLabel('Other registry').selectOption('RIPE NCC');
  await frame.getByLabel('Reason').fill('Sold to a company in Utrecht');
  await expect(frame.getByText(/^you pay$/)).toBeVisible();
  await frame.getByLabel(/^The answers are true/).check();
  await frame.getByLabel(/^I accept that/).check();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Send transfer' }).click();
  await expect(page).toHaveURL(/ipv4_transfer_request_success/);
  const requestId = requestOf(page);
  await decide(browser, page, requestId, { note: 'RIPE NCC: NCC#2026110815', shows: /Transfer 198\.18\.16\.0\/21 to RIPE NCC/ });
  await page.reload();
  await expect(frame.getByRole('heading', { name: 'Pay the transfer fee' })).toBeVisible();
  // Invoices of fees are issued each minute; loading the page costs more than a second of processor.
  const number = frame.getByRole('link', { name: /^INV-/ });
  await expect(async () => {
    await page.reload();
    await expect(number).toBeVisible({ timeout: 15_000 });
  }).toPass({ timeout: 120_000 });
  const invoice = (await number.textContent())!;
  const desk = await besides(browser, page, 'stella', '/desk/accounts/EXAMPLE-AU');
  await desk
    .getByRole('listitem')
    .filter({ hasText: invoice })
    .getByRole('button', { name: /^Record a payment/ })
    .click();
  await desk.getByLabel('Bank reference').fill(`TT ${invoice}`);
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Record the payment' }).click();
  await expect(desk.getByText(`${invoice} is paid.`)).toBeVisible();
  await desk.context().close();
  // RDAP leads to where the block is registered now.
  const status = async () => (await page.request.get('/rdap/ip/198.18.16.0/21', { maxRedirects: 0 })).status();
  await expect.poll(status, { timeout: 150_000 }).toBe(302);
  await page.reload();
  await expect(frame.getByText('Completed').first()).toBeVisible();
});

test('everything of an account goes to the organisation that took it over, which acknowledges it, and the account closes', async ({
  page,
  browser,
  watch,
}) => {
  // The account closes while its contact still looks at it.
  watch.expect(/status of 404 .*\/api\/talk\?account=EXAMPLE-AU/);
  await arriveAs(page, 'corin', '/EXAMPLE-AU/index.html?to=/resources/transfer_request_select');
  const frame = framed(page);
  // An offer of the demo is under way; its block would stay locked.
  await frame.getByRole('link', { name: /^Transfer 198\.18\.64\.0\/23/ }).click();
  await frame.getByRole('button', { name: 'Withdraw' }).click();
  await frame.getByRole('button', { name: 'Withdraw' }).click();
  await expect(frame.getByText('Withdrawn').first()).toBeVisible();

  await page.goto('/EXAMPLE-AU/index.html?to=/resources/acquisition_transfer_request');
  await frame.getByRole('button', { name: 'Start', exact: true }).click();
  await frame.getByRole('button', { name: 'Choose all' }).click();
  await expect(frame.getByRole('checkbox', { name: '2001:db8::/32' })).toBeChecked();
  await frame.getByLabel('Recipient’s account').fill('NATREG-XX');
  await frame.getByLabel('Occasion').selectOption('Merger');
  await frame.getByLabel('Legal name of the organisation that receives').fill('National Registry of Exampleland');
  await frame.getByLabel('In effect from').fill(utcDay(Date.now() - DAY_MS));
  await frame.getByLabel('Hand over registrations and whois objects').check();
  await frame.getByLabel('Close the account afterwards').check();
  await frame.getByLabel('Reason').fill('The network merged into the registry on 1 November');
  const paper = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n');
  await frame.getByLabel('Documents').setInputFiles({ name: 'agreement.pdf', mimeType: 'application/pdf', buffer: paper });
  await expect(frame.getByRole('button', { name: 'Remove agreement.pdf' })).toBeVisible();
  await frame.getByLabel(/^The answers are true/).check();
  const risk = frame.getByLabel(/^I accept that/);
  if (await risk.isVisible()) await risk.check();
  await expect(frame.getByText('EXAMPLE-AU closes when the transfer completes')).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Offer to NATREG-XX' }).click();
  await expect(page).toHaveURL(/acquisition_transfer_request_success/);
  await expect(frame.getByRole('heading', { name: 'Awaiting acknowledgement by NATREG-XX' })).toBeVisible();
  const requestId = requestOf(page);

  const other = await besides(browser, page, 'nils', '/NATREG-XX/index.html?to=/resources/transfer_receive_select');
  await framed(other).getByRole('link', { name: 'View offer' }).click();
  await expect(framed(other).getByRole('table', { name: 'Plan for each object' })).toBeVisible();
  await framed(other).getByLabel('Documents').setInputFiles({ name: 'agreement.pdf', mimeType: 'application/pdf', buffer: paper });
  await expect(framed(other).getByRole('button', { name: 'Remove agreement.pdf' })).toBeVisible();
  await framed(other)
    .getByLabel(/^The answers are true/)
    .check();
  await expectAccessible(other);
  await framed(other).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(framed(other).getByRole('heading', { name: /^In the queue/ })).toBeVisible();
  await decide(browser, page, requestId, { shows: /move 2 resources|Merger: move /i });
  await other.reload();
  await expect(framed(other).getByText('Completed').first()).toBeVisible();
  await expect.poll(async () => (await rdap(other, 'ip/198.18.0.0/20')).name, { timeout: 30_000 }).toBe('NATREG-XX');
  expect((await rdap(other, 'ip/2001:db8::/32')).name).toBe('NATREG-XX');
  const desk = await besides(browser, page, 'stella', '/desk/accounts/EXAMPLE-AU');
  await expect(desk.getByText('closed', { exact: true }).first()).toBeVisible();
  await desk.context().close();
  await other.context().close();
});
