import type { FrameLocator } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { arriveAs, framed } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

const desk = `person:  Una Dell
address: Level 3, 10 Example Street
country: AU
phone:   +61 7 5550 0142
e-mail:  upload@example-au.example
nic-hdl: AUTO-1
mnt-by:  MAINT-AU-EXAMPLE
source:  EXAMPLE
`;
const set = (name: string, contact: string): string => `as-set:  ${name}
descr:   Customers
members: AS64500
tech-c:  ${contact}
admin-c: ${contact}
mnt-by:  MAINT-AU-EXAMPLE
source:  EXAMPLE
`;

const expectedResults = (frame: FrameLocator) => frame.getByRole('list', { name: 'Expected result for each object' }).getByRole('listitem');
const text = (frame: FrameLocator) => frame.getByRole('textbox', { name: 'Text of the objects' });
const drop = (frame: FrameLocator, name: string, words: string): Promise<void> =>
  frame.getByLabel('Files with whois objects').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(words) });

test('a text with one wrong object is saved, the refused object comes back, is corrected and sent again; many objects become a task', async ({
  page,
}) => {
  test.slow();
  await arriveAs(page, 'corin', '/resources/whois-text-upload');
  const frame = framed(page);
  await expect(frame.getByRole('button', { name: 'Dry run' })).toHaveAccessibleDescription('Enter objects first');
  await drop(frame, 'noise.bin', 'person: \0');
  await expect(frame.getByRole('alert')).toContainText('noise.bin isn’t a text file');

  await drop(frame, 'objects.txt', [desk, set('AS64500:AS-UPLOADED', 'AUTO-1'), set('AS64500:AS-REFUSED', 'NB99-EX')].join('\n'));
  await expect(frame.getByText('objects.txt: 3 objects')).toBeVisible();
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await expect(expectedResults(frame)).toHaveCount(3);
  await expect(expectedResults(frame).filter({ hasText: 'AS-REFUSED' })).toContainText('Refused');
  await expectedResults(frame).filter({ hasText: 'AS-UPLOADED' }).getByRole('button').first().click();
  await expectDrawn(page);
  await expectAccessible(page);

  await frame.getByText('Save none').click();
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await expect(frame.getByText('Fix rejected objects, then try again')).toBeVisible();
  await frame.getByText('Save the others').click();
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await frame.getByRole('button', { name: 'Save 2 objects' }).click();
  const report = frame.getByRole('region', { name: 'Result' });
  await expect(report).toContainText('2 created, 1 failed');
  await expect(report.getByRole('listitem').filter({ hasText: 'AUTO-1' })).toContainText(/AUTO-1 → UD\d+-EX/);
  await expect(text(frame)).toHaveValue(/^# refused: [^\n]*NB99-EX[^\n]*\n[\s\S]*as-set: +AS64500:AS-REFUSED/);
  const saving = page.waitForEvent('download');
  await report.getByRole('button', { name: 'Download rejected objects with reasons' }).click();
  const file = readFileSync(await (await saving).path(), 'utf8');
  expect(file).toMatch(/^# refused: /);
  const handle = /UD\d+-EX/.exec(await report.innerText())![0];

  await drop(frame, 'refused-objects.txt', file.replaceAll('NB99-EX', handle));
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await expect(expectedResults(frame)).toContainText(['Create']);
  await frame.getByRole('button', { name: 'Save 1 object', exact: true }).click();
  await expect(report).toContainText('1 created');
  await expect(text(frame)).toHaveValue('');

  const many = Array.from({ length: 501 }, (_, index) => set(`AS64500:AS-BULK-${index + 1}`, index === 7 ? 'NB99-EX' : handle));
  await drop(frame, 'many.txt', many.join('\n'));
  await expect(frame.getByText('many.txt: 501 objects')).toBeVisible();
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await expect(frame.getByRole('link', { name: 'Show 1 rejected' })).toBeVisible({ timeout: 60_000 });
  await frame.getByRole('button', { name: 'Save 500 objects as a task' }).click();
  await expect(page).toHaveURL(/\/task\/MyRegistry\/Whois\/Bulk\/ModifyObjects\/1\/details\?id=\d+$/);
  await expect(frame.getByRole('heading', { name: 'Upload of 501 whois objects' })).toBeVisible();
  await expect(frame.getByRole('region', { name: 'Progress' })).toContainText('Partly completed', { timeout: 60_000 });
  await expect(frame.getByRole('region', { name: 'Problems' })).toContainText('NB99-EX');
  await frame.getByRole('button', { name: 'Show only these' }).click();
  await expect(frame.getByRole('list', { name: 'Objects of the task' }).getByRole('listitem')).toHaveCount(1);
  await expectDrawn(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await expectAccessible(page);
  const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(over, 'horizontal scroll at 390 px').toBe(0);

  await frame.getByRole('button', { name: 'Revert' }).click();
  await frame.getByRole('button', { name: 'Restore 500 objects' }).click();
  await expect(frame.getByRole('heading', { name: /^Undo of task/ })).toBeVisible();
  await expect(frame.getByRole('region', { name: 'Progress' })).toContainText('Completed', { timeout: 60_000 });
  await page.setViewportSize({ width: 1280, height: 900 });
  await frame.getByRole('link', { name: 'Tasks', exact: true }).click();
  await expect(frame.getByRole('row').filter({ hasText: 'Undo of task' })).toContainText('Completed');
  await expectDrawn(page);
  await expectAccessible(page);
});
