import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { contactTypes } from '../permissions.ts';
import { rowVersion } from '../whole-numbers.ts';
import { contactStatuses } from './contacts.ts';

/** A person with access to an account, and what counts of it once the account is closed. */
const PersonWithAccess = z.object({
  contactId: z.string(),
  version: rowVersion,
  fullName: z.string(),
  /** For holders of `contacts-details-view`, and of oneself; null for others. */
  email: z.nullable(z.string()),
  contactTypes: z.array(z.enum(contactTypes)),
  status: z.enum(contactStatuses),
  isMe: z.boolean(),
  /** Reads invoices, receipts and statements. */
  mayRead: z.boolean(),
  /** Pays, and asks for the reopening. */
  mayPay: z.boolean(),
  /** No one else can pay: the person stays. */
  isLastPayer: z.boolean(),
  /** When the removal was sent to the registry, until it decides; null otherwise. */
  removalAskedAt: z.nullable(z.iso.datetime()),
});
export type PersonWithAccess = z.infer<typeof PersonWithAccess>;

export const peopleWithAccess = group('contacts.peopleWithAccess', {
  listPeopleWithAccess: endpoint({
    method: 'GET',
    path: '/api/:account/people-with-access',
    summary: 'The people who have access to the account, also to a closed one: who reads its invoices, pays and asks for its reopening.',
    access: { ...contact, closed: true },
    answer: z.array(PersonWithAccess),
  }),
});
