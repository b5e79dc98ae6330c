import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('Corin talks to support from any page, and both sides read each other as they write', async ({ page, browser }) => {
  test.setTimeout(120_000);
  await arriveAs(page, 'corin', '/member-account-settings/my-accounts');
  const open = page.getByRole('button', { name: /^Talk to us/ });
  await open.click();
  const panel = page.getByRole('dialog', { name: 'Talk to us' });
  await expect(panel.getByText(/^Support (answers|is away) until/)).toBeVisible();
  const words = `Which maintainer do I use? ${Date.now()}`;
  await panel.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('log').getByText(words)).toBeVisible();
  await expectAccessible(page);

  const desk = await (await browser.newContext()).newPage();
  await arriveAs(desk, 'stella', '/desk/tickets');
  await desk.getByRole('link', { name: words }).click();
  await expect(desk.getByText('The person may be waiting in the portal')).toBeVisible();
  await panel.getByRole('textbox', { name: 'Message' }).fill('It is for 2001:db8::/32.');
  await panel.getByRole('button', { name: 'Send' }).click();
  // The desk reads it without a reload, and so does the member.
  await expect(desk.getByText('It is for 2001:db8::/32.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await desk.getByLabel('Answer to the member').fill('The one of your account.');
  await desk.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByRole('button', { name: 'Talk to us, new answer' })).toBeVisible();
  await open.click();
  await expect(panel.getByText('The one of your account.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Talk to us', exact: true })).toBeVisible();
  await panel.getByRole('link', { name: /^Ticket / }).click();
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as solved' }).click();
  await open.click();
  await expect(panel.getByText('Your next message begins a new one')).toBeVisible();
  await expectDrawn(page);
  await desk.context().close();
});

test('the navigation leads to the tickets of all queues, and an empty queue says how many the others have', async ({ page }) => {
  await arriveAs(page, 'bill', '/contact/helpdesk/rt-tickets');
  await expect(page.getByRole('link', { name: 'Transfer fee debited twice' })).toBeVisible();
  await page.getByLabel('Queue').selectOption({ label: 'Events' });
  await page.getByRole('link', { name: /open tickets? in other queues$/ }).click();
  await expect(page.getByRole('link', { name: 'Transfer fee debited twice' })).toBeVisible();
  await page.getByLabel('Queue').selectOption({ label: 'General' });
  await expect(page.getByRole('heading', { name: 'Support tickets: General' })).toBeVisible();
});

test('the ticket form takes the focus, keeps what was typed at Escape, and gives the focus back', async ({ page }) => {
  await arriveAs(page, 'corin', '/contact/helpdesk/rt-tickets');
  const open = page.getByRole('button', { name: 'New ticket' });
  await open.press('Enter');
  const subject = page.getByLabel('Subject');
  await expect(subject).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  await subject.fill('Half a sentence');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(subject).toHaveValue('Half a sentence');
});

test('Bill reads a ticket beside the others, links it, copies Corin in, and his reply solves it', async ({ page }) => {
  await arriveAs(page, 'bill', '/contact/billing/rt-tickets');
  await page.getByRole('link', { name: 'Transfer fee debited twice' }).click();
  await expect(page.getByText('Waiting for you: the bank reference of the second payment')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Who had the next move since / })).toBeVisible();
  const linked = page.getByRole('region', { name: 'Linked to' });
  await expect(linked.getByRole('link', { name: 'INV-2025-000001' })).toBeVisible();
  await linked.getByRole('button', { name: 'Link', exact: true }).press('Enter');
  await expect(linked.getByLabel('Link to')).toBeFocused();
  await page.keyboard.type('INV-2024-000001');
  await page.keyboard.press('Enter');
  await expect(linked.getByRole('button', { name: 'Remove the link to INV-2024-000001' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Contact to copy in').selectOption({ label: 'Corin Achterberg' });
  await page.getByRole('button', { name: 'Copy in' }).click();
  await expect(page.getByText('Corin Achterberg gets the answers from now on.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Reply to Stella').fill('The reference is EFT 5521-0098. Please credit it to the renewal.');
  await expect(page.getByText(/Draft saved .* only you see it$/)).toBeVisible();
  await page.getByLabel('This answers it, mark as solved').check();
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect(page.getByText(/^Reply until .* to reopen it\.$/)).toBeVisible();
  await page.getByRole('region', { name: 'Tickets' }).getByText('Closed', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Tickets' }).getByRole('link', { name: /Transfer fee debited twice/ })).toBeVisible();
});
