import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test('a member finds a prefix, assigns free space out of it and sees it in whois, then what was there before', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'tess', '/resources/prefix?prefix=198.18.24.0/24');
  const frame = framed(page);
  await expect(frame.getByRole('list', { name: 'Part of' })).toContainText('198.18.0.0/19');
  await expectDrawn(page);
  await expectAccessible(page);

  await frame.getByRole('button', { name: 'Follow 198.18.24.0/24' }).click();
  await expect(frame.getByRole('button', { name: 'Stop following 198.18.24.0/24' })).toBeVisible();

  await frame.getByRole('link', { name: 'Assign' }).click();
  await frame.getByRole('button', { name: '198.18.24.64/26' }).click();
  await frame.getByRole('textbox', { name: 'Netname' }).fill('CUST-STORY');
  await frame.getByText('Public, in whois').click();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Review' }).click();
  await expectAccessible(page);
  await frame.getByRole('button', { name: 'Register 198.18.24.64/26' }).click();
  await frame.getByRole('link', { name: 'Show 198.18.24.64/26' }).click();
  await expect(frame.getByRole('list', { name: 'Exactly these numbers' })).toContainText('198.18.24.64 - 198.18.24.127');

  await frame.getByLabel('As of').fill('2021-06-01');
  await frame.getByLabel('As of').press('Enter');
  await expect(frame.getByText('No whois object covers it on that day')).toBeVisible();
  await frame.getByRole('button', { name: 'Show today' }).click();
  await expect(frame.getByRole('list', { name: 'Exactly these numbers' })).toBeVisible();
});
