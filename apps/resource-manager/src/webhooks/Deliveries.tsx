import { reading, useAccount, useAddress, useChange, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { type Webhook, type WebhookDelivery, webhookDeliveryStates, webhooks } from '@portal/contract/webhooks/webhooks';
import {
  Button,
  ButtonRow,
  DateText,
  EmptyState,
  formatCount,
  LinkButton,
  Segmented,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
} from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePollingDelay } from '../shell/polling.ts';
import styles from './Webhooks.module.css';
import { deliveryStates, outcomeOf } from '../shell/webhook-words.ts';

const choices = ['all', ...webhookDeliveryStates] as const;

/** "118 ms", or "10 s" of long ones. */
const took = (milliseconds: number): string =>
  milliseconds < 1000 ? `${formatCount(milliseconds)} ms` : `${Number((milliseconds / 1000).toFixed(1))} s`;

const columns: Column<WebhookDelivery>[] = [
  {
    id: 'type',
    label: 'Event',
    cell: ({ type, eventId }) => (
      <span className={styles.two}>
        <span className="mono">{type}</span>
        <span className="small quiet mono">{eventId}</span>
      </span>
    ),
    text: ({ type, eventId }) => `${type} ${eventId}`,
    fixed: true,
    card: 'key',
  },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => <StateMark state={deliveryStates[state][0]}>{deliveryStates[state][1]}</StateMark>,
    text: ({ state }) => deliveryStates[state][1],
    card: 'state',
  },
  { id: 'createdAt', label: 'Since', cell: ({ createdAt }) => <DateText value={createdAt} />, text: ({ createdAt }) => createdAt },
  { id: 'attempts', label: 'Attempts', cell: ({ attempts }) => attempts, align: 'end' },
  {
    id: 'outcome',
    label: 'Last answer',
    cell: delivery => outcomeOf(delivery) || <span className="quiet">none yet</span>,
    text: outcomeOf,
    wrap: true,
    width: 240,
    card: 'wide',
  },
  {
    id: 'took',
    label: 'Took',
    cell: ({ milliseconds }) => (milliseconds === null ? '' : <span className="nw">{took(milliseconds)}</span>),
    text: ({ milliseconds }) => String(milliseconds ?? ''),
    align: 'end',
    card: 'none',
  },
  {
    id: 'nextAt',
    label: 'Next attempt',
    cell: ({ nextAt }) => (nextAt === null ? <span className="quiet">–</span> : <DateText value={nextAt} />),
    text: ({ nextAt }) => nextAt ?? '',
  },
];

/** Deliveries of a webhook, filtered by state (`?show=failed`), page by page (`?before=ID`); one delivery is opened by `?delivery=ID`. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  const delay = usePollingDelay();
  const [table, setTable] = useState(emptyTableState);
  const show = address.oneOf('show', choices);
  const before = address.get('before') ?? '';
  const input = {
    account,
    webhookId: webhook.webhookId,
    query: { ...(show !== 'all' && { state: show }), ...(before !== '' && { before }) },
  };
  const { answer, stale } = useSteadyAnswer(webhooks.listDeliveries, input);
  // Events arrive and attempts are made while a person looks.
  useQuery({ ...reading(call, webhooks.listDeliveries, input), refetchInterval: delay });
  const { rows, older } = answer;
  const opened = address.get('delivery') ?? '';
  return (
    <Sheet flush title="Deliveries">
      <DataTable
        caption={`Deliveries of ${webhook.label}`}
        columns={columns}
        rows={rows}
        rowId={({ deliveryId }) => deliveryId}
        rowLabel={({ type }) => type}
        state={table}
        onStateChange={setTable}
        loading={stale}
        tools={
          <Segmented
            label="Show"
            value={show}
            options={choices.map(value => ({ value, label: value === 'all' ? 'All' : deliveryStates[value][1] }))}
            onChange={value => address.set({ show: value === 'all' ? null : value, before: null })}
          />
        }
        empty={
          <EmptyState title="No deliveries">
            {show === 'all' ? 'Events of the last 30 days appear here. Send a test event to try it.' : 'No delivery is in this state.'}
          </EmptyState>
        }
        onOpen={({ deliveryId }) => address.set({ delivery: deliveryId }, { step: true })}
        current={opened === '' ? null : opened}
      />
      {(older || before !== '') && (
        <ButtonRow>
          {before !== '' && <Button onClick={() => address.set({ before: null })}>Newest</Button>}
          {older && <Button onClick={() => address.set({ before: rows.at(-1)!.deliveryId }, { step: true })}>Older</Button>}
        </ButtonRow>
      )}
      {opened !== '' && <OpenedDelivery webhook={webhook} deliveryId={opened} onClose={() => address.set({ delivery: null })} />}
    </Sheet>
  );
}

function OpenedDelivery({ webhook, deliveryId, onClose }: { webhook: Webhook; deliveryId: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { call, notify } = useKit();
  const one = { account, webhookId: webhook.webhookId, deliveryId };
  const refusal = useRefusal(webhooks.replayDelivery);
  const { data, error } = useQuery(reading(call, webhooks.getDelivery, one));
  const replay = useChange(webhooks.replayDelivery, {
    refresh: [webhooks.listWebhooks, webhooks.listDeliveries, webhooks.getDelivery],
    onDone: () => {
      notify({ text: 'The event is sent again.' });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={data?.delivery.type ?? 'Delivery'}>
      {error ? (
        <p>{error.message}.</p>
      ) : !data ? (
        <SkeletonLines lines={6} />
      ) : (
        <Stack gap={16}>
          <pre className={`mono small ${styles.content}`}>{JSON.stringify(JSON.parse(data.content), null, 2)}</pre>
          <ul className={styles.attempts}>
            {data.attempts.map(attempt => (
              <li key={attempt.at}>
                <DateText value={attempt.at} /> · {outcomeOf(attempt)} · {took(attempt.milliseconds)}
                {attempt.answer !== '' && <pre className={`mono small ${styles.content}`}>{attempt.answer}</pre>}
              </li>
            ))}
            {data.attempts.length === 0 && <li className="quiet">No attempt yet.</li>}
          </ul>
          <ButtonRow>
            {webhook.state === 'active' ? (
              <Button variant="primary" busy={replay.isPending} refusal={refusal} refusalIn="note" onClick={() => replay.mutate(one)}>
                Send again
              </Button>
            ) : (
              <LinkButton href={`/resources/registry-api/webhook?webhook=${webhook.webhookId}`}>
                Turn the webhook on to send it again
              </LinkButton>
            )}
            <Button onClick={onClose}>Close</Button>
          </ButtonRow>
        </Stack>
      )}
    </Dialog>
  );
}
