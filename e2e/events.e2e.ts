import { arriveAs } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

test('Olive registers for a webinar, cancels, and finds the conference she missed among past events', async ({ page }) => {
  await arriveAs(page, 'olive', '/events/upcoming-events?event=ROV-WEBINAR');
  const card = page.getByRole('region', { name: 'Route origin validation in one hour' });
  await expect(card.getByText('Registration open')).toBeVisible();
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Register' }).click();
  await expect(card.getByText('Registered', { exact: true })).toBeVisible();
  await expect(card.getByText('You take part online for OTHER-SG. Free of charge.')).toBeVisible();
  await card.getByRole('button', { name: 'Cancel registration' }).click();
  await card.getByRole('button', { name: 'Cancel registration' }).click();
  await expect(card.getByText('Registration open')).toBeVisible();
  await page.goto('/events');
  await expect(page.getByRole('heading', { level: 1, name: 'Past events' })).toBeVisible();
  await expect(page.getByText('Registered, not attended')).toBeVisible();
  await expectAccessible(page);
});
