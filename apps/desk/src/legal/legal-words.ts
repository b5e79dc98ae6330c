import { askedPeople, type LegalText, type LegalVersion } from '@portal/contract/legal/legal';
import { pages } from '@portal/contract/pages';
import { formatCount } from '@portal/ui';

/** The address of the page of a text. */
export const hrefOf = (text: string): string => `${pages.deskLegal.path}?text=${encodeURIComponent(text)}`;

/** Who is asked, in a sentence. */
export function askedInWords({ asks, graceDays, blocks }: Pick<LegalVersion, 'asks' | 'graceDays' | 'blocks'>): string {
  if (asks.length === 0) return 'No one is asked to accept it.';
  const people = new Intl.ListFormat('en').format(
    asks.map((each, place) => (place === 0 ? askedPeople[each] : lowered(askedPeople[each]))),
  );
  if (asks.every(each => each === 'applicants')) return `${people}, in their application.`;
  const days = `${formatCount(graceDays)} ${graceDays === 1 ? 'day' : 'days'} to accept it`;
  return `${people}. ${days}${blocks ? '; then changes wait until it is accepted' : ''}.`;
}

const lowered = (words: string): string => words[0]!.toLowerCase() + words.slice(1);

/** How many accepted the version in force: `1 203 of 1 240 people, 18 of 20 accounts`; empty where no one is asked. */
export function progressInWords({ people, accounts }: Pick<LegalText, 'people' | 'accounts'>): string {
  const of = ({ accepted, missing }: LegalText['people'], [one, more]: readonly [string, string]): string[] => {
    const all = accepted + missing;
    return all === 0 ? [] : [`${formatCount(accepted)} of ${formatCount(all)} ${all === 1 ? one : more}`];
  };
  return [...of(people, ['person', 'people']), ...of(accounts, ['account', 'accounts'])].join(', ');
}

export const stateWords: Readonly<Record<LegalVersion['state'], string>> = {
  draft: 'Draft',
  coming: 'To come',
  'in-force': 'In force',
  old: 'Old',
  withdrawn: 'Withdrawn',
};
