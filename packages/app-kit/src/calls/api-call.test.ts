import { api } from '@portal/contract/api';
import { whoisCustomers as customers } from '@portal/contract/customers/customers';
import { expect, test } from 'vitest';
import { asApiCall } from './api-call.ts';

const nobody = {
  name: 'N',
  address: '',
  economy: 'AU',
  contactName: '',
  phone: '',
  email: '',
  remarks: '',
  visibility: 'private' as const,
};
const origin = 'https://portal.example.net';

test('a change is shown as the call that makes it, quoted for a shell, with a key by its name only', () => {
  const text = asApiCall(api.tasks.cancelTask, { account: 'EXAMPLE-AU', taskId: '12' }, origin);
  expect(text).toBe(
    `curl -X POST -H "Authorization: Bearer $KEY" \\\n  'https://portal.example.net/registry-api/v1/EXAMPLE-AU/tasks/12/cancel'`,
  );
  const customer = asApiCall(customers.saveCustomer, { account: 'EXAMPLE-AU', body: { ...nobody, name: "O'Neill" } }, origin)!;
  expect(customer).toContain(`"name": "O'\\''Neill"`);
  expect(customer.split('\n')[0]).toBe('curl -X PUT -H "Authorization: Bearer $KEY" \\');
});

test('passwords in whois objects are left out, and a long body is sent from a file', () => {
  const upload = (text: string) => asApiCall(customers.saveCustomer, { account: 'EXAMPLE-AU', body: { ...nobody, remarks: text } }, origin);
  expect(upload('person: A\npassword: hunter2\nsource: X')).not.toContain('hunter2');
  expect(upload('x'.repeat(5_000))).toContain('-d @body.json');
});

test('reads, uploads and calls for people only have no curl command', () => {
  expect(asApiCall(customers.listCustomers, { account: 'EXAMPLE-AU' }, origin)).toBeNull();
  expect(asApiCall(api.apiKeys.createApiKey, { account: 'EXAMPLE-AU', body: { label: 'ci', scopes: [], days: 1 } }, origin)).toBeNull();
  expect(asApiCall(customers.saveCustomer, { account: 'EXAMPLE-AU', body: new Blob(['x']) as never }, origin)).toBeNull();
});
