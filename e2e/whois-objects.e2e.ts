import type { FrameLocator } from '@playwright/test';
import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

const list = '/resources/whois-updates-js/all';
const heading = (frame: FrameLocator) => frame.getByRole('heading', { level: 1 });
const text = (frame: FrameLocator) => frame.getByRole('textbox', { name: 'Text of the object' });

/** Saves what the dry run showed; the receipt then says where it is visible. */
async function write(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await frame.getByRole('button', { name: 'Save object' }).click();
  const receipt = frame.getByRole('list', { name: 'Publication receipt' });
  for (const place of ['Journal', 'Whois', 'RDAP'])
    await expect(receipt.getByRole('listitem').filter({ hasText: place })).toContainText('published', { timeout: 15_000 });
}

test('a role is created, edited by two people concurrently, not deleted while it is referenced, and restored', async ({
  page,
  browser,
  watch,
}) => {
  test.slow();
  await arriveAs(page, 'corin', list);
  const mine = framed(page);
  await expect(
    mine.getByRole('row').filter({ hasText: '198.18.0.0 - 198.18.31.255' }).getByRole('img', { name: 'Managed by the registry' }),
  ).toBeVisible();
  await expectFit(page);

  await mine.getByRole('link', { name: 'New object' }).click();
  await expect(mine.getByText('Created by the registry when it delegates numbers').first()).toBeVisible();
  await mine.getByRole('link', { name: 'role', exact: true }).click();
  await expect(heading(mine)).toHaveText('New role');
  await expect(mine.getByRole('list', { name: 'Problems' }).getByRole('listitem')).toHaveCount(0);
  await mine.getByLabel('role', { exact: true }).fill('Night desk');
  await mine.getByLabel('address', { exact: true }).fill('Level 3, 10 Example Street');
  await mine.getByLabel('phone', { exact: true }).fill('+61 7 5550 0177');
  await mine.getByLabel('e-mail', { exact: true }).fill('night@example-au.example');
  await expect(text(mine)).toHaveValue(/^role: +Night desk\naddress: +Level 3, 10 Example Street\n/);
  await expect(mine.getByLabel('mnt-by', { exact: true })).toHaveValue('MAINT-AU-EXAMPLE');
  await mine.getByLabel('mnt-by', { exact: true }).click();
  await expect(mine.getByRole('listbox', { name: 'mnt-by' })).toBeVisible();
  await expectAccessible(page);
  await mine.getByRole('combobox', { name: 'mnt-by' }).press('Escape');
  await page.reload();
  await expect(mine.getByText(/You had not saved this/)).toBeVisible();
  await expectFit(page);
  await write(mine);
  await expect(heading(mine)).toHaveText(/^role ND\d+-EX$/);
  const handle = (await heading(mine).innerText()).replace('role ', '');
  const address = `${list}?class=role&key=${handle}`;

  // Tess changes the telephone while Corin changes another line and the same one.
  const other = await browser.newContext();
  const tess = await other.newPage();
  await arriveAs(tess, 'tess', address);
  const theirs = framed(tess);
  await expect(heading(theirs)).toHaveText(`role ${handle}`);
  await expect(theirs.getByText('Corin Achterberg is also editing this object')).toBeVisible();
  await mine.getByLabel('address', { exact: true }).fill('Level 4, 10 Example Street');
  await mine.getByLabel('phone', { exact: true }).fill('+61 7 5550 0178');
  await theirs.getByLabel('phone', { exact: true }).fill('+61 7 5550 0199');
  await write(theirs);
  await other.close();
  await mine.getByRole('button', { name: 'Dry run' }).click();
  const merge = mine.getByRole('region', { name: 'Someone else changed this object' });
  await expect(merge).toContainText('Now at version 2');
  await expect(mine.getByRole('button', { name: 'Merge' })).toHaveAccessibleDescription('Resolve one line first');
  await expectFit(page);
  await merge.getByRole('radio', { name: /^Theirs/ }).check();
  await merge.getByRole('button', { name: 'Merge' }).click();
  await expect(text(mine)).toHaveValue(/Level 4, 10 Example Street[^]*\+61 7 5550 0199/);
  await write(mine);

  await mine.getByRole('link', { name: 'History' }).click();
  await mine.getByRole('button', { name: /^Version 1 Created/ }).click();
  await expect(page).toHaveURL(/version=1/);
  await expectAccessible(page);
  await mine.getByRole('button', { name: 'Restore as a new version' }).click();
  await expect(text(mine)).toHaveValue(/Level 3, 10 Example Street[^]*\+61 7 5550 0177/);
  await write(mine);
  await expect(mine.getByText('Version 4').first()).toBeVisible();

  await page.goto(`${list}?class=irt&key=IRT-AU-EXAMPLE`);
  await mine.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = mine.getByRole('alertdialog', { name: 'Delete irt IRT-AU-EXAMPLE?' });
  await expect(question.getByRole('list', { name: 'Objects referring to it' })).toContainText('mnt-irt');
  await expect(question.getByRole('button', { name: 'Delete object' })).toHaveAccessibleDescription(/refer to it$/);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();

  // A deletion asks for confirmation.
  watch.expect(/status of 404 .*\/whois\/object\?/);
  await page.goto(address);
  await mine.getByRole('button', { name: 'Delete', exact: true }).click();
  await mine.getByLabel('Reason').fill('The night desk is closed');
  await mine.getByRole('button', { name: 'Delete object' }).click();
  await expect(mine.getByRole('list', { name: 'Versions, newest first' })).toContainText('The night desk is closed');
  await expect(mine.getByRole('listitem').filter({ hasText: 'Whois' }).last()).toContainText('Removed');
});
