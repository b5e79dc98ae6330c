import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Session } from '../session/session.ts';
import { forgetOtherAccounts } from '../first/kept-answers.ts';

/** Drops answers of the previously selected account, once another one is selected and its page is gone. */
export function useForgottenAccounts(answers: QueryClient, { account }: Pick<Session, 'account'>): void {
  const selected = account?.accountName ?? null;
  const before = useRef(selected);
  useEffect(() => {
    if (before.current !== selected) forgetOtherAccounts(answers, selected);
    before.current = selected;
  }, [answers, selected]);
}
