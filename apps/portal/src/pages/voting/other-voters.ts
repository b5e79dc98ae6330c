import { reading, useKit, useSession } from '@portal/app-kit';
import { voting } from '@portal/contract/elections/voting';
import { useQuery } from '@tanstack/react-query';

/** The others who vote for an account, by their names: “Tess Lindqvist and Corin Hale”. Empty where there are none, or before they are read. */
export function useOtherVoters(account: string): string {
  const { call } = useKit();
  const { fullName: own } = useSession().person;
  const { data } = useQuery(reading(call, voting.getMemberVoting, { account }));
  return namesOf((data?.voters ?? []).filter(({ mayVote, fullName }) => mayVote && fullName !== own).map(({ fullName }) => fullName));
}

/** Joins names as in a sentence. */
function namesOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
