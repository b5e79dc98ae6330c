import { defaultPermissions } from '@portal/contract';
import type { AccessRequest } from '@portal/contract/contacts/access-requests';
import { expect, it, test } from 'vitest';
import { narrowedWords, outcomeWords, requestWords } from './request-words.ts';
import { approvalOf, approvalProblem, goesToRegistry, granted, resolutionForm } from './resolution.ts';

const tess = { contactId: '1', name: 'Tess Lindqvist', email: 'tess@example-au.example', contactTypes: ['technical' as const] };
const request = (given: Partial<AccessRequest>): AccessRequest => ({
  requestId: '7',
  kind: 'permission',
  status: 'pending',
  outcome: null,
  requester: { name: tess.name, email: tess.email, emailVerified: true, contactTypes: tess.contactTypes },
  subject: null,
  person: null,
  contactTypes: [],
  permissions: [],
  reason: '',
  requestedAt: '2026-11-21T00:00:00Z',
  expiresAt: '2026-12-21T00:00:00Z',
  isMine: false,
  resolvedBy: null,
  resolvedAt: null,
  note: null,
  grantedContactTypes: null,
  grantedPermissions: null,
  ...given,
});
const billing = request({ subject: tess, permissions: ['member-billing-view', 'member-billing-update'] });
const link = request({ kind: 'link' });
const ravi = request({
  kind: 'add-contact',
  person: { fullName: 'Ravi Menon', email: 'ravi@example.net' },
  contactTypes: ['billing', 'technical'],
});
const anything = () => null;

test.each([
  [billing, 'Tess Lindqvist asks for “View billing” and “Update billing details and pay”'],
  [request({ permissions: defaultPermissions(['billing']).slice(0, 3) }), 'Tess Lindqvist asks for 3 permissions'],
  [link, 'Tess Lindqvist asks to become a contact of EXAMPLE-AU'],
  [ravi, 'Tess Lindqvist asks to add Ravi Menon as billing and technical contact'],
  [request({ kind: 'remove-contact', subject: { ...tess, name: 'Bill' } }), 'Tess Lindqvist asks to remove Bill'],
  [request({ kind: 'change-role', subject: tess, contactTypes: ['billing'] }), 'Tess Lindqvist asks to make themselves billing contact'],
] as const)('a request in words: %#', (given, words) => {
  expect(requestWords(given, 'EXAMPLE-AU')).toBe(words);
});

it('approving in full sends no permissions; a reduced approval sends them', () => {
  expect(approvalOf(billing, resolutionForm(billing), anything)).toEqual({ requestId: '7', decision: 'approved', note: '' });
  const narrowed = { ...resolutionForm(billing), left: ['member-billing-update' as const] };
  expect(approvalOf(billing, narrowed, anything)).toMatchObject({ permissions: ['member-billing-view'] });
  expect(approvalProblem(billing, { ...narrowed, left: billing.permissions }, anything).permissions).toMatch(/Choose at least one/);
});

it('a person who asks to be linked gets the approver’s choice, without what the approver cannot grant', () => {
  expect(approvalProblem(link, resolutionForm(link), anything)).toEqual({ contactTypes: 'Choose at least one contact type' });
  const technical = { ...resolutionForm(link), contactTypes: ['technical' as const] };
  const whyNot = (key: string) => (key === 'roas-update' ? 'you don’t have it yourself' : null);
  expect(granted(link, technical, whyNot)).toEqual(defaultPermissions(['technical']).filter(key => key !== 'roas-update'));
  expect(approvalOf(link, technical, whyNot)).toMatchObject({
    contactTypes: ['technical'],
    permissions: expect.not.arrayContaining(['roas-update']),
  });
});

it('fewer contact types than requested start with their default permissions', () => {
  const form = { ...resolutionForm(ravi), contactTypes: ['technical' as const] };
  expect(approvalOf(ravi, form, anything)).toEqual({ requestId: '7', decision: 'approved', contactTypes: ['technical'], note: '' });
});

it('corporate contacts go to the registry', () => {
  expect(goesToRegistry(link, { contactTypes: ['corporate'] })).toBe(true);
  expect(goesToRegistry(request({ kind: 'remove-contact', subject: { ...tess, contactTypes: ['corporate'] } }), { contactTypes: [] })).toBe(
    true,
  );
  expect(goesToRegistry(request({ kind: 'remove-contact', subject: tess }), { contactTypes: [] })).toBe(false);
  expect(goesToRegistry(billing, resolutionForm(billing))).toBe(false);
});

it('the description of an ended request includes what it was reduced to', () => {
  expect(outcomeWords(request({ status: 'other', outcome: 'expired' }))).toBe('expired');
  expect(outcomeWords(billing)).toBeNull();
  const less = request({ ...billing, status: 'approved', grantedContactTypes: [], grantedPermissions: ['member-billing-view'] });
  expect(narrowedWords(less)).toBe('without Update billing details and pay');
  expect(narrowedWords({ ...less, grantedPermissions: billing.permissions })).toBeNull();
});
