import { emptyForm } from '@portal/contract/requests/request-form';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { expect, it } from 'vitest';
import { approveLabel, consequenceOf, whyNotApproved } from './use-resource-acts.ts';

const request = (more: Partial<StaffResourceRequest>): StaffResourceRequest =>
  ({
    kind: 'ipv4',
    accountName: 'EXAMPLE-AU',
    form: emptyForm,
    checks: [],
    proposal: null,
    questions: [],
    proposed: null,
    recipientName: null,
    recovery: null,
    plan: null,
    ...more,
  }) as StaffResourceRequest;
const form = { ...emptyForm, resources: ['192.0.2.0/24'] };
const proposed = { resource: '198.51.100.0/24', why: 'Best fit', held: false };

it.each([
  ['a request for the block that was proposed', request({ proposed }), '', /^198\.51\.100\.0\/24 is delegated to EXAMPLE-AU/],
  ['a request for another block', request({ proposed }), '203.0.113.0/24', /^203\.0\.113\.0\/24 is delegated/],
  ['a return', request({ kind: 'return', form }), '', /^192\.0\.2\.0\/24 leaves EXAMPLE-AU/],
  ['a pre-approval', request({ kind: 'pre-approval', form: { ...emptyForm, blocks: 4 } }), '', /may receive 4 × \/24/],
  [
    'a transfer to another registry',
    request({ kind: 'transfer', form: { ...form, otherRegistry: 'ARIN' } }),
    '',
    /the approval of ARIN .* leave this registry/,
  ],
  [
    'a transfer from another registry',
    request({ kind: 'transfer', form: { ...form, otherRegistry: 'ARIN', incoming: true } }),
    '',
    /is delegated to EXAMPLE-AU, after the fee/,
  ],
  ['a transfer without a fee', request({ kind: 'transfer', form }), '', /^The resources move immediately/],
])('before %s is approved, staff read what that does', (_kind, given, block, words) => {
  expect(consequenceOf(given, block)).toMatch(words);
});

it('a request with a check that is not met or has no answer, or without a free block, can’t be approved', () => {
  const check = { checkId: 'open', fact: 'Account', known: 'The account is suspended', source: 'Membership', policy: '1.2' };
  expect(whyNotApproved(request({ checks: [{ ...check, state: 'unmet' }], proposed }), '')).toBe('Account: The account is suspended');
  expect(whyNotApproved(request({ checks: [{ ...check, state: 'review' }], proposed }), '')).toBeNull();
  expect(whyNotApproved(request({}), '')).toBe('No block of this size is free');
  expect(whyNotApproved(request({}), '198.51.100.0/24')).toBeNull();
  expect(whyNotApproved(request({ kind: 'return', form }), '')).toBeNull();
  expect(whyNotApproved(request({ kind: 'return', form, notBefore: '2026-12-01' }), '')).toBe('It can be carried out from 1 Dec 2026 on');
});

it('the button that approves names its effect', () => {
  expect(approveLabel(request({ proposed }), '')).toBe('Approve 198.51.100.0/24 for EXAMPLE-AU');
  expect(approveLabel(request({ proposed }), '203.0.113.0/24')).toBe('Approve 203.0.113.0/24 for EXAMPLE-AU');
  expect(approveLabel(request({}), '')).toBe('Approve for EXAMPLE-AU');
  expect(approveLabel(request({ kind: 'transfer', form, recipientName: 'OTHER-SG' }), '')).toBe(
    'Approve the transfer of 192.0.2.0/24 to OTHER-SG',
  );
  expect(approveLabel(request({ kind: 'transfer', form: { ...form, otherRegistry: 'ARIN' } }), '')).toBe(
    'Approve the transfer of 192.0.2.0/24 to ARIN',
  );
  expect(approveLabel(request({ kind: 'acquisition', form, recipientName: 'OTHER-SG' }), '')).toBe(
    'Approve the merger of EXAMPLE-AU into OTHER-SG',
  );
  expect(approveLabel(request({ kind: 'pre-approval', form: { ...emptyForm, blocks: 4 } }), '')).toBe(
    'Approve up to 4 × /24 for EXAMPLE-AU',
  );
  expect(approveLabel(request({ kind: 'return', form, recovery: { ground: 'unpaid' } as never }), '')).toBe(
    'Approve the recovery of 192.0.2.0/24',
  );
});
