import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

test('a maintainer is made with its person and given to a colleague, and an irt of it is named in a resource', async ({ page, watch }) => {
  // A wrong code is answered with its status.
  watch.expect(/status of 422 .*\/irt-validation/);
  test.slow();
  await arriveAs(page, 'corin', '/resources/maintainer');
  const mine = framed(page);
  const maintainer = (name: string) => mine.getByRole('region', { name });
  await expect(maintainer('MAINT-AU-EXAMPLE')).toContainText('Principal');
  await expectFit(page);

  await mine.getByRole('link', { name: 'New maintainer' }).click();
  await mine.getByText('A new person').click();
  await mine.getByLabel('Name', { exact: true }).fill('maint-au-night');
  await mine.getByLabel('Description').fill('Night desk');
  await mine.getByLabel('Notify of refused changes (upd-to)').fill('night@example-au.example');
  await mine.getByLabel('Person’s name').fill('Nora Nightingale');
  await mine.getByLabel('Postal address').fill('Level 3, 10 Example Street\nBrisbane');
  await mine.getByLabel('Country').fill('AU');
  await mine.getByLabel('Phone').fill('+61 7 5550 0177');
  await mine.getByLabel('Person’s e-mail').fill('nora@example-au.example');
  await expectAccessible(page);
  await mine.getByRole('button', { name: 'Create person and maintainer' }).click();
  await expect(maintainer('MAINT-AU-NIGHT')).toContainText('2 objects');

  await maintainer('MAINT-AU-NIGHT').getByRole('button', { name: 'Change users' }).click();
  await mine.getByRole('checkbox', { name: 'Tess Lindqvist' }).check();
  await expectAccessible(page);
  await mine.getByRole('button', { name: 'Save users' }).click();
  await expect(maintainer('MAINT-AU-NIGHT')).toContainText('corporate contacts, Tess Lindqvist');

  await mine.getByRole('button', { name: 'Link an existing maintainer' }).click();
  await mine.getByLabel('Maintainer', { exact: true }).fill('MAINT-SG-OTHER');
  await mine.getByRole('button', { name: 'Send code' }).click();
  await expect(mine.getByText('Sent to one address')).toBeVisible();
  await mine.getByLabel('Code', { exact: true }).fill('AAAAAAAAAA');
  await mine.getByRole('button', { name: 'Link maintainer' }).click();
  await expect(mine.getByRole('alert')).toContainText('This isn’t the code we sent.');
  await expectAccessible(page);

  await page.goto('/resources/add-irt');
  await mine.getByLabel('Name', { exact: true }).fill('irt-au-night');
  await mine.getByLabel('Abuse mailbox (abuse-mailbox)').fill('abuse-night@example-au.example');
  await mine.getByLabel('E-mail', { exact: true }).fill('night@example-au.example');
  await mine.getByLabel('Postal address').fill('Level 3, 10 Example Street');
  await mine.getByLabel('Administrative contact (admin-c)').fill('NN1-EX');
  await mine.getByLabel('Technical contact (tech-c)').fill('NOBODY1-EX');
  await mine.getByLabel('Apply to').selectOption('Resources I choose');
  await mine.getByRole('checkbox', { name: 'AS65538' }).check();
  await expectFit(page);
  await mine.getByRole('button', { name: 'Create IRT' }).click();
  await expect(mine.getByLabel('Technical contact (tech-c)')).toHaveAccessibleDescription(/^NOBODY1-EX is not a handle/);
  await mine.getByLabel('Technical contact (tech-c)').fill('ZZ99-EX');
  await mine.getByLabel('Technical contact (tech-c)').press('Enter');
  await expect(mine.getByRole('alert')).toContainText('ZZ99-EX');
  await expect(mine.getByLabel('Technical contact (tech-c)')).toHaveAccessibleDescription(/ZZ99-EX/);
  await mine.getByLabel('Technical contact (tech-c)').fill('NN1-EX');
  await mine.getByRole('button', { name: 'Create IRT' }).click();
  const irt = mine.getByRole('region', { name: 'IRT-AU-NIGHT' });
  await expect(irt).toContainText('aut-num 1');
  await expectAccessible(page);

  await irt.getByRole('link', { name: 'Set on resources' }).click();
  await expect(mine.getByRole('combobox', { name: 'IRT' })).toHaveValue('IRT-AU-NIGHT');
  await expectAccessible(page);
  await page.goto('/admin/irt-validation');
  await expect(mine.getByRole('heading', { level: 1 })).toHaveText('IRT validation');
  await expectFit(page);
  await page.goto('/irt-validation');
  await page.getByRole('textbox', { name: 'Mailbox' }).fill('abuse@example-au.example');
  await page.getByRole('textbox', { name: 'Code' }).fill('AAAAAAAAAA');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Validate the mailbox' }).click();
  await expect(page.getByRole('alert')).toContainText('This isn’t the');
  await expectAccessible(page);
});
