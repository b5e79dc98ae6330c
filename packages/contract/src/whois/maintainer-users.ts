import * as z from 'zod/mini';
import { contact, endpoint, group } from '../endpoint.ts';
import { WhoisMaintainer } from './whois.ts';

/** Hours in which the last user of a maintainer can be kept by the code of the mail. */
export const lastUserHours = 24;

export const whoisMaintainerUsers = group('whois.maintainerUsers', {
  keepMaintainerUsers: endpoint({
    method: 'POST',
    path: '/api/:account/whois/maintainers/:maintainer/kept-users',
    summary: `Keep the last users of a maintainer, with the code that was mailed to it when they were taken off, within ${lastUserHours} hours.`,
    access: contact,
    effect: 'keys',
    body: z.object({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
    /** `kept` false: a wrong code; after five of them none counts. */
    answer: z.object({ kept: z.boolean(), rows: z.array(WhoisMaintainer) }),
    errors: ['CODE_EXPIRED'],
    activity: 'Entered the code that keeps the last users of a maintainer',
  }),
});
