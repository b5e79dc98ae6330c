import { Page, read, useAccount, useAnswer, useRefusal } from '@portal/app-kit';
import { type Webhook, webhooks } from '@portal/contract/webhooks/webhooks';
import { Button, DateText, EmptyState, Link, LinkButton, Row, Sheet, SkeletonRows, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import styles from './Webhooks.module.css';
import { newWebhookPath, outcomeOf, stateOf, subjectsOf, webhookPath } from '../shell/webhook-words.ts';

/** Addresses that are notified of every activity in the account. */
export default function WebhooksPage() {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(webhooks.createWebhook);
  return (
    <Page
      title="Webhooks"
      sub={`Activities of ${account} are sent to your own systems as they happen, signed.`}
      actions={
        <Row gap={8} wrap>
          <LinkButton href="/registry-api/docs#webhooks" target="_blank">
            How to receive events
          </LinkButton>
          {refusal === null ? (
            <LinkButton href={newWebhookPath} variant="primary" icon="plus">
              Create webhook
            </LinkButton>
          ) : (
            <Button variant="primary" icon="plus" refusal={refusal} refusalIn="note">
              Create webhook
            </Button>
          )}
        </Row>
      }
    >
      <AccountNote />
      <FirstRead
        reads={[read(webhooks.listWebhooks, { account })]}
        fallback={
          <Sheet flush aria-label="Webhooks">
            <SkeletonRows rows={3} label="Loading webhooks" />
          </Sheet>
        }
      >
        <WebhookTable />
      </FirstRead>
    </Page>
  );
}

const columns: Column<Webhook>[] = [
  {
    id: 'label',
    label: 'Webhook',
    cell: ({ webhookId, label, url }) => (
      <span className={styles.two}>
        <Link href={webhookPath(webhookId)}>
          <b>{label}</b>
        </Link>
        <span className={`small quiet mono ${styles.address}`}>{url}</span>
      </span>
    ),
    text: ({ label, url }) => `${label} ${url}`,
    wrap: true,
    fixed: true,
    card: 'key',
  },
  {
    id: 'state',
    label: 'State',
    cell: webhook => {
      const [mark, words] = stateOf(webhook);
      return <StateMark state={mark}>{words}</StateMark>;
    },
    text: webhook => stateOf(webhook)[1],
    card: 'state',
  },
  { id: 'subjects', label: 'Sends', cell: subjectsOf, text: subjectsOf, wrap: true, width: 220 },
  {
    id: 'lastAttempt',
    label: 'Last attempt',
    cell: ({ lastAttempt }) =>
      lastAttempt === null ? (
        <span className="quiet">never</span>
      ) : (
        <span className={styles.two}>
          <DateText value={lastAttempt.at} />
          <span className="small quiet">{outcomeOf(lastAttempt)}</span>
        </span>
      ),
    text: ({ lastAttempt }) => (lastAttempt === null ? 'never' : `${lastAttempt.at} ${outcomeOf(lastAttempt)}`),
    wrap: true,
    width: 200,
  },
  { id: 'waiting', label: 'Waiting', cell: ({ waiting }) => waiting, align: 'end' },
  { id: 'savedBy', label: 'Owner', cell: ({ savedBy }) => savedBy, look: 'quiet' },
];

function WebhookTable() {
  const { accountName: account } = useAccount();
  const [table, setTable] = useState(emptyTableState);
  const { rows } = useAnswer(webhooks.listWebhooks, { account });
  if (rows.length === 0)
    return (
      <Sheet aria-label="Webhooks">
        <EmptyState title="No webhooks yet" action={<Link href={newWebhookPath}>Create the first webhook</Link>}>
          Your monitoring or chat learns of each change to {account}: routes, reverse DNS, whois objects, contacts, requests and invoices.
        </EmptyState>
      </Sheet>
    );
  return (
    <Sheet flush aria-label="Webhooks">
      <DataTable
        caption={`Webhooks of ${account}`}
        columns={columns}
        rows={rows}
        rowId={({ webhookId }) => webhookId}
        rowLabel={({ label }) => label}
        state={table}
        onStateChange={setTable}
        countLabel={`${rows.length} ${rows.length === 1 ? 'webhook' : 'webhooks'}`}
      />
    </Sheet>
  );
}
