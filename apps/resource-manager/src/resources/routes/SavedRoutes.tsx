import { type CallAnswer, reading, useAccount, useKit } from '@portal/app-kit';
import { routes } from '@portal/contract/routes/routes';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Button, DateText, formatCount, LinkButton, Receipt, type ReceiptLine, Sheet, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { usePollingDelay } from '../../shell/polling.ts';
import { detailsPath } from './route-words.ts';

type Change = CallAnswer<typeof routes.getChange>;

/** Whois objects that are named. */
const NAMED = 6;
const roaStates = { done: 'done', waiting: 'running', elsewhere: 'waiting' } as const;
const doneWords = { added: 'added', changed: 'changed', removed: 'removed', adopted: 'adopted', waits: 'sent for consent' } as const;

/** The receipt of the change that was just saved: each place that it must reach, until it has it. It stays until it is closed. */
export function SavedRoutes({ changeId, onClose }: { changeId: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const delay = usePollingDelay();
  const { data, error } = useQuery({
    ...reading(call, routes.getChange, { account, changeId, query: {} }),
    refetchInterval: ({ state }) => (state.data?.roas?.state === 'waiting' ? delay() : false),
  });
  // An address with a change that isn't there shows the list alone.
  if (error) return null;
  return (
    <Sheet
      title="Receipt"
      meta={data && <output>{data.summary}</output>}
      actions={
        <>
          <LinkButton size="s" href={`${detailsPath}?id=${changeId}`}>
            {data?.undoUntil ? 'See the changes or undo them' : 'See the changes'}
          </LinkButton>
          <Button size="s" icon="close" aria-label="Close the receipt" onClick={onClose} />
        </>
      }
    >
      {data ? <Receipt columns={1} lines={linesOf(data)} /> : <SkeletonLines lines={3} label="Checking publication" />}
    </Sheet>
  );
}

function linesOf({ roas, items, madeAt, total }: Change): ReceiptLine[] {
  const objects = items.flatMap(({ results }) => results).filter(({ object }) => !/^roa\b/i.test(object));
  return [
    {
      place: 'Routes',
      state: 'done',
      what: `${formatCount(total)} ${total === 1 ? 'route' : 'routes'}`,
      time: <DateText value={madeAt} />,
    },
    ...(objects.length > 0
      ? [
          {
            place: 'Whois',
            state: objects.some(({ done }) => done === 'waits') ? ('waiting' as const) : ('done' as const),
            what: (
              <>
                {objects.slice(0, NAMED).map(({ object, done }, place) => (
                  <span key={object}>
                    {place > 0 && ', '}
                    <span className="mono">{spacedKey(object)}</span> {doneWords[done]}
                  </span>
                ))}
                {objects.length > NAMED && ` and ${formatCount(objects.length - NAMED)} more`}
              </>
            ),
            time: objects.some(({ done }) => done === 'waits') ? 'waiting for consent' : 'published',
          },
        ]
      : []),
    ...(roas
      ? [
          {
            place: 'RPKI repository',
            state: roaStates[roas.state],
            what:
              roas.state === 'waiting'
                ? 'In the next publication'
                : roas.serial === null
                  ? 'Withdrawn from the repository'
                  : `In RRDP serial ${roas.serial}`,
            time: roas.state === 'done' ? 'published' : roas.state === 'waiting' ? 'pending' : 'not checked',
          },
        ]
      : []),
  ];
}
