import {
  accountToSelect,
  type Read,
  read,
  reading,
  selectableAccounts,
  ServiceFailure,
  type Session,
  storeAccountName,
  storedAccountName,
} from '@portal/app-kit';
import { accounts } from '@portal/contract/accounts/accounts';
import { people } from '@portal/contract/identity/people';
import { announcements } from '@portal/contract/announcements/announcements';
import { shell } from '@portal/contract/shell/shell';
import { staff } from '@portal/contract/staff/staff';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type SignedInUser, userIdOf } from '@portal/app-kit/auth/stored-user';
import type { Portal } from './portal.ts';

/** The reads with which every page of the portal begins, as those of the page do (`PageReads`). */
export const shellReads: readonly Read[] = [
  read(people.getMe, {}),
  read(accounts.listAccounts, {}),
  read(shell.getNavigation, {}),
  read(announcements.listBanners, {}),
];

/** Returns the session of the portal: person, accounts and the selected one, which registry staff can select without being a contact. */
export function useSessionOf(
  portal: Portal,
  user: SignedInUser | null,
): { session: Session | null; failure: Error | null; retry: () => void } {
  const { call, answers, environment } = portal;
  const signedIn = user !== null;
  const userId = user ? userIdOf(user.claims) : '';
  const person = useQuery({ ...reading(call, people.getMe, {}), enabled: signedIn, staleTime: Infinity }, answers);
  const list = useQuery({ ...reading(call, accounts.listAccounts, {}), enabled: signedIn, staleTime: Infinity }, answers);
  const bannersKnown = useBannersKnown(portal, signedIn, person.isSuccess && list.isSuccess);
  const [picked, setPicked] = useState<{ userId: string; accountName: string } | null>(null);
  // Without a sign-in nothing is read: storage may be the reason why it failed.
  const wanted = picked?.userId === userId ? picked.accountName : signedIn ? storedAccountName(userId) : null;
  const own = useMemo(() => selectableAccounts(list.data ?? []), [list.data]);
  const isOwn = own.some(account => account.accountName === wanted);
  // Registry staff look at one account at a time, begun at the desk.
  const visits = Boolean(person.data?.staff) && list.isSuccess && wanted !== null && !isOwn;
  const visit = useQuery({ ...reading(call, staff.getVisit, {}), enabled: visits, staleTime: Infinity }, answers);
  const visited = visits && visit.data?.visit?.account.accountName === wanted ? visit.data.visit.account : null;

  const session = useMemo((): Session | null => {
    if (!signedIn || !person.data || !list.data || !bannersKnown || (visits && visit.isPending)) return null;
    return {
      person: person.data,
      accounts: own,
      closedAccounts: list.data.filter(account => account.accountStatus === 'closed'),
      account: visited ?? accountToSelect(own, wanted),
      environment,
      selectAccount(accountName) {
        storeAccountName(userId, accountName);
        setPicked({ userId, accountName });
      },
    };
  }, [signedIn, person.data, list.data, bannersKnown, own, visits, visit.isPending, visited, wanted, userId, environment, setPicked]);

  const failure = signedIn ? (person.error ?? accountsFailure(list.error)) : null;
  return { session, failure, retry: () => void answers.resetQueries() };
}

/** How long, in ms, a complete page waits for the banners above it. */
const bannersMs = 1000;

/** Returns whether the banners above the page are known, so that they don't push it down later; also true if they are late or can't be read. */
function useBannersKnown({ call, answers }: Portal, signedIn: boolean, restIsKnown: boolean): boolean {
  const { isPending } = useQuery({ ...reading(call, announcements.listBanners, {}), enabled: signedIn, staleTime: Infinity }, answers);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!restIsKnown || !isPending) return;
    const timer = setTimeout(() => setLate(true), bannersMs);
    return () => clearTimeout(timer);
  }, [restIsKnown, isPending]);
  return !isPending || late;
}

/** An account list that cannot be read is thrown as a JSON string (specification, section 8), which error reports show in full. */
class AccountsFailure extends ServiceFailure {
  constructor({ status, errors }: ServiceFailure) {
    super(status, errors);
    this.message = JSON.stringify(errors);
  }
}
const accountsFailure = (failure: ServiceFailure | null): AccountsFailure | null => failure && new AccountsFailure(failure);
