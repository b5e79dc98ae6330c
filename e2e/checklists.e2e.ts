import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';

const letter = { name: 'letter-of-authority.txt', mimeType: 'text/plain', buffer: Buffer.from('AS64500 may announce 198.18.0.0/19.\n') };
const forged = { ...letter, name: 'forged.txt', buffer: Buffer.from('AS64666 may announce 198.18.0.0/19.\n') };

test('Corin signs a checklist, and its reader verifies it without signing in', async ({ page, context, browser }) => {
  test.slow();
  await arriveAs(page, 'corin', '/resources/rpki/rscs?new=yes');
  const frame = framed(page);
  await frame.getByRole('checkbox', { name: '198.18.0.0/19' }).check();
  await frame.getByLabel('Files', { exact: true }).setInputFiles(letter);
  await frame.getByRole('button', { name: 'Sign checklist' }).click();
  const row = frame.getByRole('row', { name: /letter-of-authority\.txt.*Valid/ });
  await expect(row).toBeVisible({ timeout: 30_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: 'Download' }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const signed = { name: download.suggestedFilename(), mimeType: 'application/rpki-checklist', buffer: Buffer.concat(chunks) };
  expect(signed.name).toMatch(/\.sig$/);
  const address = await frame.getByRole('link', { name: /\/checklists$/ }).getAttribute('href');

  const stranger = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const reader = await stranger.newPage();
  await reader.goto(address!);
  const verdict = reader.getByRole('status');
  const files = reader.getByLabel('The .sig file and the files it is about');
  await files.setInputFiles([signed, letter]);
  await expect(verdict).toContainText('Valid: the holder of 198.18.0.0/19 signed this file.');
  await expect(verdict).toContainText('Your file is this one');
  await expectFit(reader);
  await expectAccessible(reader);
  await files.setInputFiles(forged);
  await expect(verdict).toContainText('it was not signed for forged.txt');
  await reader.getByRole('button', { name: 'Start over' }).click();
  await files.setInputFiles([signed, { ...signed, name: 'older.sig' }, letter]);
  await expect(verdict).toHaveText(`Choose one .sig file at a time. You chose ${signed.name}, older.sig.`);
  await files.setInputFiles(signed);
  await expect(verdict).toContainText('Valid: the holder of 198.18.0.0/19 signed this file.');
  await reader.getByRole('button', { name: 'Start over' }).click();
  await files.setInputFiles({ ...signed, buffer: Buffer.from('no checklist') });
  await expect(verdict).toContainText('Not valid.');
  await stranger.close();
  expect(context.pages()).toHaveLength(1);
});
