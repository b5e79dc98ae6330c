import { ErrorWords, Page, useAddress, useChange, useKit, useSteadyAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type RegistryRequest, registryRequests } from '@portal/contract/registry-requests';
import { Banner, Button, DateText, EmptyState, Grid, Panel, SearchInput, Segmented, Sheet, Stack } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/DataTable';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useBeside } from '../beside.ts';
import { ContactRequestPanel } from './ContactRequestPanel.tsx';
import styles from './ContactRequestsPage.module.css';
import { DecisionDialog, type Decision } from './DecisionDialog.tsx';
import { askedWords } from './request-words.ts';
import { ResultMark } from './ResultMark.tsx';

const pageSize = 20;
/** Long enough for the next key to follow. */
const pauseMs = 200;

/** For registry staff: corporate contacts that members want to add, change or remove. The queue, one request beside it, and the decision. */
export default function ContactRequestsPage() {
  const address = useAddress();
  const answers = useQueryClient();
  const { notify } = useKit();
  const status = address.oneOf('status', ['waiting', 'decided']);
  const q = address.get('q') ?? '';
  const openId = address.get('request');
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const { answer, stale } = useSteadyAnswer(registryRequests.listRegistryRequests, {
    query: { status: status === 'waiting' ? 'PENDING' : 'RESOLVED', q, offset: (page - 1) * pageSize, limit: pageSize },
  });
  const [decision, setDecision] = useState<Decision | null>(null);
  const [decided, setDecided] = useState<RegistryRequest | null>(null);
  const { beside, reveal, focus } = useBeside();

  const finish = (request: RegistryRequest) => {
    setDecision(null);
    setDecided(request);
    notify({
      text: `${request.status === 'APPROVED' ? 'Approved' : 'Refused'}: ${askedWords(request).toLowerCase()}, ${request.contact.name}. The member gets an e-mail.`,
    });
    // The buttons that had the focus are gone.
    focus();
  };
  const how = { refresh: [registryRequests.listRegistryRequests], showsErrors: true, onDone: finish };
  const approve = useChange(registryRequests.approveRegistryRequest, how);
  const refuse = useChange(registryRequests.refuseRegistryRequest, how);
  const failure = approve.error ?? refuse.error;
  const overtaken = failure?.code === 'ALREADY_RESOLVED' ? (failure.current as RegistryRequest | undefined) : undefined;
  useEffect(() => {
    if (failure) void answers.invalidateQueries({ queryKey: [registryRequests.listRegistryRequests.id] });
  }, [failure, answers]);
  const shown = [decided, overtaken, ...answer.rows].find(request => request?.requestId === openId);
  const deciding = decision !== null && shown?.status === 'PENDING' ? { decision, request: shown } : null;
  const send = (words: string) => {
    if (!deciding) return;
    const { requestId } = deciding.request;
    if (deciding.decision === 'approve') approve.mutate({ requestId, body: { note: words } });
    else refuse.mutate({ requestId, body: { reason: words } });
  };
  const start = (next: Decision) => {
    approve.reset();
    refuse.reset();
    setDecision(next);
  };
  const open = (request: RegistryRequest) => {
    address.set({ request: request.requestId }, { step: true });
    reveal();
  };

  return (
    <Page
      title={pages.contactRequests.title}
      sub="Corporate contacts speak for a member. Who becomes one, who stops being one and who leaves is for the registry to approve."
    >
      <Stack gap={16}>
        {failure && !deciding && (
          <Banner kind="error" traceId={failure.errors[0]?.traceId}>
            {overtaken ? (
              `${overtaken.resolvedBy ?? 'Somebody else'} decided this request already.`
            ) : (
              <ErrorWords message={failure.message} />
            )}
          </Banner>
        )}
        <Grid columns={openId === null ? 1 : 'split-wide'}>
          <Sheet flush aria-label="Requests">
            <DataTable
              caption={status === 'waiting' ? 'Requests that wait, oldest first' : 'Requests that were decided, newest first'}
              columns={(status === 'waiting' ? waitingColumns : decidedColumns).filter(
                ({ id }) => openId === null || !besides.includes(id),
              )}
              rows={answer.rows}
              rowId={request => request.requestId}
              state={{ ...emptyTableState, page }}
              onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null })}
              total={answer.total}
              pageSize={pageSize}
              loading={stale}
              onOpen={open}
              current={openId}
              tools={
                <>
                  <Segmented
                    label="Which requests"
                    value={status}
                    options={[
                      { value: 'waiting', label: 'Waiting' },
                      { value: 'decided', label: 'Decided' },
                    ]}
                    onChange={next => address.set({ status: next === 'waiting' ? null : next, page: null, request: null })}
                  />
                  <Words value={q} onChange={next => address.set({ q: next, page: null })} />
                </>
              }
              empty={<NoRequests status={status} q={q} onClear={() => address.set({ q: null, page: null })} />}
            />
          </Sheet>
          {openId !== null && (
            <div ref={beside} tabIndex={-1} className={styles.beside}>
              {shown ? (
                <ContactRequestPanel request={shown} onDecide={start} onClose={() => address.set({ request: null })} />
              ) : (
                <Panel title="Not in this list" onClose={() => address.set({ request: null })}>
                  <p className="small muted">
                    The request was decided or withdrawn meanwhile, or the search leaves it out. Look under{' '}
                    {status === 'waiting' ? 'Decided' : 'Waiting'}.
                  </p>
                </Panel>
              )}
            </div>
          )}
        </Grid>
      </Stack>
      {deciding && (
        <DecisionDialog
          {...deciding}
          busy={approve.isPending || refuse.isPending}
          failure={failure}
          onSend={send}
          onClose={() => setDecision(null)}
        />
      )}
    </Page>
  );
}

