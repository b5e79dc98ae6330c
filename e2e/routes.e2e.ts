import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('an invalid announcement is repaired by the ROA that its row leads to, and the change is undone', async ({ page, watch }) => {
  // The undo is refused once, to ask for the number of announcements that it harms.
  watch.expect(/status of 409/);
  test.slow();
  await arriveAs(page, 'corin', '/resources/routes/index');
  const frame = framed(page);
  const row = frame.getByRole('row').filter({ hasText: '198.18.8.0/24' });
  await expect(row).toContainText('Invalid AS');
  // Suggestions are on the page of the list, and are reviewed there.
  const suggestions = frame.getByRole('region', { name: 'Suggestions' });
  await suggestions.getByRole('button', { name: 'Review 198.18.66.0/24 AS64500' }).click();
  await expect(frame.getByRole('list', { name: 'Changes' })).toContainText('ROA added');
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('link', { name: 'Repair' }).click();

  // One click leads to the filled-in form with what it would do, before anything is written.
  await expect(frame.getByLabel('Prefix')).toHaveValue('198.18.8.0/24');
  await expect(frame.getByLabel('Origin AS')).toHaveValue('AS65536');
  const announced = frame.getByRole('list', { name: 'Effect on announcements' }).getByRole('listitem').filter({ hasText: '198.18.8.0/24' });
  await expect(announced).toContainText(/Invalid AS.*→.*Valid/);
  await expect(frame.getByText(/\d+ → \d+/).first()).toBeVisible();
  await expect(frame.getByRole('list', { name: 'Changes' })).toContainText('ROA added');

  // A maximum length that can't be is named with what would be right; nothing can be saved meanwhile.
  await frame.getByLabel('Maximum length').fill('33');
  await frame.getByRole('button', { name: 'Review' }).click();
  await expect(frame.getByRole('list', { name: 'Problems' })).toContainText('24 to 32');
  await frame.getByLabel('Maximum length').fill('');
  await frame.getByRole('button', { name: 'Review' }).click();
  await expect(announced).toContainText(/Invalid AS.*→.*Valid/);
  await expectDrawn(page);
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Save 1 route' }).click();

  // Back in the list the page follows the publisher: the receipt names each place, the ROA is published, and the announcement valid.
  const receipt = frame.getByRole('list', { name: 'Publication receipt' });
  await expect(receipt).toContainText('RPKI repository');
  await expect(receipt).toContainText(/In RRDP serial \d+/, { timeout: 60_000 });
  await expect(row).toContainText('Published', { timeout: 60_000 });
  await expect(row).toContainText('Valid', { timeout: 30_000 });
  await expect(row.getByRole('link', { name: 'Repair' })).toHaveCount(0);
  await frame.getByRole('button', { name: 'Close the receipt' }).click();
  await expect(receipt).toHaveCount(0);

  await page.goto('/resources/routes/requests');
  await frame.getByRole('row').filter({ hasText: 'Added 1 route' }).first().click();
  await expect(frame.getByText(/In RRDP serial \d+/)).toBeVisible({ timeout: 30_000 });
  await expect(frame.getByRole('list', { name: 'Result for each object' })).toContainText('ROA AS65536 198.18.8.0/24');
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.getByRole('button', { name: 'Undo change' }).click();
  // The announcement would be invalid again, so the dialog asks for the number of those that are.
  await frame.getByLabel('Type 1 to confirm').fill('1');
  await frame.getByRole('button', { name: 'Undo change' }).click();
  await expect(frame.getByRole('heading', { name: /^Undid a change: deleted 1 route/i })).toBeVisible();
  await expect(frame.getByText('Withdrawn from the repository')).toBeVisible({ timeout: 30_000 });
  await frame.getByRole('link', { name: 'an earlier change' }).click();
  await expect(frame.getByRole('link', { name: 'a later change' })).toBeVisible();
  await expectAccessible(page);
});

test('a route from another member’s AS number is sent for consent, waits, and is withdrawn', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', '/resources/routes/index?add=yes&prefix=198.18.26.0/24&asn=AS64501');
  const frame = framed(page);
  await frame.getByRole('checkbox', { name: 'ROA' }).uncheck();
  await frame.getByRole('checkbox', { name: 'Whois route object' }).check();
  await frame.getByRole('button', { name: 'Review' }).click();
  await expect(frame.getByText('Consent needed.')).toBeVisible();
  await expect(frame.getByRole('list', { name: 'Changes' })).toContainText('waits for consent');
  await frame.getByRole('button', { name: 'Save 1 route' }).click();
  await expect(frame.getByRole('list', { name: 'Publication receipt' })).toContainText('waiting for consent');

  await page.goto('/resources/routes/index?q=198.18.26.0/24');
  await expect(frame.getByRole('row').filter({ hasText: '198.18.26.0/24' })).toContainText('Consent');
  await page.goto('/resources/routes/requests');
  const sent = frame
    .getByRole('list', { name: 'Sent by you' })
    .getByRole('listitem')
    .filter({ hasText: /198\.18\.26\.0\/24\s*AS64501/ });
  await expect(sent).toContainText('Waiting');
  await expect(sent).toContainText('MAINT-SG-OTHER');
  await expectDrawn(page);
  await expectAccessible(page);
  await sent.getByRole('button', { name: 'Withdraw' }).click();
  await expect(sent).toContainText('Withdrawn');
});

