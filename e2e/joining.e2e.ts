import type { Browser, Page } from '@playwright/test';
import { arriveAs, fillIn, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Each story starts where the previous one ended: nadia gets access and leaves again, so that others find her without an account.
test.describe.configure({ mode: 'serial', timeout: 180_000 });

// Their decisions require a second factor given minutes ago.
test.beforeAll(() => {
  forget('corin');
  forget('stella');
});

type Answer = { status: number; data: unknown };

/** A call of the API as the person of this page, as another client of the registry makes it. */
async function call(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  const token = await page.evaluate<string>('sessionStorage.id_token');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await page.request.fetch(path, { method, headers, ...(body === undefined ? {} : { data: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status(), data: text === '' ? undefined : JSON.parse(text) };
}

/** A second person, in a browser of their own. */
async function besides(browser: Browser, name: string, path = '/'): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await arriveAs(page, name, path);
  return page;
}

/** Opens the link in the newest mail to an address on this page. */
async function followInvitation(page: Page, recipient: string): Promise<void> {
  const link = page
    .getByRole('article')
    .filter({ hasText: 'Invitation to' })
    .filter({ hasText: recipient })
    .first()
    .getByRole('link', { name: /accept-invitation/ });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await link.click();
}

async function leave(page: Page, accountName: string): Promise<void> {
  await page.goto(`/member-account-settings/my-accounts?account=${accountName}`);
  // It loads last, and reads for the account: after leaving, that account is not found.
  await expect(page.getByRole('button', { name: 'Talk to us' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave account' }).click();
  await expect(page.getByRole('dialog', { name: `Leave ${accountName}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Leave the account' }).click();
  await expect(page.getByText(`You left ${accountName}.`)).toBeVisible();
}

const invite = (corin: Page, accountName: string, email: string, contactTypes: readonly string[]): Promise<Answer> =>
  call(corin, 'POST', `/api/${accountName}/contacts`, { fullName: 'Ines Moreau', email, contactTypes, reason: 'Takes over in December' });

test('a person asks to be linked to an account, and acts for it once a corporate contact has approved', async ({ page, browser }) => {
  await arriveAs(page, 'nadia');
  await page.getByRole('link', { name: 'Link an existing membership' }).click();
  const name = page.getByLabel('Account name');
  await page.getByRole('button', { name: 'Ask to be linked' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Enter the account name');
  await expectAccessible(page);
  await name.fill('  example-au ');
  await name.press('Enter');
  await expect(page.getByText('If EXAMPLE-AU exists, its corporate contacts got your request.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask for another account' }).click();
  await name.fill('no-such-member');
  await name.press('Enter');
  await expect(page.getByText('If NO-SUCH-MEMBER exists, its corporate contacts got your request.')).toBeVisible();
  await expect(page.getByText(/You can remind them from/)).toHaveCount(2);
  await expectAccessible(page);

  const corin = await besides(browser, 'corin');
  type Row = { requestId: string; status: string; requester: { name: string } };
  let requests: Row[] = [];
  await expect(async () => {
    requests = (await call(corin, 'GET', '/api/EXAMPLE-AU/access-requests')).data as Row[];
    expect(requests.some(row => row.status === 'pending' && row.requester.name === 'Nadia Haddad')).toBe(true);
  }).toPass();
  const { requestId } = requests.find(row => row.status === 'pending' && row.requester.name === 'Nadia Haddad')!;
  const approval = { requestId, decision: 'approved', contactTypes: ['technical'] };
  expect((await call(corin, 'POST', '/api/EXAMPLE-AU/resolve-access-request', approval)).status).toBe(200);

  await page.getByRole('navigation').getByRole('link', { name: 'My accounts' }).click();
  await expect(page.getByRole('grid').getByText('EXAMPLE-AU')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('NO-SUCH-MEMBER')).toBeVisible();
  await expectAccessible(page);
  await leave(page, 'EXAMPLE-AU');
  await expect(page.getByText('You aren’t linked to an account yet')).toBeVisible();
  await corin.context().close();
});

test('an invitation leads through sign-in to its page; accepted, it opens the account', async ({ page, browser }) => {
  const corin = await besides(browser, 'corin');
  expect((await invite(corin, 'SOUTHSITE-NZ', 'nadia@newcomer.example', ['technical', 'billing'])).status).toBe(200);
  await corin.context().close();

  await followInvitation(page, 'nadia@newcomer.example');
  await expect(page.getByLabel('User name or e-mail')).toBeVisible();
  await fillIn(page, 'nadia');
  await expect(page.getByRole('heading', { name: 'Invitation to SOUTHSITE-NZ' })).toBeVisible();
  const address = page.url();
  expect(address).toContain('/accept-invitation/');
  await expect(page.getByText(/Corin Achterberg asks you to become a billing and technical contact/)).toBeVisible();
  await expect(page.getByText('View number resources')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'SOUTHSITE-NZ' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(/contact of SOUTHSITE-NZ now/)).toBeVisible();
  await expect(page).toHaveURL('/');

  await page.goto(address);
  await expect(page.getByText('You are a contact of SOUTHSITE-NZ', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await leave(page, 'SOUTHSITE-NZ');
});

test('an invitation is declined, and then void; an unknown one offers a next step', async ({ page, browser, watch }) => {
  watch.expect(/status of 404 .*\/api\/invitations\//);
  const corin = await besides(browser, 'corin');
  expect((await invite(corin, 'SOUTHSITE-NZ', 'nadia@newcomer.example', ['billing'])).status).toBe(200);
  await corin.context().close();

  await arriveAs(page, 'nadia');
  await followInvitation(page, 'nadia@newcomer.example');
  await page.getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Decline' })).toBeFocused();
  await page.getByRole('button', { name: 'Decline' }).click();
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('You declined the invitation to SOUTHSITE-NZ')).toBeVisible();
  await page.reload();
  await expect(page.getByText('This invitation was already answered')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/accept-invitation/of-nobody');
  await expect(page.getByText('Invitation not found')).toBeVisible();
  await expectAccessible(page);
});

test('a corporate contact is invited when registry staff have approved it, and only the person with the address may accept', async ({
  page,
  browser,
}) => {
  const corin = await besides(browser, 'corin');
  expect((await invite(corin, 'SOUTHSITE-NZ', 'ines@southsite.example', ['corporate'])).status).toBe(202);
  expect((await invite(corin, 'SOUTHSITE-NZ', 'ines.billing@southsite.example', ['billing'])).status).toBe(200);
  type Listed = { rows: { contactId: string; version: number; fullName: string }[] };
  const contacts = (await call(corin, 'GET', '/api/EXAMPLE-AU/contacts?q=Tilda')).data as Listed;
  const tilda = contacts.rows[0]!;
  const promotion = { version: tilda.version, contactTypes: ['corporate'], reason: 'Deputy' };
  expect((await call(corin, 'PATCH', `/api/EXAMPLE-AU/contacts/${tilda.contactId}`, promotion)).status).toBe(202);
  await corin.context().close();

  const stella = await besides(browser, 'stella', '/desk/requests?kind=contacts');
  await stella.getByRole('searchbox', { name: 'Account, reference, person' }).fill('ines');
  await expect(stella).toHaveURL(/[?&]q=ines$/);
  await stella.getByRole('grid').getByText('Add Ines Moreau as corporate contact').click();
  await expectDrawn(stella);
  await expect(stella.getByText('Takes over in December')).toBeVisible();
  await expectAccessible(stella);
  const bar = stella.getByRole('region', { name: 'Decision' });
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(bar.getByText(/Ines Moreau is invited by e-mail/)).toBeVisible();
  await expectAccessible(stella);
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(stella.getByText(/Approved by Stella Kowalski/)).toBeVisible();
  // The filters of the queue stay; the case that was decided has left it.
  await stella.getByRole('link', { name: 'Queue' }).click();
  await expect(stella.getByText('No matching requests')).toBeVisible();
  await stella.getByRole('button', { name: 'Show all' }).click();

  // The next one by its keys alone.
  await stella.goto('/desk/requests?kind=contacts');
  await stella.getByRole('heading', { level: 1 }).click();
  await expect(stella.getByRole('grid').getByText('Make Tilda Marchetti')).toBeVisible();
  await stella.keyboard.press('j');
  await expect(stella.getByRole('heading', { name: /Make Tilda Marchetti/ })).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Reject' })).toBeVisible();
  await stella.keyboard.press('r');
  await expect(bar.getByLabel('Reason')).toBeFocused();
  await stella.keyboard.press('Control+Enter');
  await expect(bar.getByLabel('Reason')).toHaveAccessibleDescription(/Enter a reason. The member sees it./);
  await bar.getByLabel('Reason').fill('The letter of appointment is missing.');
  await stella.keyboard.press('Control+Enter');
  await expect(stella.getByText(/Rejected by Stella Kowalski/)).toBeVisible();
  await stella.goto('/desk/requests?kind=contacts');
  await stella.getByRole('combobox', { name: 'State' }).selectOption('decided');
  await expect(stella.getByRole('grid').getByText('Make Tilda Marchetti')).toBeVisible();
  await expectAccessible(stella);
  await stella.goto('/dev/mail');
  await expect(stella.getByRole('article').filter({ hasText: 'The letter of appointment is missing.' }).first()).toBeVisible();
  await stella.context().close();

  await arriveAs(page, 'nadia');
  await followInvitation(page, 'ines@southsite.example');
  await expect(page.getByText('The invitation was sent to another address.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveAccessibleDescription(
    /Only a login with the verified address ines@southsite/,
  );
  await expect(page.getByRole('link', { name: 'Log out' })).toBeVisible();
  await expectAccessible(page);

  await followInvitation(page, 'ines.billing@southsite.example');
  const accept = page.getByRole('button', { name: 'Accept' });
  await expect(accept).toHaveAccessibleDescription('Confirm: Both addresses are mine');
  await page.getByLabel('Both addresses are mine').check();
  await expect(accept).not.toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await accept.click();
  await expect(page.getByRole('heading', { level: 1, name: 'SOUTHSITE-NZ' })).toBeVisible();
  await leave(page, 'SOUTHSITE-NZ');
});

test('the only corporate contact is told what must happen before leaving', async ({ page }) => {
  await arriveAs(page, 'olive', '/member-account-settings/my-accounts?account=OTHER-SG');
  await page.getByRole('button', { name: 'Leave account' }).click();
  await expect(page.getByText('You are the only corporate contact.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask the registry' })).toHaveCount(0);
  await expectAccessible(page);
});

test('a person who is not staff finds nothing at the desk’s addresses, and gets none of its code', async ({ page }) => {
  await arriveAs(page, 'olive');
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  for (const path of ['/staff/requests', '/desk/requests', '/desk']) {
    await page.goto(path);
    await expect(page.getByText('There is no page at this address')).toBeVisible();
    await expect(page).toHaveTitle(/^Page not found/);
  }
  expect(asked.filter(path => /\/api\/staff\/|Requests|(?<!MovedTo)Desk/.test(path))).toEqual([]);
  expect(await page.content()).not.toMatch(/closure|registry staff/i);
});

test('no page is wider than a small screen', async ({ page, browser, watch }) => {
  watch.expect(/status of 404 .*\/api\/invitations\//);
  const stays = async (small: Page, path: string) => {
    await small.setViewportSize({ width: 320, height: 700 });
    await small.goto(path);
    await expect(small.getByRole('heading', { level: 1 })).toBeVisible();
    await expectDrawn(small);
    if (/^\/(|link.*|member.*)$/.test(path)) await expect(small.getByText('NO-SUCH-MEMBER')).toBeVisible();
    const beyond = await small.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect.soft(beyond, path).toBeLessThanOrEqual(0);
  };
  await arriveAs(page, 'nadia');
  for (const path of ['/', '/link-existing-membership', '/member-account-settings/my-accounts', '/accept-invitation/of-nobody'])
    await stays(page, path);
  const stella = await besides(browser, 'stella', '/desk/requests?status=decided');
  await stella.getByText('Make Tilda Marchetti').first().click();
  await stays(stella, new URL(stella.url()).pathname + new URL(stella.url()).search);
  await stella.context().close();
});
