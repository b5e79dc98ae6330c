import { reading, useAccount, useKit } from '@portal/app-kit';
import { type completionKinds, whois } from '@portal/contract/whois/whois';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';

type Kind = (typeof completionKinds)[number];
export type Completion = { id: string; text: string; note: string };

/** Returns suggestions for a started word; empty without a request and until the server has answered. */
export function useCompletions(kind: Kind | null, word: string): readonly Completion[] {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const q = useDeferredValue(word.slice(0, 100));
  const { data } = useQuery({
    ...reading(call, whois.complete, { account, query: { kind: kind ?? 'contact', q, limit: 12 } }),
    enabled: kind !== null,
    placeholderData: keepPreviousData,
  });
  if (kind === null || !data) return [];
  return data.rows.map(({ class: name, key, shown, name: called, own }) => ({
    id: `${name} ${key}`,
    text: shown,
    note: [called || name, own ? '' : 'of others'].filter(Boolean).join(', '),
  }));
}
