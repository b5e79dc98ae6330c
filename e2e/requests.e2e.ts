import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

test('a first-time member asks for IPv4, registry staff approve it, and RDAP shows the block', async ({ page, browser, baseURL }) => {
  test.slow();
  await arriveAs(page, 'corin', '/LABNET-AU/index.html?to=/resources/ipv4_request_form');
  const frame = framed(page);
  await expect(frame.getByText('512 of 512 addresses are left under the limit')).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Start request' }).click();
  // The plan is drawn before a purpose is chosen.
  await expect(frame.getByRole('img', { name: /^Addresses needed: now 0/ })).toBeVisible();
  await frame.getByRole('combobox', { name: 'Purpose' }).selectOption({ label: 'Services for customers' });
  await frame.getByRole('textbox', { name: 'Used for' }).fill('Access');
  await frame.getByLabel('Now', { exact: true }).fill('256');
  await frame.getByLabel('6 months', { exact: true }).fill('380');
  await frame.getByLabel('12 months', { exact: true }).fill('512');
  await expect(frame.getByRole('img', { name: /^Addresses needed: now 256, in 6 months 380, in 12 months 512/ })).toBeVisible();
  await expect(frame.getByText('You reach 512 addresses in 12 months: a /24 is full from the start.')).toBeVisible();
  await frame.getByLabel('The network').fill('Two cities, one border router each.');
  // A second kind joins the form, with the fee of both; it is left out again, and its draft is kept.
  await frame.getByRole('checkbox', { name: 'AS number' }).click();
  await expect(frame.getByRole('button', { name: 'Send 2 requests' })).toBeVisible();
  await expectAccessible(page);
  await frame.getByRole('checkbox', { name: 'AS number' }).click();
  await expect(frame.getByText('With this request')).toBeVisible();
  await frame.getByText('Change how it appears in whois').click();
  // Filled in with what the account has.
  await expect(frame.getByLabel('Abuse mailbox')).toHaveValue('abuse@labnet-au.example');
  await expect(frame.getByLabel('Netname')).toHaveValue('LABNET-AU');
  await frame.getByLabel('Netname').fill('LABNET-EDGE');
  await frame.getByLabel(/^The answers are true/).check();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Send request' }).click();
  await expect(frame.getByText('Place in the queue')).toBeVisible();
  const heading = (await frame.getByRole('heading', { name: /^REQ-\d+: IPv4 \/24/ }).textContent())!;
  const reference = /REQ-\d+/.exec(heading)![0];
  await page.reload();
  await expect(frame.getByText('Place in the queue')).toBeVisible();

  const staff = await browser.newContext({ baseURL: baseURL! });
  const desk = await staff.newPage();
  await arriveAs(desk, 'stella', `/desk/requests/resources-${reference.slice(4)}`);
  await expect(desk.getByText('Proposed')).toBeVisible();
  await expect(desk.getByText('LABNET-EDGE')).toBeVisible();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await expect(desk.getByText(/REQ-\d+ approved\. LABNET-AU gets an e-mail\./)).toBeVisible();
  await staff.close();

  await page.reload();
  const given = (await frame
    .getByText(/^198\.19\.\d+\.0\/24/)
    .first()
    .textContent())!;
  const block = /198\.19\.\d+\.0\/24/.exec(given)![0];
  await expect
    .poll(async () => ((await (await page.request.get(`/rdap/ip/${block}`)).json()) as { name?: string }).name, { timeout: 30_000 })
    .toBe('LABNET-EDGE');
});

test('a transfer is offered, its page survives a reload, and it is withdrawn before the other side acknowledges', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', '/EXAMPLE-AU/index.html?to=/resources/transfer_request_select');
  const frame = framed(page);
  await frame.getByRole('link', { name: 'Start a transfer: Unused IPv4 or AS numbers' }).click();
  // The map begins the draft, and chooses in it, and so does its text.
  await frame.getByLabel('First address').fill('198.18.4.0/22');
  await frame.getByLabel('First address').press('Enter');
  await expect(frame.getByRole('heading', { name: 'Before you send' })).toBeVisible();
  await frame.getByText('Other resources, or as text').click();
  await expect(frame.getByLabel('Chosen resources')).toHaveValue('198.18.4.0/22');
  await frame.getByLabel('Chosen resources').fill('198.18.8.0/22');
  await frame.getByLabel('Recipient’s account').fill('OTHER-SG');
  // Fees and what each party has are there before a reason is.
  await expect(frame.getByText(/^OTHER-SG pays$/)).toBeVisible();
  await expect(frame.getByRole('heading', { name: 'You keep' })).toBeVisible();
  await expect(frame.getByRole('heading', { name: 'OTHER-SG gets' })).toBeVisible();
  await frame.getByLabel('Reason').fill('Not needed any more');
  await frame.getByLabel(/^The answers are true/).check();
  await frame.getByLabel('I accept that 198.18.0.0/19 from AS64500 becomes Not found').check();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Offer to OTHER-SG' }).click();
  await expect(page).toHaveURL(/ipv4_transfer_request_success/);
  const state = frame.getByRole('heading', { name: 'Awaiting acknowledgement by OTHER-SG' });
  await expect(state).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(state).toBeVisible();
  await frame.getByRole('button', { name: 'Withdraw' }).click();
  await frame.getByRole('button', { name: 'Withdraw' }).click();
  await expect(frame.getByText('Withdrawn').first()).toBeVisible();
});

test('a locked AS number can’t be transferred, and its lock is kept although someone asked for the release', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', '/EXAMPLE-AU/index.html?to=/resources/transfer_request_select');
  const frame = framed(page);
  await frame.getByRole('checkbox', { name: 'AS64500', exact: true }).check();
  await frame.getByRole('button', { name: 'Lock', exact: true }).click();
  await frame.getByRole('button', { name: 'Release AS64500' }).click();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Request release' }).click();
  await expect(frame.getByText('Someone else has to confirm it.')).toBeVisible();
  const rdap = (await (await page.request.get('/rdap/autnum/64500')).json()) as { status: string[] };
  expect(rdap.status).toContain('transfer prohibited');
  await frame.getByRole('button', { name: 'Keep lock' }).click();
  await expect(frame.getByRole('button', { name: 'Release AS64500' })).toBeVisible();
});

test('registry staff save the filters of their queue as a link for all of them', async ({ page }) => {
  await arriveAs(page, 'stella', '/desk/requests?kind=transfers');
  await page.getByRole('button', { name: 'Save this queue' }).click();
  await page.getByLabel('Name of the queue').fill('Transfers of the story');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto('/desk/requests');
  // Above the list, and in the navigation of every page of the desk.
  await page.getByRole('navigation', { name: 'Saved queues' }).getByRole('link', { name: 'Transfers of the story' }).click();
  await expect(page).toHaveURL(/kind=transfers/);
  const entry = page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Transfers of the story' });
  await expect(entry).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete the saved queue Transfers of the story' }).click();
  await expect(page.getByRole('link', { name: 'Transfers of the story' })).toHaveCount(0);
});
