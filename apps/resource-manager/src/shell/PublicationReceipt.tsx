import { reading, useAccount, useKit } from '@portal/app-kit';
import { type PublicationPlace, whoisPublication } from '@portal/contract/publication/publication';
import type { WhoisClass } from '@portal/contract/whois/whois';
import { Receipt, type ReceiptLine, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';

const states = { done: 'done', waiting: 'running', elsewhere: 'waiting' } as const satisfies Record<
  PublicationPlace['state'],
  ReceiptLine['state']
>;
const firstPauseMs = 400;
const longestPauseMs = 15_000;

/**
 * The publication receipt of one version of an object: each place is polled, with growing pauses, until all that can answer here have it.
 */
export function PublicationReceipt({
  objectClass,
  objectKey,
  version,
  columns = 2,
}: {
  objectClass: WhoisClass;
  objectKey: string;
  version: number;
  columns?: 1 | 2;
}) {
  const { accountName: account } = useAccount();
  const { call, environment } = useKit();
  const { data, error } = useQuery({
    ...reading(call, whoisPublication.getPublication, { account, query: { class: objectClass, key: objectKey, version } }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.error || state.data?.places.every(place => place.state !== 'waiting')
        ? false
        : Math.min(longestPauseMs, firstPauseMs * 1.6 ** Math.max(0, state.dataUpdateCount - 1)),
  });
  if (error && !data) return <p className="small">Publication couldn’t be checked: {error.message}</p>;
  if (!data) return <SkeletonLines lines={4} label="Checking publication" />;
  return (
    <Receipt
      columns={columns}
      lines={data.places.map(({ name, state, query, opens, answer }) => ({
        place: name,
        state: states[state],
        what:
          query === null ? (
            answer
          ) : opens ? (
            <a href={environment.appUrl + query} target="_blank" rel="noreferrer">
              {answer}
            </a>
          ) : (
            <span title={query}>{answer}</span>
          ),
        time: state === 'done' ? 'published' : state === 'waiting' ? 'pending' : 'not checked',
      }))}
    />
  );
}
