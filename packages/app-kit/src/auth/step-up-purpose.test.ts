import { expect, it } from 'vitest';
import { purposeOf } from './step-up-purpose.ts';

it('a change names its endpoint, and the person or thing it is done to', () => {
  const input = { account: 'EXAMPLE-AU', body: { fullName: 'Xenia Newman', email: 'xenia@example.net' } };
  expect(purposeOf('contacts.inviteContact', input)).toEqual({ purpose: 'contacts.inviteContact', purpose_object: 'Xenia Newman' });
  expect(purposeOf('billing.extendInvoice', { invoiceNumber: 'INV-2026-000007', body: { day: '2027-01-01' } })).toEqual({
    purpose: 'billing.extendInvoice',
    purpose_object: 'INV-2026-000007',
  });
});

it('a change of something without a short name names its endpoint alone', () => {
  expect(purposeOf('whois.submitUpdates', { account: 'EXAMPLE-AU', body: { text: 'role: NOC', name: ' '.repeat(3) } })).toEqual({
    purpose: 'whois.submitUpdates',
  });
  expect(purposeOf('documents.addDocument', { body: { title: 'x'.repeat(81) } })).toEqual({ purpose: 'documents.addDocument' });
  expect(purposeOf('documents.upload', { body: null })).toEqual({ purpose: 'documents.upload' });
});

it('a second factor that no call asked for has no purpose', () => {
  expect(purposeOf('', null)).toBeNull();
});
