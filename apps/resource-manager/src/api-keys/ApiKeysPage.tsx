import { Page, read, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type ApiKey, apiKeyKeptDays, apiKeys } from '@portal/contract/api-keys/api-keys';
import { webhooks } from '@portal/contract/webhooks/webhooks';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Banner, Button, DateText, EmptyState, formatCount, Link, LinkButton, Row, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import styles from './ApiKeys.module.css';
import { CallBars } from './CallBars.tsx';
import { RotateKey } from './RotateKey.tsx';
import { CreatorFilter } from './CreatorFilter.tsx';
import { KeyCall } from './KeyCall.tsx';
import { KeyPanel } from './KeyPanel.tsx';
import { KeyState, stateWords, works } from './KeyState.tsx';
import { scopeWords, usageAsCsv } from './scope-words.ts';
import { SidePanelLayout } from '../shell/SidePanelLayout.tsx';
import { WebhookSummary } from './WebhookSummary.tsx';

const newKey = '/resources/registry-api/api-key-create';
/** Keys with which programs use the registry API: what each can do, its use, rotation (`?rotate=ID`) and revocation (`?revoke=ID`). */
export default function ApiKeysPage() {
  const { accountName: account, contactTypes } = useAccount();
  const refusal = useRefusal(apiKeys.createApiKey);
  const seesWebhooks = useRefusal(webhooks.listWebhooks) === null;
  return (
    <Page
      title="API keys"
      sub={`Programs act for ${account} with these keys. A key can do no more than the contact who created it, and stops when that contact loses access.${contactTypes.includes('corporate') ? '' : ' You see your own keys; corporate contacts see all of them.'}`}
      actions={
        <Row gap={8} wrap>
          <LinkButton href="/registry-api/docs" target="_blank">
            API reference
          </LinkButton>
          {refusal === null ? (
            <LinkButton href={newKey} variant="primary" icon="plus">
              Create key
            </LinkButton>
          ) : (
            <Button variant="primary" icon="plus" refusal={refusal} refusalIn="note">
              Create key
            </Button>
          )}
        </Row>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <FirstRead
          reads={[read(apiKeys.listApiKeys, { account })]}
          fallback={
            <Sheet flush aria-label="API keys">
              <SkeletonRows rows={4} label="Loading API keys" />
            </Sheet>
          }
        >
          <Keys />
        </FirstRead>
        {seesWebhooks && (
          <FirstRead reads={[read(webhooks.listWebhooks, { account })]} fallback={<SkeletonRows rows={2} label="Loading webhooks" />}>
            <WebhookSummary />
          </FirstRead>
        )}
        <Sandbox />
      </Stack>
    </Page>
  );
}

/** Link to the sandbox, or a note that this is one. */
function Sandbox() {
  const { isSandbox, sandboxUrl, registryName } = useKit().environment;
  if (isSandbox)
    return (
      <Banner title="You are in the sandbox.">
        Keys created here begin with <span className="mono">mr_test_</span> and work in the sandbox only. Keys that begin with{' '}
        <span className="mono">mr_live_</span> are refused here.
      </Banner>
    );
  if (sandboxUrl === '') return null;
  return (
    <Sheet
      title="Sandbox"
      meta={<span>Try calls without effect</span>}
      actions={
        <LinkButton size="s" href={`${sandboxUrl.replace(/\/$/, '')}/resources/registry-api/api-key-list`} target="_blank" icon="external">
          Open the sandbox
        </LinkButton>
      }
    >
      <p>
        The sandbox is a copy of {registryName} with your account in it. It has the same pages and the same API, but nothing is published,
        no e-mail is sent and no webhook is called. Sign in with the same login and create a key there: it begins with{' '}
        <span className="mono">mr_test_</span> and works in the sandbox only. The copy is replaced from time to time, with everything done
        in it.
      </p>
    </Sheet>
  );
}

const columns: Column<ApiKey>[] = [
  {
    id: 'label',
    label: 'Key',
    cell: ({ label, prefix, createdBy }) => (
      <span className={styles.two}>
        <b>{label}</b>
        <span className="small quiet mono">{prefix.slice(0, 12)}…</span>
        <span className="small quiet">by {createdBy}</span>
      </span>
    ),
    text: ({ label }) => label,
    fixed: true,
    card: 'key',
  },
  {
    id: 'scopes',
    label: 'Scopes',
    cell: ({ scopes, networks }) => (
      <span className={styles.two}>
        {[true, false].map(writes => {
          const words = scopeWords(scopes, writes);
          return (
            words && (
              <span key={String(writes)} className={writes ? '' : 'quiet'}>
                {writes ? 'Writes' : 'Reads'} {words}
              </span>
            )
          );
        })}
        {networks.length > 0 && <span className="small quiet mono">from {networks.join(', ')}</span>}
      </span>
    ),
    text: ({ scopes, networks }) => [...scopes, ...networks].join(', '),
    wrap: true,
    card: 'wide',
  },
  {
    id: 'lastUse',
    label: 'Last use',
    cell: ({ lastUse }) =>
      lastUse === null ? (
        <span className="quiet">never</span>
      ) : (
        <span className={styles.two}>
          <DateText value={lastUse.at} />
          <span className="mono small quiet">{lastUse.address}</span>
        </span>
      ),
    text: ({ lastUse }) => (lastUse === null ? 'never' : `${lastUse.at} ${lastUse.address}`),
  },
  {
    id: 'calls',
    label: 'Calls, 14 days',
    cell: ({ calls, refusedCalls }) => (
      <span className={styles.two}>
        <CallBars calls={calls} />
        {refusedCalls > 0 && <span className="small">{formatCount(refusedCalls)} refused</span>}
      </span>
    ),
    text: ({ calls }) => String(calls.reduce((sum, each) => sum + each, 0)),
  },
  {
    id: 'state',
    label: 'State',
    cell: key => <KeyStateNow apiKey={key} />,
    text: ({ state }) => stateWords[state][1],
    card: 'state',
  },
];

function KeyStateNow({ apiKey }: { apiKey: ApiKey }) {
  const [now] = useState(() => Date.now());
  return <KeyState apiKey={apiKey} now={now} />;
}

function Keys() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [table] = useState(emptyTableState);
  const [now] = useState(() => Date.now());
  const { rows } = useAnswer(apiKeys.listApiKeys, { account });
  const close = () => address.set({ revoke: null, rotate: null });
  const revoke = useChange(apiKeys.revokeApiKey, {
    refresh: [apiKeys.listApiKeys],
    onDone: ({ label }) => {
      close();
      notify({ text: `${label} is revoked. Calls with it are refused from now on.` });
    },
  });
  const toRevoke = rows.find(key => key.apiKeyId === address.get('revoke') && works(key));
  const toRotate = rows.find(key => key.apiKeyId === address.get('rotate'));
  const active = rows.filter(works).length;
  const creators = [...new Set(rows.map(({ createdBy }) => createdBy))].toSorted();
  const by = creators.find(name => name === address.get('by'));
  const shown = rows.filter(({ createdBy }) => by === undefined || createdBy === by);
  const chosen =
    shown.find(({ apiKeyId }) => apiKeyId === address.get('key')) ?? shown.find(({ state }) => state === 'rotating') ?? shown[0];
  if (rows.length === 0)
    return (
      <Sheet aria-label="API keys">
        <EmptyState title="No API keys yet" action={<Link href={newKey}>Create the first key</Link>}>
          With a key, a program reads and changes whois objects, reverse DNS, routes and ROAs, customers and tasks of {account}.
        </EmptyState>
      </Sheet>
    );
  return (
    <SidePanelLayout>
      <Stack gap={16}>
        <Sheet
          flush
          title="Keys"
          meta={<span>{active === rows.length ? `${active} active` : `${active} active, ${rows.length - active} ended`}</span>}
          actions={
            <Button size="s" variant="quiet" icon="download" onClick={() => saveTextFile(`api-keys-${account}.csv`, usageAsCsv(rows))}>
              Usage as CSV
            </Button>
          }
          footer={<span className="small quiet">A revoked key stops within a second, and stays listed for {apiKeyKeptDays} days.</span>}
        >
          <DataTable
            caption={`API keys of ${account}`}
            columns={columns}
            rows={shown}
            rowId={({ apiKeyId }) => apiKeyId}
            rowLabel={({ label }) => label}
            state={table}
            current={chosen?.apiKeyId ?? null}
            onOpen={({ apiKeyId }) => address.set({ key: apiKeyId })}
            tools={creators.length > 1 && <CreatorFilter creators={creators} by={by} />}
          />
        </Sheet>
        {chosen && works(chosen) && <KeyCall apiKey={chosen} />}
      </Stack>
      {chosen && <KeyPanel key={chosen.apiKeyId} apiKey={chosen} now={now} />}
      <ConfirmDialog
        open={toRevoke !== undefined}
        onClose={close}
        title={`Revoke ${toRevoke?.label ?? 'the key'}?`}
        act="Revoke key"
        kind="danger"
        busy={revoke.isPending}
        onAct={() => toRevoke && revoke.mutate({ account, apiKeyId: toRevoke.apiKeyId })}
      >
        <p>Programs that use it are refused immediately. This can’t be undone: create a new key instead.</p>
      </ConfirmDialog>
      {toRotate && <RotateKey key={toRotate.apiKeyId} apiKey={toRotate} onClose={close} />}
    </SidePanelLayout>
  );
}
