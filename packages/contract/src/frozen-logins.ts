import * as z from 'zod/mini';
import { endpoint, group, staffFresh } from './endpoint.ts';

export const frozenLogins = group('frozenLogins', {
  thawLogin: endpoint({
    method: 'POST',
    path: '/api/staff/frozen-logins/:username/thaw',
    summary: 'Give a frozen login back to its person, of whom staff have made sure. It changes nothing in the registry for 24 hours.',
    access: staffFresh,
    body: z.object({ reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) }),
    errors: ['NOT_FOUND'],
    activity: 'Gave a frozen login back',
  }),
});