test('the holder of an AS number approves one route and rejects another, and the asker reads the answers', async ({ page, browser }) => {
  test.slow();
  for (const prefix of ['198.18.27.0/24', '198.18.29.0/24']) {
    await arriveAs(page, 'corin', `/resources/routes/index?add=yes&prefix=${prefix}&asn=AS64502`);
    const form = framed(page);
    await form.getByRole('checkbox', { name: 'ROA' }).uncheck();
    await form.getByRole('checkbox', { name: 'Whois route object' }).check();
    await form.getByRole('button', { name: 'Review' }).click();
    await expect(form.getByText('Consent needed.')).toBeVisible();
    await form.getByRole('button', { name: 'Save 1 route' }).click();
    await expect(form.getByText('Consent needed.')).toHaveCount(0);
  }

  const holder = await (await browser.newContext()).newPage();
  await arriveAs(holder, 'nils', '/resources/routes/requests');
  const asked = framed(holder).getByRole('list', { name: 'For your approval' }).getByRole('listitem');
  const first = asked.filter({ hasText: /198\.18\.27\.0\/24\s*AS64502/ });
  await expect(first).toContainText('EXAMPLE-AU asks, until');
  await expectAccessible(holder);
  await first.getByRole('button', { name: 'Approve' }).click();
  await expect(first).toHaveCount(0);
  await asked.getByRole('button', { name: 'Reject' }).click();
  const dialog = framed(holder).getByRole('dialog', { name: 'Reject this request' });
  await dialog.getByLabel('Reason').fill('We do not announce this for you.');
  await dialog.getByRole('button', { name: 'Reject request' }).click();
  await expect(framed(holder).getByText('No open requests')).toBeVisible();
  await holder.context().close();

  await page.goto('/resources/routes/requests');
  const sent = framed(page).getByRole('list', { name: 'Sent by you' }).getByRole('listitem');
  await expect(sent.filter({ hasText: '198.18.27.0/24' })).toContainText('Approved and saved');
  await expect(sent.filter({ hasText: '198.18.29.0/24' })).toContainText('Rejected');
  await expect(sent.filter({ hasText: '198.18.29.0/24' })).toContainText('We do not announce this for you.');
});

test('a list of routes with wrong lines names each of them, and nothing is saved until they are fixed', async ({ page }) => {
  await arriveAs(page, 'corin', '/resources/routes/index?import=yes');
  const frame = framed(page);
  const lines = [
    '198.18.10.0/24,AS64500',
    '198.18.10.5/24,AS64500',
    '8.8.8.0/24,AS64500',
    '198.18.11.0/24,AS64512',
    '198.18.12.0/24,AS64500,33',
  ];
  await frame.getByLabel('Lines').last().fill(lines.join('\n'));
  await frame.getByRole('button', { name: 'Review' }).click();
  const problems = frame.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(problems).toHaveCount(4);
  for (const line of [2, 3, 4, 5]) await expect(problems.filter({ hasText: `Line ${line}` })).toHaveCount(1);
  await expect(frame.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectDrawn(page);
  await expectAccessible(page);
});

test('a table of one’s own routers is uploaded for the account alone, shows what collectors miss, and is deleted', async ({
  page,
  watch,
}) => {
  watch.expect(/status of 400 .*\/bgp-tables/);
  await arriveAs(page, 'corin', '/resources/routes/index?view=tables');
  const frame = framed(page);
  const lines = frame.getByLabel('Announcements', { exact: true });
  const upload = frame.getByRole('button', { name: 'Upload', exact: true });
  await lines.fill('198.18.28.0/24 AS64500\nhello');
  await upload.click();
  await expect(frame.getByRole('list', { name: 'Problems' })).toContainText('Line 2: hello has no prefix');
  await lines.fill('198.18.28.0/24 AS64500');
  await upload.click();
  await expect(frame.getByRole('row').filter({ hasText: 'Your account, uploaded by Corin' })).toContainText('IPv4');
  await expectDrawn(page);
  await expectAccessible(page);
  await page.goto('/resources/routes/index?q=198.18.28.0/24');
  await expect(frame.getByRole('row').filter({ hasText: '198.18.28.0/24' })).toContainText('Invalid length');
  await page.goto('/resources/routes/index?view=tables');
  await frame.getByRole('button', { name: 'Delete yours' }).click();
  await frame.getByRole('button', { name: 'Delete table' }).click();
  await expect(frame.getByRole('row').filter({ hasText: 'Your account' })).toHaveCount(0);
});
