import type { Delegation } from '@portal/contract/resources/resources';

/** "Allocated portable" for `ALLOCATED PORTABLE`; the type where there is no status text (AS numbers). */
export function statusWords({ statusText, type }: Pick<Delegation, 'statusText' | 'type'>): string {
  const words = (statusText ?? type).toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const typeWords: Record<Delegation['type'], string> = { allocated: 'Allocated', assigned: 'Assigned' };
export const sourceWords: Record<Delegation['source'], string> = {
  delegated: 'Registry',
  transferred: 'Transferred',
  historical: 'Historical',
};
/** Active is not shown. */
export const stateWords: Record<Delegation['status'], string | null> = {
  active: null,
  locked: 'Locked',
  closing: 'Closing',
  closed: 'Closed',
};
