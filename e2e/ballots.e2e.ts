import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test('Corin casts the ballot of his account, writes down the receipt, and the portal knows only that he voted', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await arriveAs(page, 'corin', '/voting');
  const card = page.getByRole('region', { name: 'Fee schedule from 2028, as a member' });
  await card.getByRole('link', { name: /^Vote:/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fee schedule from 2028' })).toBeVisible();
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Open the ballot' }).click();
  const ballot = await opening;
  await expect(ballot.getByRole('heading', { level: 1, name: 'Fee schedule from 2028' })).toBeVisible();
  // The window has no opener.
  expect(await ballot.evaluate('window.opener')).toBeNull();
  await expect(ballot.getByText('8 votes', { exact: true })).toBeVisible();
  // Who came from the portal is known there.
  await expect(ballot.getByRole('navigation', { name: 'Public pages' })).toContainText('EXAMPLE-AUCorin Achterberg');
  await expect(ballot.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  await expectFit(ballot);
  // An empty ballot is asked about, and every ballot is looked at once more.
  await ballot.getByRole('button', { name: 'Review' }).click();
  await expect(ballot.getByText('No answer is chosen.')).toBeVisible();
  await expect(ballot.getByLabel('I abstain on purpose')).not.toBeChecked();
  await expectAccessible(ballot);
  await ballot.getByRole('button', { name: 'Change choices' }).click();
  await ballot.getByRole('radio', { name: 'For' }).check();
  await ballot.getByRole('button', { name: 'Review' }).click();
  await expect(ballot.getByTestId('chosen')).toContainText('Your choiceFor');
  await expect(ballot.getByTestId('chosen')).toContainText('Corin Achterberg');
  await expect(ballot.getByText('(EXAMPLE-AU)', { exact: false })).toBeVisible();
  await expectFit(ballot);
  await ballot.getByLabel('I have checked this ballot and know that it is final').check();
  await ballot.getByRole('button', { name: 'Cast the ballot of EXAMPLE-AU' }).click();
  await expect(ballot.getByRole('heading', { level: 1, name: 'Your ballot is cast' })).toBeVisible();
  const receipt = await ballot.getByTestId('receipt').textContent();
  // The portal's page learns of it while it is behind this window, and so before it looks again.
  await expect(page.getByText('The votes of EXAMPLE-AU are cast.')).toBeVisible();
  expect(receipt).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  await expectFit(ballot);
  // It is kept as one likes: copied, printed, photographed, or saved as a file.
  await expect(ballot.getByRole('img', { name: 'QR code with the receipt and the address to check it' })).toBeVisible();
  await expect(ballot.getByRole('button', { name: 'Print' })).toBeVisible();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ballot.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(ballot.getByRole('status')).toHaveText('Copied.');
  expect(await ballot.evaluate('navigator.clipboard.readText()')).toBe(receipt);
  const saving = ballot.waitForEvent('download');
  await ballot.getByRole('link', { name: 'Save as file' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^ballot-receipt-\d+\.txt$/);
  const file = await saved.createReadStream();
  expect((await file.toArray()).join('')).toContain(receipt);
  await expectAccessible(ballot);
  // Sent again it is the same ballot, with the same receipt.
  await ballot.reload();
  await expect(ballot.getByTestId('receipt')).toHaveText(receipt!);
  await ballot.getByRole('link', { name: /\/ballots\/\d+$/ }).click();
  await expect(ballot.getByText('The result and all ballots are published here after')).toBeVisible();
  await expectFit(ballot);
  await ballot.close();
  await page.bringToFront();
  await expectAccessible(page);
  await page.goto('/voting/history');
  await expect(page.getByRole('row', { name: /Fee schedule from 2028.*Corin Achterberg/ })).toBeVisible();
  // Neither the choice nor its receipt is on any page of the portal.
  await expect(page.getByText(receipt!)).toHaveCount(0);
});

test('anyone finds the result of a vote that is over, downloads its ballots, and checks a receipt', async ({ page: portal, context }) => {
  await arriveAs(portal, 'corin', '/voting');
  const opening = context.waitForEvent('page');
  await portal.getByRole('link', { name: 'Results of By-law 74: meetings online, in a new window' }).click();
  const page = await opening;
  await expect(page.getByRole('heading', { level: 1, name: 'By-law 74: meetings online' })).toBeVisible();
  await expect(page.getByText(/accounts voted \(\d/)).toBeVisible();
  const csv = await (await page.request.get(`${page.url()}/ballots.csv`)).text();
  const [receipt, votes, choices] = csv.split('\r\n')[1]!.split(',');
  await page.getByLabel('Receipt of your ballot').fill(receipt!.toLowerCase());
  await page.getByRole('button', { name: 'Check' }).click();
  // The receipt is in no address, and so in no log of a proxy.
  expect(page.url()).not.toContain(receipt!);
  const found = page.getByRole('status');
  await expect(found).toContainText(`is counted with ${votes} vote`);
  await expect(found).toContainText(choices === '1' ? 'for For.' : 'for Against.');
  await expectFit(page);
  await page.getByLabel('Receipt of your ballot').fill('0000-0000-0000-0000');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(found).toContainText('No ballot has this receipt.');
});
