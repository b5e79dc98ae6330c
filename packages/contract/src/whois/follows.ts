import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { whoisClasses } from './whois.ts';

/** Maximum number of follows of one contact in one account. */
export const maxFollows = 200;

/** An object, prefix or AS number that a contact follows. */
export const WhoisFollow = z.object({
  followId: z.int(),
  /** Null for everything in whois about the numbers `shown` and those inside them. */
  class: z.nullable(z.enum(whoisClasses)),
  key: z.string(),
  shown: z.string(),
  followedAt: z.iso.datetime(),
  /** When the object was last changed or deleted; null for numbers and unknown objects. */
  changedAt: z.nullable(z.iso.datetime()),
  /** The object was deleted. */
  gone: z.boolean(),
});
export type WhoisFollow = z.infer<typeof WhoisFollow>;

/** Access for every contact who may open a page with something to follow. */
const access = member(['resources-view', 'whois-domain-objects-view', 'whois-private-objects-view', 'whois-principal-mntner-access']);
const Text = z.string().check(z.trim(), z.minLength(1), z.maxLength(300), z.regex(/^\P{Cc}*$/u, { error: 'Remove control characters' }));

export const whoisFollows = group('whois.follows', {
  listFollows: endpoint({
    method: 'GET',
    path: '/api/:account/whois/follows',
    summary: 'What the caller follows in this account, newest first.',
    access,
    answer: z.object({ rows: z.array(WhoisFollow) }),
  }),
  follow: endpoint({
    method: 'POST',
    path: '/api/:account/whois/follows',
    summary:
      'Follow a whois object, or all that whois says of a prefix, range or AS number: the caller is notified when another person changes it.',
    access,
    effect: 'records',
    body: z.union([z.object({ class: z.enum(whoisClasses), key: Text }), z.object({ resource: Text })]),
    answer: WhoisFollow,
    errors: ['NOT_FOUND', 'INVALID_REQUEST', 'TOO_MANY_FOLLOWS'],
    activity: 'Followed whois objects',
  }),
  unfollow: endpoint({
    method: 'DELETE',
    path: '/api/:account/whois/follows/:followId',
    summary: 'Follow something no more.',
    access,
    effect: 'records',
    errors: ['NOT_FOUND'],
    activity: 'Stopped following whois objects',
  }),
});
