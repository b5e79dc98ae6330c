import { keepAnswer, reading, useKit } from '@portal/app-kit';
import { accounts } from '@portal/contract/accounts/accounts';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { invitations } from '@portal/contract/contacts/invitations';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';

const freshMs = 5_000;

/** Refreshes the person's accounts in the background: if that fails, the accounts stay as they were. */
export function useAccountsAgain(): () => Promise<void> {
  const { call } = useKit();
  const answers = useQueryClient();
  return useCallback(async () => {
    const answer = await call(accounts.listAccounts, {});
    if (answer.data) keepAnswer(answers, accounts.listAccounts, answer.data);
  }, [call, answers]);
}

/** For pages where people wait for access: accounts, invitations and link requests are refetched when the page is opened and on return. */
export function useFreshAccounts(): void {
  const { call } = useKit();
  const answers = useQueryClient();
  const again = useAccountsAgain();
  useEffect(() => {
    let later: number | undefined;
    const read = () => {
      window.clearTimeout(later);
      const readAt = answers.getQueryState(reading(call, accounts.listAccounts, {}).queryKey)?.dataUpdatedAt;
      if (document.visibilityState === 'hidden' || readAt === undefined) return;
      // A recent answer is refreshed a little later: the person may get access in the meantime.
      const young = readAt + freshMs - Date.now();
      if (young > 0) {
        later = window.setTimeout(read, young);
        return;
      }
      void again();
      for (const { id } of [accessRequests.listLinkRequests, invitations.listOwnInvitations])
        void answers.invalidateQueries({ queryKey: [id] });
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => {
      window.clearTimeout(later);
      document.removeEventListener('visibilitychange', read);
    };
  }, [answers, call, again]);
}
