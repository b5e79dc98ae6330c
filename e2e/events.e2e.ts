import { DAY_MS, utcDay } from '@portal/contract/days';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Publishing an event requires a second factor given minutes ago.
test.beforeAll(() => forget('stella'));

test('Olive registers for a webinar, cancels, and finds the conference she missed among past events', async ({ page }) => {
  await arriveAs(page, 'olive', '/events/upcoming-events?event=ROV-WEBINAR');
  const card = page.getByRole('region', { name: 'Route origin validation in one hour' });
  await expect(card.getByText('Registration open')).toBeVisible();
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Add to calendar' }).click();
  expect((await saved).suggestedFilename()).toBe('ROV-WEBINAR.ics');
  await expect(page).toHaveURL(/\/events\/upcoming-events/);
  await card.getByRole('button', { name: 'Register' }).click();
  await expect(card.getByText('Registered', { exact: true })).toBeVisible();
  await expect(card.getByText(/^You take part online for [A-Z]+-[A-Z]{2}\. Free of charge\.$/)).toBeVisible();
  await card.getByRole('button', { name: 'Cancel registration' }).click();
  await card.getByRole('button', { name: 'Cancel registration' }).click();
  await expect(card.getByText('Registration open')).toBeVisible();
  await page.goto('/events');
  await expect(page.getByRole('heading', { level: 1, name: 'Past events' })).toBeVisible();
  await expect(page.getByText('Registered, not attended')).toBeVisible();
  await expectAccessible(page);
});

test('staff publish a workshop with one place: the second person waits, and gets the place when the first cancels', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  await arriveAs(page, 'stella', '/desk/events?event=new');
  const form = page.getByRole('form', { name: 'New event' });
  const day = (days: number): string => utcDay(Date.now() + days * DAY_MS);
  await form.getByLabel('Short name').fill('RPKI-LAB');
  await form.getByLabel('Kind').selectOption('workshop');
  await form.getByLabel('Title').fill('RPKI in the laboratory');
  await form.getByLabel('How it’s held').selectOption('onsite');
  await form.getByLabel('Venue and city').fill('Room 4, Brisbane');
  await form.getByLabel('Starts').fill(`${day(30)}T09:00`);
  await form.getByLabel('Ends').fill(`${day(30)}T17:00`);
  await form.getByLabel('Registration opens').fill(`${day(-2)}T09:00`);
  await form.getByLabel('Registration closes').fill(`${day(20)}T09:00`);
  await form.getByLabel('Places on site').fill('1');
  await form.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);

  const address = '/events/upcoming-events?event=RPKI-LAB';
  const [olive, nadia] = await Promise.all([0, 1].map(async () => (await browser.newContext()).newPage()));
  await arriveAs(olive!, 'olive', address);
  const cardOf = (person: typeof page) => person.getByRole('region', { name: 'RPKI in the laboratory' });
  await expect(cardOf(olive!).getByText('1 of 1 places on site left')).toBeVisible();
  await cardOf(olive!).getByRole('button', { name: 'Register' }).click();
  // For the last used account, which other stories change.
  await expect(cardOf(olive!).getByText(/^You take part on site for [A-Z]+-[A-Z]{2}\. Free of charge\.$/)).toBeVisible();

  await arriveAs(nadia!, 'nadia', address);
  await expect(cardOf(nadia!).getByText('All 1 places on site are taken')).toBeVisible();
  await cardOf(nadia!).getByRole('button', { name: 'Join the waiting list' }).click();
  await expect(cardOf(nadia!).getByText('You’re number 1 on the waiting list.')).toBeVisible();
  await expectAccessible(nadia!);
  await expectDrawn(nadia!);

  await cardOf(olive!).getByRole('button', { name: 'Cancel registration' }).click();
  await cardOf(olive!).getByRole('button', { name: 'Cancel registration' }).click();
  await expect(cardOf(olive!).getByRole('button', { name: 'Join the waiting list' })).toBeVisible();
  await nadia!.reload();
  await expect(cardOf(nadia!).getByText('You take part on site.')).toBeVisible();
  await nadia!.goto('/notifications');
  await expect(nadia!.getByText(/RPKI in the laboratory/).first()).toBeVisible();
  await Promise.all([olive, nadia].map(person => person!.context().close()));
});
