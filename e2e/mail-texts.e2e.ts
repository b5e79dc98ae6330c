import type { Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => ['audra', 'corin', 'stella'].forEach(forget));

const main = (page: Page) => page.getByRole('main');
const received = 'We received “{ticketSubject}” as ticket {ticket} ({queue}). We answer in the portal and by e-mail.';

/** Opens a ticket as Corin, and returns the mail that says so. */
async function mailAfterTicket(page: Page, subject: string) {
  await arriveAs(page, 'corin', '/contact/helpdesk/rt-tickets');
  await page.getByRole('button', { name: 'New ticket' }).click();
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('Message').fill('Where do I find my invoices?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('heading', { name: subject })).toBeVisible();
  const mail = page.getByRole('article', { name: new RegExp(subject) }).first();
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  return mail;
}

test('registry staff change the text of a mail, the mail that goes out has it, and undoing it brings back the old one', async ({
  page,
  watch,
}) => {
  watch.expect(/status of (400|401|409)/);
  await arriveAs(page, 'stella', '/desk/mail-texts');
  await expectDrawn(page);
  await expectAccessible(page);
  await main(page).getByRole('searchbox', { name: 'Find a mail' }).fill('tickets.received portal');
  await main(page).getByRole('link', { name: '{ticketTag} {ticketSubject}' }).click();
  await expect(main(page).getByRole('heading', { name: 'Preview' })).toBeVisible();
  await expectAccessible(page);
  const text = main(page).getByRole('textbox', { name: 'Text', exact: true });
  await expect(text).toHaveValue(received);

  // A word that the mail doesn't have is refused by name.
  await text.fill(`${received} {invoice}`);
  await main(page).getByRole('textbox', { name: 'Reason' }).fill('Say how to reach us');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(
    main(page)
      .getByText(/This mail doesn’t have \{invoice\}\. It has .*\{queue\}/)
      .first(),
  ).toBeVisible();
  await text.fill(`${received}\n\nUrgent? Call +679 555 0100.`);
  await expect(main(page).getByText('Urgent? Call +679 555 0100.').last()).toBeVisible();
  await main(page).getByRole('button', { name: 'Show the whole mail' }).click();
  await expect(main(page).locator('pre', { hasText: /You get this e-mail because/ })).toBeVisible();
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(main(page).getByRole('heading', { name: 'Differences from the standard text' })).toBeVisible();
  await expect(main(page).getByText('Say how to reach us')).toBeVisible();
  await expectAccessible(page);
  await expect((await mailAfterTicket(page, 'Changed text')).getByText('Urgent? Call +679 555 0100.').first()).toBeVisible();

  await arriveAs(page, 'stella', '/desk/mail-texts?only=changed');
  await main(page).getByRole('link', { name: '{ticketTag} {ticketSubject}' }).click();
  await main(page).getByRole('button', { name: 'Use the standard text again…' }).click();
  const sure = page.getByRole('alertdialog', { name: 'Use the standard text again?' });
  await expectAccessible(page);
  await sure.getByRole('button', { name: 'Use the standard text' }).click();
  await expect(main(page).getByText('This mail uses the standard text.')).toBeVisible();
  const mail = await mailAfterTicket(page, 'Old text');
  await expect(mail.getByText(/We received “Old text”/).first()).toBeVisible();
  await expect(mail.getByText('Urgent?')).toHaveCount(0);
});

test('the text of a mail that protects a login waits for a second person', async ({ page, watch }) => {
  watch.expect(/status of (401|409)/);
  await arriveAs(page, 'stella', '/desk/mail-texts?mail=identity.choosePassword');
  const text = main(page).getByRole('textbox', { name: 'Text', exact: true });
  await text.fill(`${await text.inputValue()}\n\nCall us if in doubt.`);
  await main(page).getByRole('textbox', { name: 'Reason' }).fill('People asked');
  await main(page).getByRole('button', { name: 'Propose to a second person' }).click();
  await expect(page.getByText(/can approve it until|waits for/).first()).toBeVisible();
  await page.goto('/desk/mail-texts?mail=identity.choosePassword');
  await expect(main(page).getByText('This mail uses the standard text.')).toBeVisible();
  // What waits is on the page, with both texts.
  const waiting = main(page).getByRole('region', { name: /^Change the text of the mail/ });
  await expect(waiting.getByText('People asked')).toBeVisible();
  await expect(waiting.locator('ins')).toContainText('Call us if in doubt.');
  await expectAccessible(page);
  await waiting.getByRole('button', { name: 'Withdraw' }).click();
  await expect(waiting).toHaveCount(0);
});

test('a text with an address that was not there waits for a second person too', async ({ page, watch }) => {
  watch.expect(/status of (401|409)/);
  await arriveAs(page, 'stella', '/desk/mail-texts?mail=tickets.received');
  const text = main(page).getByRole('textbox', { name: 'Text', exact: true });
  await expect(main(page).getByRole('button', { name: 'Save' })).toBeVisible();
  await text.fill(`${await text.inputValue()}\n\nLog in at portal.example.`);
  await expect(main(page).getByRole('button', { name: 'Propose to a second person' })).toBeVisible();
});

test('an auditor reads the texts, and finds no form', async ({ page }) => {
  await arriveAs(page, 'audra', '/desk/mail-texts?mail=tickets.received');
  await expect(main(page).getByRole('heading', { name: 'Text in use' })).toBeVisible();
  await expect(main(page).getByText('The standard text', { exact: true })).toBeVisible();
  await expect(main(page).getByRole('textbox')).toHaveCount(0);
  await expect(main(page).getByRole('button', { name: 'Save' })).toHaveCount(0);
});
