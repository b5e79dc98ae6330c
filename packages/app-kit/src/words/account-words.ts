import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';

const typeWords: Record<Account['accountType'], string> = {
  regular: 'Regular member',
  'confed-isp': 'Confederation member (ISP)',
  'confed-nir': 'National registry',
  historical: 'Historical resource holder',
  rir: 'Regional registry',
  'non member': 'Non-member account',
  'n/a': 'Account',
};

export const accountTypeWords = (type: Account['accountType']): string => typeWords[type];

const list = (words: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(words);

/** The contact types of a person in an account: `corporate and billing contact`. */
export const contactWords = (types: Account['contactTypes']): string => (types.length > 0 ? `${list(types)} contact` : 'contact');

/** Returns one sentence each about the account and the person's role: "Example Networks Pty Ltd. Regular member since 2021, open. You act as corporate contact." */
export function accountSentence(account: Account, person: Pick<Person, 'staff'>): string {
  const since = account.memberSince ? ` since ${account.memberSince.slice(0, 4)}` : '';
  const as = account.asStaff && person.staff ? 'You’re viewing it as registry staff.' : `You’re its ${contactWords(account.contactTypes)}.`;
  const name = account.orgName.replace(/\.$/, '');
  return `${name}. ${typeWords[account.accountType]}${since}, ${account.accountStatus}. ${as}`;
}
