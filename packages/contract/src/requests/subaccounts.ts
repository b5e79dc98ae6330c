import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { delegatingKinds } from './request-form.ts';
import { QueueFacts, ResourceRequest, ResourceRequestDetail } from './requests.ts';

/** Requests of a national registry to this one, for its own members. */
export const subaccountRequests = group('requests.subaccounts', {
  listSubaccountRequests: endpoint({
    method: 'GET',
    path: '/api/:account/nir/requests',
    publicApi: { path: '/nir/requests', scope: 'requests:read' },
    summary: 'Requests of a national registry for its sub-accounts: open ones first, then newest first.',
    access: member('tickets-resources-view', { accounts: 'nir' }),
    query: z.object({
      subaccountId: z.optional(rowId()),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
    }),
    answer: z.object({ rows: z.array(ResourceRequest), total: z.int(), queue: QueueFacts }),
  }),
  startSubaccountRequest: endpoint({
    method: 'POST',
    path: '/api/:account/nir/requests',
    publicApi: { path: '/nir/requests', scope: 'requests:write' },
    summary:
      'Start a request out of the registry’s pool for a sub-account. It is a draft until it is sent; what is approved is delegated to the national registry and recorded with the sub-account.',
    access: member('tickets-resources-update', { accounts: 'nir' }),
    effect: 'drafts',
    body: z.object({
      kind: z.enum(delegatingKinds),
      subaccountId: rowId('Choose a sub-account'),
    }),
    answer: ResourceRequestDetail,
    errors: ['ACCOUNT_SUSPENDED', 'REQUEST_OPEN', 'NOT_FOUND', 'SUBACCOUNT_CLOSED'],
    activity: 'Started a request for a sub-account',
  }),
});
