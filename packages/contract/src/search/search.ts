import * as z from 'zod/mini';
import { contact, endpoint, group, staff } from '../endpoint.ts';
import { searchPermissions } from '../staff-permissions.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';

/** Kinds of search results, in the order in which sections are shown. */
export const searchSections = {
  accounts: 'Accounts',
  resources: 'Prefixes and AS numbers',
  whois: 'Whois objects',
  people: 'People',
  requests: 'Requests',
  invoices: 'Invoices',
  documents: 'Documents',
  customers: 'Customers',
  tickets: 'Tickets',
  tasks: 'Tasks',
  elections: 'Elections',
} as const;
export type SearchSection = keyof typeof searchSections;
export const searchSectionNames = Object.keys(searchSections) as [SearchSection, ...SearchSection[]];

export const SearchHit = z.object({
  section: z.enum(searchSectionNames),
  /** The name it is known by: a prefix, a handle, a number, a title. */
  text: z.string(),
  /** Words that distinguish it from others of that name. */
  note: z.string(),
  /** Its page. */
  link: z.string(),
  /** A number resource, shown with its mark. */
  kind: z.nullable(z.enum(resourceKinds)),
  /** It is spelt otherwise than the words, and the nearest to them: nothing of its kind has them. */
  isNear: z.optional(z.boolean()),
});
export type SearchHit = z.infer<typeof SearchHit>;

const query = z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(100)) });

export const search = group('search', {
  findInAccount: endpoint({
    method: 'GET',
    path: '/api/:account/search',
    summary:
      'What an account has under a name: resources, whois objects, people, invoices, documents, customers, tasks, as far as the caller may see them.',
    access: contact,
    query,
    answer: z.array(SearchHit),
    readsFrom: 'replica',
  }),
  findEverywhere: endpoint({
    method: 'GET',
    path: '/api/staff/search',
    summary:
      'Accounts, resources, whois objects, requests, invoices and elections over all members, by name or number. People have a search of their own, which is logged.',
    access: staff(searchPermissions),
    query,
    answer: z.array(SearchHit),
    readsFrom: 'replica',
  }),
});
