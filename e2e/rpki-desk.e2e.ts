import { arriveAs } from './people.ts';
import { expect, expectAccessible, expectDrawn, expectFit, test } from './portal-test.ts';

test('registry staff see the trust anchor, the publication and members whose authority needs attention', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'stella', '/desk/requests');
  await page.getByRole('link', { name: 'RPKI', exact: true }).click();
  await expect(page).toHaveURL('/desk/rpki');
  const publication = page.getByRole('region', { name: 'Publication' });
  // The page follows the publisher, which begins with the program.
  await expect(publication.getByText('Running')).toBeVisible({ timeout: 60_000 });
  await expect(publication).toContainText(/\d+ manifests/);
  await expect(page.getByRole('region', { name: 'Trust anchor' })).toContainText(/[0-9a-f]{40}/);
  await expect(page.getByRole('region', { name: 'Registry’s certificate authority' })).toContainText('0.0.0.0/0');
  const row = page.getByRole('row').filter({ hasText: 'NATREG-XX' });
  await expect(row).toContainText('Never asked for a certificate');
  await expectDrawn(page);
  await expectFit(page);
  await expectAccessible(page);

  const locator = await page.getByRole('link', { name: 'Locator (TAL)' }).getAttribute('href');
  expect(await (await page.request.get(locator!)).text()).toContain('rsync://');
  await row.getByRole('link', { name: 'NATREG-XX' }).click();
  await expect(page).toHaveURL('/desk/accounts/NATREG-XX');
});
