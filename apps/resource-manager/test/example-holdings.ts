import type {
  AddressMap,
  AddressOverview,
  Delegation,
  DelegationDetail,
  Registration,
  ResourceSummary,
} from '@portal/contract/resources/resources';

/** EXAMPLE-AU in a few rows: two allocations, what is registered in the first, one AS number. */
export const delegation = (change: Partial<Delegation> = {}): Delegation => ({
  delegationId: '1',
  kind: 'ipv4',
  resource: '198.18.0.0/19',
  first: '198.18.0.0',
  last: '198.18.31.255',
  prefixes: ['198.18.0.0/19'],
  size: '8192',
  type: 'allocated',
  statusText: 'ALLOCATED PORTABLE',
  status: 'active',
  source: 'delegated',
  delegatedOn: '2021-03-02',
  economy: 'AU',
  holdUntil: null,
  used: '512',
  registrations: 1,
  ...change,
});

export const endSite = delegation({
  delegationId: '2',
  resource: '203.0.113.0/24',
  first: '203.0.113.0',
  last: '203.0.113.255',
  prefixes: ['203.0.113.0/24'],
  size: '256',
  type: 'assigned',
  statusText: 'ASSIGNED PORTABLE',
  used: '0',
  registrations: 0,
});

export const asNumber = delegation({
  delegationId: '3',
  kind: 'asn',
  resource: 'AS65546',
  first: 'AS65546',
  last: 'AS65546',
  prefixes: [],
  size: '1',
  statusText: null,
  used: '0',
  registrations: 0,
});

export const registration = (change: Partial<Registration> = {}): Registration => ({
  registrationId: '9',
  row: 'registration',
  resource: '198.18.12.0/23',
  first: '198.18.12.0',
  last: '198.18.13.255',
  size: '512',
  netname: 'CUST-NORTHWIND',
  statusText: 'ASSIGNED NON-PORTABLE',
  customer: 'Northwind Freight',
  visibility: 'public',
  economy: 'AU',
  registeredOn: '2024-08-05',
  updatedAt: '2024-08-05T01:00:00.000Z',
  used: '512',
  level: 0,
  parent: '198.18.0.0/19',
  ...change,
});

export const freeSpace = registration({
  registrationId: null,
  row: 'free',
  resource: '198.18.14.0/23',
  netname: null,
  statusText: null,
  customer: null,
  visibility: null,
});

const holdings: AddressMap['holdings'] = [delegation(), endSite].map(({ resource, delegationId }) => ({
  resource,
  within: resource,
  delegationId,
}));

/** The map of a prefix, as the server answers it. */
export const addressMap = (within = '198.18.0.0/19'): AddressMap =>
  within.startsWith('203.')
    ? {
        kind: 'ipv4',
        within: '203.0.113.0/24',
        first: '203.0.113.0',
        sizeLog2: 8,
        blocks: [{ id: 'd2', label: '203.0.113.0/24', name: null, kind: 'delegated', offset: '0', size: '256', level: 0, count: 1 }],
        holdings,
        holdingsTotal: 2,
        counts: [{ kind: 'delegated', size: '256' }],
      }
    : {
        kind: 'ipv4',
        within: '198.18.0.0/19',
        first: '198.18.0.0',
        sizeLog2: 13,
        blocks: [
          { id: 'f1', label: '198.18.0.0/21', name: null, kind: 'free', offset: '0', size: '3072', level: 0, count: 1 },
          { id: 'a9', label: '198.18.12.0/23', name: 'CUST-NORTHWIND', kind: 'assigned', offset: '3072', size: '512', level: 0, count: 1 },
          { id: 'f2', label: '198.18.14.0/23', name: null, kind: 'free', offset: '3584', size: '4608', level: 0, count: 1 },
        ],
        holdings,
        holdingsTotal: 2,
        counts: [
          { kind: 'assigned', size: '512' },
          { kind: 'free', size: '7680' },
        ],
      };

/** A whole large holding: two strips, the second with one delegation and several too small to draw separately. */
export const overview: AddressOverview = {
  kind: 'ipv4',
  size: '9216',
  delegations: 1_109,
  stripLength: 8,
  strips: [
    {
      within: '198.0.0.0/8',
      size: '8192',
      delegations: 1,
      marks: [{ resource: '198.18.0.0/19', delegations: 1, kind: 'partly', start: 0.07, share: 0.0005 }],
    },
    {
      within: '203.0.0.0/8',
      size: '1024',
      delegations: 3,
      marks: [
        { resource: '203.0.113.0/24', delegations: 1, kind: 'own', start: 0.0004, share: 0.00001 },
        { resource: '203.0.114.0 - 203.0.120.255', delegations: 2, kind: 'unassigned', start: 0.0005, share: 0.0001 },
      ],
    },
  ],
  lengths: [{ length: 19, delegations: 1_109 }],
  counts: [{ kind: 'partly', size: '8192' }],
};

const none = { delegations: 0, size: '0', used: '0', registrations: 0, lastDelegatedOn: null };
export const summary: ResourceSummary = {
  totals: [
    { kind: 'ipv4', delegations: 2, size: '8448', used: '512', registrations: 1, lastDelegatedOn: '2021-12-09' },
    { kind: 'ipv6', ...none },
    { kind: 'asn', ...none, delegations: 1, size: '1' },
  ],
  latest: [delegation()],
  economies: [{ economy: 'AU', delegations: 3 }],
  asOf: '2026-11-20T00:00:00.000Z',
};
export const emptySummary: ResourceSummary = {
  totals: (['ipv4', 'ipv6', 'asn'] as const).map(kind => ({ kind, ...none })),
  latest: [],
  economies: [],
  asOf: '2026-11-20T00:00:00.000Z',
};

const details: Record<string, Delegation> = { 1: delegation(), 2: endSite };
type Input = { delegationId: string; query: { kind?: string; q?: string; within?: string; limit?: number } };

/** Answers of every read of the resource pages for this account. */
export const answers = {
  'resources.getSummary': summary,
  'resources.listDelegations': ({ query: { kind, q = '' } }: Input) => {
    const rows = (kind === 'asn' ? [asNumber] : kind === 'ipv4' ? [delegation(), endSite] : []).filter(row => row.resource.includes(q));
    return { rows, total: rows.length, size: '8448' };
  },
  'resources.getDelegation': ({ delegationId }: Input): DelegationDetail => ({
    delegation: details[delegationId] ?? delegation(),
    history: [{ at: '2021-03-02T00:00:00.000Z', summary: 'Delegated', by: 'Registry' }],
    lockedParts: [],
  }),
  'resources.getAddressMap': ({ query: { within } }: Input) => addressMap(within),
  'resources.listRegistrations': { rows: [registration(), freeSpace], total: 2 },
};
