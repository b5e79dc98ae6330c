import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Publishing an announcement requires a second factor given minutes ago.
test.beforeAll(() => forget('stella'));

test('staff see how many people maintenance affects, publish it, and only those read and acknowledge it', async ({ page, browser }) => {
  test.setTimeout(180_000);
  const title = 'Zones in Singapore are signed anew';
  await arriveAs(page, 'stella', '/desk/announcements?announcement=new');
  const form = page.getByRole('form', { name: 'New announcement' });
  await form.getByLabel('Category').selectOption('maintenance');
  await form.getByLabel('Severity').selectOption('warning');
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Text').fill('Changes of reverse delegations wait for an hour.');
  await form.getByLabel('For', { exact: true }).selectOption('resources');
  await form.getByLabel('Economies').fill('Singapore');
  await form.getByLabel('Kind of resources').selectOption('ipv4');
  await form.getByRole('checkbox', { name: 'People must acknowledge it' }).check();
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(form.getByText('Enter two-letter economy codes, such as AU, NZ').first()).toBeVisible();
  await form.getByLabel('Economies').fill('sg');
  await form.getByRole('button', { name: 'Save draft' }).click();
  const reach = page.getByRole('region', { name: 'Reach' });
  await expect(reach.getByText(/OTHER-SG/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Change or publish' }).click();
  const change = page.getByRole('form', { name: `Change “${title}”` });
  await change.getByLabel('Publish', { exact: true }).selectOption('now');
  await change.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();

  const olive = await (await browser.newContext()).newPage();
  await arriveAs(olive, 'olive', '/');
  await expect(olive.getByText(`${title}.`)).toBeVisible();
  await expect(olive.getByText('It affects OTHER-SG.')).toBeVisible();
  await expectDrawn(olive);
  await olive.getByRole('button', { name: `Acknowledge: ${title}` }).click();
  await expect(olive.getByText(`${title}.`)).toHaveCount(0);
  await olive.goto('/announcements');
  await expect(olive.getByText(title).first()).toBeVisible();
  // Feed readers get it at an address of her own, until she deletes it.
  await olive.getByRole('button', { name: 'Make an address' }).click();
  const addresses = olive.getByRole('list', { name: 'Addresses of your private feed' });
  const address = (await addresses.locator('code').last().textContent())!;
  expect(await (await olive.request.get(address)).text()).toContain(title);
  await expectAccessible(olive);
  await olive.getByRole('button', { name: 'Delete the address' }).click();
  await expect(addresses).toHaveCount(0);
  expect((await olive.request.get(address)).status()).toBe(404);
  await olive.context().close();

  const nadia = await (await browser.newContext()).newPage();
  await arriveAs(nadia, 'nadia', '/announcements');
  await expect(nadia.getByText('Abuse mailboxes are validated twice a year').first()).toBeVisible();
  await expect(nadia.getByText(title)).toHaveCount(0);
  await nadia.context().close();
  await page.reload();
  await expect(reach.getByText('Acknowledged by')).toBeVisible();
});

test('staff announce an incident of a service, write what they find, and the status page and the portal follow until it is over', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const title = 'Statistics files are a day old';
  await arriveAs(page, 'stella', '/desk/announcements?announcement=new');
  const form = page.getByRole('form', { name: 'New announcement' });
  await form.getByLabel('Severity').selectOption('warning');
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Text').fill('The delegated files of today are missing.');
  await form.getByRole('group', { name: 'Affected services' }).getByRole('checkbox', { name: 'Statistics' }).check();
  await form.getByLabel('Publish', { exact: true }).selectOption('now');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();
  const updates = page.getByRole('region', { name: 'Updates' });
  const update = async (stage: string, text: string) => {
    await updates.getByRole('button', { name: 'Write an update' }).click();
    await updates.getByLabel('State').selectOption(stage);
    await updates.getByLabel('Text').fill(text);
    await updates.getByRole('button', { name: 'Publish the update' }).click();
    await expect(updates.getByText(text)).toBeVisible();
  };
  await update('Cause found', 'A disk was full.');

  const visitor = await (await browser.newContext()).newPage();
  const row = visitor.getByRole('row', { name: /^Statistics/ }).first();
  await expect(async () => {
    await visitor.goto('/status');
    await expect(row.getByRole('link', { name: title })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(row).toContainText('Delayed');
  await row.getByRole('link', { name: title }).click();
  await expect(visitor.getByText('A disk was full.')).toBeInViewport();
  await expectAccessible(visitor);

  await arriveAs(visitor, 'nadia', '/announcements');
  const sheet = visitor.getByRole('region', { name: title });
  await expect(sheet.getByText('A disk was full.')).toBeVisible();
  await expect(sheet).toContainText('Affected servicesStatistics');
  await expectAccessible(visitor);
  await update('Over', 'The files are complete.');
  await expect(page.getByText('Ended', { exact: true }).first()).toBeVisible();
  await visitor.reload();
  await expect(sheet).toHaveCount(0);
  await expect(async () => {
    await visitor.goto('/status');
    await expect(visitor.getByText('The files are complete.')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(row.getByRole('link', { name: title })).toHaveCount(0);
  await visitor.context().close();
});
