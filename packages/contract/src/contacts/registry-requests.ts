import { registryRequestLife, registryRequestStatuses } from './life.ts';
import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { contactTypes } from '../permissions.ts';
import { listOffset } from '../whole-numbers.ts';

export const registryRequestKinds = ['add', 'change-role', 'remove'] as const;
const ContactTypes = z.array(z.enum(contactTypes));

/** The registry approves who legally represents a member: adding, promoting to and removing a corporate contact; and who loses access to a closed account that needs a second person. */
export const RegistryRequest = z.object({
  requestId: z.string(),
  kind: z.enum(registryRequestKinds),
  status: z.enum(registryRequestStatuses),
  accountName: z.string(),
  orgName: z.string(),
  accountStatus: z.string(),
  contact: z.object({
    contactId: z.string(),
    name: z.string(),
    email: z.string(),
    position: z.string(),
    phone: z.string(),
    contactTypes: ContactTypes,
  }),
  /** Contact types after the change; the present ones for a removal. */
  contactTypes: ContactTypes,
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  /** Corporate contacts of the account besides this one. */
  otherCorporateContacts: z.int(),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
});
export type RegistryRequest = z.infer<typeof RegistryRequest>;

const note = (least: number) => z.string().check(z.trim(), z.minLength(least), z.maxLength(500));

export const registryRequests = group('contacts.registryRequests', {
  listRegistryRequests: endpoint({
    method: 'GET',
    path: '/api/staff/contact-requests',
    summary:
      'Corporate contacts to be added, changed or removed, over all accounts: those that wait oldest first, the others newest first.',
    access: staff('memberships'),
    query: z.object({
      status: z._default(z.enum(['pending', 'resolved']), 'pending'),
      q: z._default(z.string().check(z.maxLength(100)), ''),
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ rows: z.array(RegistryRequest), total: z.int() }),
  }),
  getRegistryRequest: endpoint({
    method: 'GET',
    path: '/api/staff/contact-requests/:requestId',
    summary: 'One change of corporate contacts.',
    access: staff('memberships'),
    answer: RegistryRequest,
    errors: ['NOT_FOUND'],
  }),
  approveRegistryRequest: endpoint({
    method: 'POST',
    path: '/api/staff/contact-requests/:requestId/approve',
    summary: 'Approve a change of corporate contacts; it takes effect immediately and invites a new contact.',
    moves: registryRequestLife.approve,
    access: staff('memberships'),
    effect: 'control',
    body: z.object({ note: z._default(note(0), '') }),
    answer: RegistryRequest,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST', 'LAST_CORPORATE_CONTACT', 'LAST_PAYER', 'ACCOUNT_CLOSED'],
    activity: 'Approved a change of corporate contacts',
  }),
  refuseRegistryRequest: endpoint({
    method: 'POST',
    path: '/api/staff/contact-requests/:requestId/refuse',
    summary: 'Reject a change of corporate contacts, with the reason.',
    moves: registryRequestLife.refuse,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ reason: note(1) }),
    answer: RegistryRequest,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'],
    activity: 'Rejected a change of corporate contacts',
  }),
});
