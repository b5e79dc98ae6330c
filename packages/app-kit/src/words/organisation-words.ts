import type { OrganisationChange } from '@portal/contract/organisations/changes';
import type { AccountClosure } from '@portal/contract/organisations/closures';
import type { State } from '@portal/ui';

/** Returns `Australia (AU)`; the two letters alone if there is no name. */
export function economyWords(economy: string | null): string {
  if (economy === null) return 'not recorded';
  const name = new Intl.DisplayNames(['en'], { type: 'region' }).of(economy);
  return name === undefined || name === economy ? economy : `${name} (${economy})`;
}

/** Formats a registered value for the screen. */
export function valueWords(field: OrganisationChange['field'], value: string): string {
  if (value === '') return 'not recorded';
  return field === 'organisationType' ? value.charAt(0).toUpperCase() + value.slice(1) : value;
}

/** States of a change, as a member and as the registry read them. */
export const changeStates: Record<OrganisationChange['state'], { state: State; words: string }> = {
  submitted: { state: 'pending', words: 'awaiting the registry' },
  'in-review': { state: 'pending', words: 'in review' },
  'needs-info': { state: 'warning', words: 'question for you' },
  approved: { state: 'valid', words: 'approved' },
  rejected: { state: 'invalid', words: 'rejected' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
};

export const closureStates: Record<AccountClosure['state'], { state: State; words: string }> = {
  submitted: { state: 'pending', words: 'awaiting the registry' },
  approved: { state: 'warning', words: 'approved' },
  rejected: { state: 'invalid', words: 'rejected' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
  closed: { state: 'closed', words: 'closed' },
};

export const handlingWords: Record<AccountClosure['resources'], string> = {
  return: 'Return them to the registry',
  transfer: 'Transfer them before that day',
  none: 'None held',
};
