import { Page, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type ElectionProxy, proxies } from '@portal/contract/elections/proxies';
import { voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { Button, DateText, EmptyState, LinkButton, Sheet, type State, StateMark } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { MemberOnly, useShownPage } from './MemberOnly.tsx';

const marks: Record<ElectionProxy['state'], { state: State; words: string }> = {
  active: { state: 'valid', words: 'Appointed' },
  used: { state: 'info', words: 'Voted' },
  revoked: { state: 'closed', words: 'Revoked' },
  voided: { state: 'invalid', words: 'Voided' },
  expired: { state: 'closed', words: 'Expired' },
};

/** `/voting/proxy-history`: every proxy the account appointed, and the way to revoke one. */
export default function ProxyHistoryPage() {
  return (
    <MemberOnly title={pages.proxyHistory.title}>
      <ProxyHistory />
    </MemberOnly>
  );
}

function ProxyHistory() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(proxies.listProxies, { account });
  const refusal = useRefusal(proxies.revokeProxy);
  const [revoking, setRevoking] = useState<ElectionProxy | null>(null);
  const table = useShownPage(rows);
  const columns: Column<ElectionProxy>[] = [
    { id: 'election', label: 'Election', card: 'key', fixed: true, wrap: true, cell: ({ title }) => title },
    {
      id: 'name',
      label: 'Proxy',
      fixed: true,
      wrap: true,
      cell: ({ fullName }) => <bdi>{fullName}</bdi>,
      text: ({ fullName }) => fullName,
    },
    { id: 'email', label: 'E-mail', fixed: true, wrap: true, cell: ({ email }) => email },
    { id: 'by', label: 'Appointed by', fixed: true, wrap: true, cell: ({ appointedBy }) => <bdi>{appointedBy}</bdi> },
    { id: 'at', label: 'Appointed', fixed: true, cell: ({ appointedAt }) => <DateText value={appointedAt} /> },
    {
      id: 'state',
      label: 'State',
      fixed: true,
      wrap: true,
      card: 'state',
      cell: ({ state, endReason }) => (
        <>
          <StateMark state={marks[state].state}>{marks[state].words}</StateMark>
          {endReason && <span className="small quiet"> {endReason}</span>}
        </>
      ),
      text: ({ state }) => marks[state].words,
    },
    {
      id: 'act',
      label: 'Action',
      fixed: true,
      cell: proxy =>
        proxy.revocable && (
          <Button
            size="s"
            variant="danger"
            refusal={refusal}
            refusalIn="note"
            aria-label={`Revoke ${proxy.fullName}`}
            onClick={() => setRevoking(proxy)}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <Page title={pages.proxyHistory.title} sub={`Proxies ${account} appointed. Appointing a proxy removes the right to vote directly.`}>
      <Sheet flush aria-label="Proxies">
        <DataTable
          caption="Proxies, newest first"
          columns={columns}
          rowId={({ proxyId }) => proxyId}
          {...table}
          empty={
            <EmptyState title="No proxies yet" picture={false} action={<LinkButton href={pages.voting.path}>View elections</LinkButton>}>
              Proxies you appoint in an election appear here.
            </EmptyState>
          }
        />
      </Sheet>
      {revoking && <Revoke account={account} proxy={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  );
}

function Revoke({ account, proxy, onClose }: { account: string; proxy: ElectionProxy; onClose: () => void }) {
  const { notify } = useKit();
  const revoke = useChange(proxies.revokeProxy, {
    refresh: [proxies.listProxies, proxies.getProxyForm, voting.getMemberVoting],
    onDone: ({ fullName }) => {
      notify({ text: `${fullName} is no longer the proxy of ${account}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${proxy.fullName}`}
      act="Revoke the proxy"
      kind="danger"
      keep="Keep the proxy"
      busy={revoke.isPending}
      onAct={() => revoke.mutate({ account, proxyId: proxy.proxyId })}
    >
      {account} can vote directly in “{proxy.title}” again, or appoint another proxy. We write to {proxy.fullName} and to your corporate
      contacts.
    </ConfirmDialog>
  );
}
