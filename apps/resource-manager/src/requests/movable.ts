import type { MovableResource } from '@portal/contract/requests/requests';

/** Resources shown at most; others are typed. */
export const MAX = 100;

/** Returns which parts of a block other requests move, so that it can't be moved as a whole; null if none. */
export const lockedWords = ({ locked }: Pick<MovableResource, 'locked'>): string | null =>
  locked.length === 0
    ? null
    : `${locked.map(({ resource, reference }) => `${resource} is locked by ${reference}`).join(', ')}. Enter other parts below`;
