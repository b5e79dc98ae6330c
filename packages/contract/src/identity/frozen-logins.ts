import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/** Hours in which a login makes no changes of the registry after it was unfrozen or its sign-in was changed (S27). */
export const coolDownHours = 24;

/** A login that cannot sign in, because its owner reported a change as not their own (S30). */
export const FrozenLogin = z.object({
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  staff: z.boolean(),
  frozenAt: z.iso.datetime(),
  /** The only address to which an unfreeze link can be sent. */
  frozenEmail: z.string(),
  /** The e-mail whose link froze it; null once it is forgotten, after 30 days. */
  notice: z.nullable(
    z.object({ subject: z.nullable(z.string()), mailedTo: z.string(), at: z.iso.datetime(), accountName: z.nullable(z.string()) }),
  ),
  /** The accounts they are a contact of. */
  accounts: z.array(z.string()),
});
export type FrozenLogin = z.infer<typeof FrozenLogin>;

export const frozenLogins = group('identity.frozenLogins', {
  listFrozenLogins: endpoint({
    method: 'GET',
    path: '/api/staff/frozen-logins',
    summary:
      'Logins that can’t be used, those frozen first before the others: since when, and by the link of which e-mail. Those of registry staff are shown to who administers staff.',
    access: staff(['support', 'staff']),
    answer: z.object({ rows: z.array(FrozenLogin) }),
  }),
  unfreezeLogin: endpoint({
    method: 'POST',
    path: '/api/staff/frozen-logins/:username/unfreeze',
    summary: `Unfreeze a login after staff verified its owner. It can’t make changes for ${coolDownHours} hours. A login of registry staff takes “Administer staff”.`,
    access: staff(['support', 'staff']),
    effect: 'access',
    body: z.object({ reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) }),
    errors: ['SECOND_PERSON', 'NO_SECOND_PERSON', 'NOT_FOUND'],
    activity: 'Unfroze a login',
    secondPerson: 'always',
  }),
});
