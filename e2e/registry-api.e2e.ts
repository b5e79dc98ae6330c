import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { arriveAs, framed } from './people.ts';
import { expect, test } from './portal-test.ts';

test('a contact creates a key, uses it, sees its use, receives a signed event, and revokes the key', async ({ page, baseURL }) => {
  const received: { headers: http.IncomingHttpHeaders; body: string }[] = [];
  const receiver = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end('noted');
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;

  await arriveAs(page, 'corin', '/resources/registry-api/webhook-create');
  const frame = framed(page);
  await frame.getByLabel('Label').fill('story-receiver');
  await frame.getByLabel('Address').fill(`http://127.0.0.1:${port}/registry`);
  await frame.getByRole('button', { name: 'Create webhook' }).click();
  const secret = (await frame.getByText(/^whsec_/).textContent())!;
  await frame.getByRole('link', { name: 'Send a test event' }).click();
  await frame.getByRole('button', { name: 'Send test event' }).click();
  const event = (type: string) => received.find(({ body }) => (JSON.parse(body) as { type: string }).type === type);
  await expect.poll(() => event('webhook.test'), { timeout: 15_000 }).toBeDefined();
  await expect(frame.getByRole('row', { name: /webhook\.test/ })).toContainText('Delivered', { timeout: 15_000 });

  await page.goto('/resources/registry-api/api-key-create');
  await frame.getByLabel('Label').fill('story-key');
  await frame.getByRole('checkbox', { name: /^Number resources/ }).check();
  await frame.getByRole('button', { name: 'Create key' }).click();
  const key = (await frame.getByText(/^mr_live_\w{46}$/).textContent())!;
  const ask = () => fetch(`${baseURL}/registry-api/v1/EXAMPLE-AU/resources/summary`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);

  await expect.poll(() => event('apiKeys.createApiKey'), { timeout: 15_000 }).toBeDefined();
  const { headers, body } = event('apiKeys.createApiKey')!;
  expect(JSON.parse(body)).toMatchObject({ type: 'apiKeys.createApiKey', data: { account: 'EXAMPLE-AU' } });
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);

  await frame.getByRole('link', { name: 'View API keys' }).click();
  const row = frame.getByRole('row', { name: /story-key/ });
  // The list is there before it is loaded anew.
  await expect(row).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('1 calls in 14 days', { timeout: 3_000 });
  }).toPass({ timeout: 20_000 });
  await row.click();
  await frame.getByRole('complementary', { name: 'story-key' }).getByRole('button', { name: 'Revoke' }).click();
  await frame.getByRole('button', { name: 'Revoke key' }).click();
  await expect(row).toContainText('Revoked');
  expect((await ask()).status).toBe(401);
  receiver.close();
});

test('a key made in the portal lets a pipeline compare a file with the registry and apply it, and the portal shows the change', async ({
  page,
  baseURL,
}) => {
  await arriveAs(page, 'corin', '/resources/registry-api/api-key-create');
  const frame = framed(page);
  await frame.getByLabel('Label').fill('story-as-code');
  for (const scope of [/whois:read$/, /whois:write$/]) await frame.getByRole('checkbox', { name: scope }).check();
  await frame.getByRole('button', { name: 'Create key' }).click();
  const key = (await frame.getByText(/^mr_live_\w{46}$/).textContent())!;

  const home = await mkdtemp(path.join(os.tmpdir(), 'as-code-'));
  const file = path.join(home, 'registry.yaml');
  const main = path.join(import.meta.dirname, '../apps/registry-command/src/main.ts');
  const registry = (...words: string[]) =>
    new Promise<{ code: number; output: string; errors: string }>(resolve => {
      const env = { HOME: home, PATH: process.env['PATH'], REGISTRY_URL: baseURL, REGISTRY_API_KEY: key, REGISTRY_ACCOUNT: 'EXAMPLE-AU' };
      const child = execFile(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', main, ...words],
        { env },
        (error, output, errors) => resolve({ code: error ? Number(error.code) : 0, output, errors }),
      );
      child.stdin!.end();
    });

  const got = await registry('get', 'contacts');
  expect(got).toMatchObject({ code: 0, errors: '' });
  await writeFile(file, got.output);
  expect(await registry('diff', '-f', file)).toMatchObject({ code: 0 });
  // JSON is YAML too.
  const content = JSON.parse((await registry('get', 'contacts', '--json')).output) as {
    contacts: { class: string; handle: string; remarks?: string[] }[];
  };
  const role = content.contacts.find(contact => contact.class === 'role')!;
  role.remarks = ['declared in a repository'];
  await writeFile(file, JSON.stringify(content));
  const differs = await registry('diff', '-f', file);
  expect(differs).toMatchObject({ code: 2, errors: '' });
  expect(differs.output).toContain('+ remarks: declared in a repository');
  expect(await registry('apply', '-f', file, '--yes')).toMatchObject({ code: 0, errors: '' });
  expect(await registry('apply', '-f', file, '--yes')).toMatchObject({ code: 0, output: 'The registry is as declared.\n' });

  await page.goto(`/resources/whois-updates-js/all?class=role&key=${role.handle}`);
  await expect(frame.getByRole('textbox', { name: /^remarks/ })).toHaveValue('declared in a repository');
  await rm(home, { recursive: true, force: true });
});
