import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

const contacts = '/member-account-settings/account-contacts';

// Changes of contacts require a second factor given within the last minutes.
test.beforeAll(() => forget('corin'));

test('a corporate contact lets a helper in until a day, moves the day, and looks at safety and review', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin', contacts);
  await page.getByRole('button', { name: 'Invite a helper' }).click();
  await expectDrawn(page);
  await expectAccessible(page);
  const day = (ahead: number): string => utcDay(Date.now() + ahead * DAY_MS);
  await page.getByLabel('Full name').fill('Helga Helper');
  await page.getByLabel('E-mail address').fill('helga@consult.example');
  await page.getByLabel('Last day (UTC)').fill(day(30));
  await page.getByRole('checkbox', { name: 'Update ROAs' }).check();
  await page.getByRole('button', { name: 'Invite the helper' }).click();
  await expect(page.getByText('Invitation sent to helga@consult.example.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Helga Helper' })).toBeVisible();
  await expect(page.getByText(/helper until/).first()).toBeVisible();

  await page.getByRole('button', { name: 'Until when' }).click();
  await page.getByLabel('Last day (UTC)').fill(day(10));
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(page.getByText(`until ${day(10)}, no longer`)).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('The invitation of Helga Helper was withdrawn.')).toBeVisible();

  for (const [name, heading] of [
    ['Security', 'Account security'],
    ['Review', 'Access review'],
  ] as const) {
    await page.goto(contacts);
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expectDrawn(page);
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Finish the review' }).click();
  await expect(page.getByText('Decide about this contact').first()).toBeVisible();
});
