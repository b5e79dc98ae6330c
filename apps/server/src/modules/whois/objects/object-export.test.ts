import { whoisExport } from '@portal/contract/whois/export';
import { whois } from '@portal/contract/whois/whois';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

async function exported(query: { format: 'csv' | 'json'; class?: 'route'; q?: string }): Promise<{ fileName: string; text: string }> {
  const corin = await portal.as('corin');
  const { data } = await corin(whoisExport.exportObjects, { account, query });
  const { fileName, blob } = data as unknown as { fileName: string; blob: Blob };
  return { fileName, text: await blob.text() };
}

test('the exported list has all pages, with the filters of the screen', async () => {
  const corin = await portal.as('corin');
  const { data } = await corin(whois.listObjects, { account, query: { limit: 1 } });
  const all = JSON.parse((await exported({ format: 'json' })).text) as unknown[];
  expect(all).toHaveLength(data!.total);
  const { fileName, text } = await exported({ format: 'csv', class: 'route', q: 'hosting' });
  expect(fileName).toBe('EXAMPLE-AU-whois-objects.csv');
  const [head, row, rest] = text.split('\r\n');
  expect(head).toBe('class,key,name,maintainers,version,changedAt,kept');
  expect(row).toMatch(/^route,198\.18\.8\.0\/24AS65536,"Example Networks, hosting",MAINT-AU-EXAMPLE,1,\d{4}-.*,no$/);
  expect(rest).toBe('');
});

test('objects of others are never exported', async () => {
  expect((await exported({ format: 'csv' })).text).not.toContain('MAINT-SG-OTHER');
});
