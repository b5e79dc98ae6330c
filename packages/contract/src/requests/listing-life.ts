import { life } from '../life.ts';

export const listingStates = ['open', 'withdrawn', 'expired', 'removed', 'transferred'] as const;

/** The life of an entry of the board. */
export const listingLife = life(
  { title: 'Listings', table: 'listing', column: 'state', states: listingStates },
  {
    renew: { from: ['open'], to: ['open'], who: 'holder', does: 'keeps it for longer' },
    withdraw: { from: ['open'], to: ['withdrawn'], who: 'holder', does: 'withdraws it' },
    remove: { from: ['open'], to: ['removed'], who: 'staff', does: 'remove it, with the reason' },
    expire: { from: ['open'], to: ['expired'], who: 'registry', does: 'ends it on its day', by: ['requests.listings.expireListing'] },
    transfer: {
      from: ['open'],
      to: ['transferred'],
      who: 'registry',
      does: 'ends it: the space left its holder',
      by: ['requests.desk.approveRequest', 'requests.desk.completeTransfer', 'requests.completePaidTransfer'],
    },
  },
);
