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
  await page.getByRole('button', { name: 'Mark as solved' }).click();
  await expect(panel.getByText('Your next message begins a new one')).toBeVisible();
  await expectDrawn(page);
  await desk.context().close();
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
