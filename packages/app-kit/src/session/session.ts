import type { Account } from '@portal/contract/accounts/accounts';
import type { Person } from '@portal/contract/identity/people';
import type { Environment } from '@portal/contract/shell/shell';
import { createContext, useContext } from 'react';

/** The person and account of the portal. */
export type Session = {
  person: Person;
  /** The person's accounts, without the closed ones, by name. */
  accounts: readonly Account[];
  /** Closed accounts: listed under My accounts, never selected. */
  closedAccounts: readonly Account[];
  /** The selected account; null for a person without any. `asStaff` when registry staff visits it. */
  account: Account | null;
  environment: Environment;
  selectAccount: (accountName: string) => void;
};

export const SessionContext = createContext<Session | null>(null);

/** Returns the session; null on public pages without a sign-in. */
export const useMaybeSession = (): Session | null => useContext(SessionContext);

/** The session of a page that needs sign-in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('This page needs a signed-in person');
  return session;
}

/** Thrown by `useAccount`: the page frame explains what a person without account can do. */
export class NoAccount extends Error {
  override readonly name = 'NoAccount';
}

/** The selected account of a page that belongs to one. */
export function useAccount(): Account {
  const { account } = useSession();
  if (!account) throw new NoAccount('No member account is selected');
  return account;
}
