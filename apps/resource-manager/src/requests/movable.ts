import type { MovableResource } from '@portal/contract/requests/requests';

/** Resources shown at most; others are typed. */
export const MAX = 100;

/** Returns which parts of a block other requests move, so that it can't be moved as a whole; null if none. */
export const lockedWords = ({ locked }: Pick<MovableResource, 'locked'>): string | null =>
  locked.length === 0
    ? null
    : `${locked.map(({ resource, reference }) => `${resource} is locked by ${reference}`).join(', ')}. Enter other parts below`;

type Kind = 'transfer' | 'acquisition' | 'return';

/** Words for a chosen block in the legend of the map. */
export const movesWords: Record<Kind, string> = { transfer: 'Moves', acquisition: 'Moves', return: 'Returned' };

/** Returns the IPv4 of which a block can be chosen on a map, and why none of it can be as a whole. */
export const pickable = (kind: Kind, rows: readonly MovableResource[]): { resource: string; against: string | null }[] =>
  rows.filter(row => row.kind === 'ipv4').map(row => ({ resource: row.resource, against: row.against[kind] ?? lockedWords(row) }));
