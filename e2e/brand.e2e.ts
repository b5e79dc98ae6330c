import type { Browser, Page } from '@playwright/test';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

test.describe.configure({ mode: 'serial', timeout: 150_000 });
test.beforeEach(() => ['stella', 'stan', 'audra', 'corin'].forEach(forget));

const main = (page: Page) => page.getByRole('main');
const tab = async (browser: Browser, page: Page): Promise<Page> =>
  (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
/** The accent of a page as it is drawn, by day. */
const accentOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`document.documentElement.dataset.theme = 'light';
    getComputedStyle(document.documentElement).getPropertyValue('--accent')`);
/** A PNG of 90 by 30 pixels. */
const logo =
  'iVBORw0KGgoAAAANSUhEUgAAAFoAAAAeCAMAAACbv/lKAAAABlBMVEULXK19uP/QdZogAAAAKklEQVR42mNgQAWMqICKsqNGjxo9avSo0SPB6NEQGDV61OhRo0eNpp4sACqMBUcF8RmtAAAAAElFTkSuQmCC';
/** The picture that a page draws in place of the mark, and how wide. */
const drawnMark = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { backgroundImage, width } = getComputedStyle(document.querySelector('.TopBar_mark, .brand svg'));
    return backgroundImage + ' ' + width;
  })()`);

test('Stella changes names and the accent colour, Stan confirms, and Corin sees them', async ({ page, browser, watch }) => {
  watch.expect(/status of (400|401|409)/);
  await arriveAs(page, 'stella', '/desk/brand');
  await expectDrawn(page);
  await expectAccessible(page);
  await main(page).getByRole('link', { name: 'Prepare a change' }).click();
  const form = page.getByRole('form', { name: 'Prepare a change of the brand' });
  await form.getByLabel('Portal name').fill('Island Portal');

  // What can't be is said when the field is left, before anything is sent.
  await form.getByLabel('Legal notice').fill('http://nic.example/legal');
  await form.getByLabel('Legal notice').blur();
  await expect(form.getByText('Legal notice: enter an address that begins with https://, or leave it empty')).toBeVisible();
  await form.getByLabel('Legal notice').fill('');
  // A colour that can't be read is refused, and the nearest one that can is offered.
  const accent = form.getByLabel('Accent in the light theme', { exact: false }).first();
  await accent.fill('#7db8ff');
  await accent.blur();
  await expect(form.getByText(/needs 4\.5:1\. The nearest colour that passes is #/).first()).toBeVisible();
  await expectAccessible(page);
  await form.getByRole('button', { name: /^Use #.* the nearest that passes$/ }).click();
  const chosen = await accent.inputValue();
  await form.getByLabel('Reason').fill('The board decided on a new name');
  await form.getByRole('button', { name: 'Preview it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Portal name and Accent in the light theme' })).toBeVisible();
  await expect(main(page).getByText('at Island Portal').first()).toBeVisible();
  await expectAccessible(page);

  // Her browser alone shows pages with it.
  await main(page).getByRole('button', { name: 'Start the preview' }).click();
  const shown = await page.context().newPage();
  await shown.goto('/account/reset');
  await expect(shown).toHaveTitle(/Island Portal/);
  expect(await accentOf(shown)).toContain(chosen);
  await shown.close();
  const stranger = await tab(browser, page);
  await stranger.goto('/account/reset');
  await expect(stranger).not.toHaveTitle(/Island Portal/);
  await main(page).getByRole('button', { name: 'End the preview' }).click();
  await main(page).getByRole('button', { name: 'Ask a second person to confirm' }).click();
  await expect(main(page).getByRole('button', { name: 'Take back the request' })).toBeVisible();
  const address = new URL(page.url());

  const second = await tab(browser, page);
  await arriveAs(second, 'stan', address.pathname + address.search);
  await expect(main(second).getByRole('button', { name: 'Confirm the change' })).toBeDisabled();
  await main(second).getByRole('checkbox', { name: 'I looked at the values and their preview' }).check();
  await main(second).getByRole('button', { name: 'Confirm the change' }).click();
  await expect(second.getByRole('heading', { name: 'Took effect' })).toBeVisible();
  await expectAccessible(second);

  await stranger.goto('/account/reset');
  await expect(stranger).toHaveTitle(/Island Portal/);
  await arriveAs(stranger, 'corin', '/');
  await expect(stranger).toHaveTitle(/Island Portal/);
  await expect(stranger.getByRole('banner').getByRole('link', { name: 'Island Portal' })).toBeVisible();
  expect(await accentOf(stranger)).toContain(chosen);
  await stranger.context().close();

  // An auditor reads it, and has no button.
  const auditor = await tab(browser, page);
  await arriveAs(auditor, 'audra', address.pathname + address.search);
  await expect(auditor.getByRole('heading', { name: 'Took effect' })).toBeVisible();
  await expect(main(auditor).getByRole('link', { name: 'Go back to this version' })).toHaveCount(0);
  await auditor.goto('/desk/brand?prepare=new');
  await expect(main(auditor).getByRole('heading', { level: 1, name: 'Brand' })).toBeVisible();
  await expect(auditor.getByRole('form', { name: 'Prepare a change of the brand' })).toHaveCount(0);
  await auditor.context().close();

  await second.getByRole('link', { name: 'Go back to this version' }).click();
  await expect(second.getByRole('form', { name: 'Prepare a change of the brand' })).toBeVisible();
  await second.context().close();
});

test('Stella uploads a logo, and her preview draws it at the top of pages', async ({ page, watch }) => {
  watch.expect(/status of 400/);
  await arriveAs(page, 'stella', '/desk/brand?prepare=new');
  const form = page.getByRole('form', { name: 'Prepare a change of the brand' });
  const field = form.getByLabel('Logo in the light theme');
  await field.setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(form.getByText(/^An SVG can contain programs/)).toBeVisible();
  await expectAccessible(page);
  await field.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(logo, 'base64') });
  await expect(form.getByText('PNG, 90 × 30 pixels')).toBeVisible();
  await form.getByLabel('Reason').fill('Our new logo');
  await form.getByRole('button', { name: 'Preview it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logo in the light theme' })).toBeVisible();
  await expect(main(page).getByText('PNG, 90 × 30 pixels')).toBeVisible();
  await expectAccessible(page);
  await main(page).getByRole('button', { name: 'Start the preview' }).click();
  for (const address of ['/account/reset', '/whois', '/']) {
    const shown = await page.context().newPage();
    await shown.goto(address);
    await expect.poll(() => drawnMark(shown), address).toMatch(/url\(".*\/brand\/[0-9a-f]{64}-300\.png"\) 66px/);
    await shown.close();
  }
  await main(page).getByRole('button', { name: 'End the preview' }).click();
  await main(page).getByRole('button', { name: 'Discard' }).click();
  await expect(main(page).getByRole('heading', { level: 1, name: 'Brand' })).toBeVisible();
});
