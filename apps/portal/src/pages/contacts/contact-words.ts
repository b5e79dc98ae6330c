import { type ContactType, type Permission, permissions } from '@portal/contract';
import type { Contact } from '@portal/contract/contacts/contacts';

export const typeWords: Record<ContactType, string> = { corporate: 'Corporate', billing: 'Billing', technical: 'Technical' };

/** Purpose of each contact type, in one sentence. */
export const typeMeanings: Record<ContactType, string> = {
  corporate: 'Acts for the member and has every permission. The registry approves corporate contacts.',
  billing: 'Receives invoices, pays and manages billing details.',
  technical: 'Manages number resources, whois, reverse DNS and RPKI.',
};

export const listWords = (words: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
/** `technical and billing contact`; `contact` for none. */
export const contactOf = (types: readonly ContactType[]): string => (types.length > 0 ? `${listWords(types)} contact` : 'contact');
export const countWords = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
export const permissionWords = (list: readonly Permission[]): string => listWords(list.map(key => permissions[key].label));

/** Returns the request that waits for the registry, to follow the name of the contact. */
export function registryWords({ kind, contactTypes }: NonNullable<Contact['registryRequest']>): string {
  if (kind === 'add') return 'The registry decides whether this person becomes a corporate contact';
  if (kind === 'remove') return 'The registry decides whether this corporate contact is removed';
  return contactTypes.includes('corporate')
    ? 'The registry decides whether this person becomes a corporate contact'
    : `The registry decides whether this corporate contact becomes ${listWords(contactTypes)} contact instead`;
}