/** Columns that make room for the panel, which says the same. */
const besides: readonly string[] = ['requestedBy', 'resolvedBy'];

const common: Column<RegistryRequest>[] = [
  {
    id: 'contact',
    label: 'Contact',
    fixed: true,
    wrap: true,
    card: 'key',
    cell: ({ contact }) => (
      <>
        <span className="strong">{contact.name}</span>
        <span className={styles.email}>{contact.email}</span>
      </>
    ),
    text: ({ contact }) => contact.name,
  },
  { id: 'asked', label: 'Asked for', fixed: true, wrap: true, card: 'wide', cell: askedWords },
  {
    id: 'accountName',
    label: 'Account',
    fixed: true,
    wrap: true,
    card: 'wide',
    cell: ({ accountName, orgName }) => (
      <>
        {accountName} <span className="quiet">{orgName}</span>
      </>
    ),
    text: ({ accountName }) => accountName,
  },
];
const waitingColumns: Column<RegistryRequest>[] = [
  ...common,
  { id: 'requestedBy', label: 'Asked by', fixed: true, card: 'wide', cell: request => request.requestedBy },
  { id: 'requestedAt', label: 'Since', fixed: true, cell: request => <DateText value={request.requestedAt} shape="date" /> },
];
const decidedColumns: Column<RegistryRequest>[] = [
  ...common,
  { id: 'status', label: 'Result', fixed: true, card: 'state', cell: ({ status }) => <ResultMark status={status} /> },
  { id: 'resolvedBy', label: 'By', fixed: true, card: 'wide', cell: ({ resolvedBy }) => resolvedBy ?? '' },
  {
    id: 'resolvedAt',
    label: 'On',
    fixed: true,
    cell: ({ resolvedAt }) => (resolvedAt ? <DateText value={resolvedAt} shape="date" /> : ''),
  },
];

function Words({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  // What is being typed counts until the address says something else (a link, the way back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = typed.above === value ? typed.text : value;
  const type = (next: string) => {
    clearTimeout(timer.current);
    setTyped({ text: next, above: value });
    const commit = () => {
      setTyped({ text: next, above: next.trim() });
      onChange(next.trim());
    };
    timer.current = setTimeout(commit, pauseMs);
  };
  return (
    <SearchInput
      label="Account, name or e-mail"
      value={text}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      className={styles.words}
      onChange={type}
    />
  );
}

function NoRequests({ status, q, onClear }: { status: 'waiting' | 'decided'; q: string; onClear: () => void }) {
  if (q !== '')
    return (
      <EmptyState
        title={`No ${status === 'waiting' ? 'waiting' : 'decided'} request matches “${q}”`}
        picture={false}
        action={<Button onClick={onClear}>Show all</Button>}
      >
        The search looks at account names, names and e-mail addresses of contacts.
      </EmptyState>
    );
  if (status === 'decided') return <EmptyState title="Nothing was decided yet" picture={false} />;
  return (
    <EmptyState title="Nothing waits" picture={false}>
      Requests stand here from the moment a member asks to add, change or remove a corporate contact.
    </EmptyState>
  );
}
