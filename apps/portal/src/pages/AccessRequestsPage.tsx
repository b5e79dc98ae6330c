import { later } from '@portal/app-kit/page/later';
import { changedSearch, Page, useAccount, useAddress, useAnswer, usePlace, useSteadyAnswer } from '@portal/app-kit';
import { type AccessRequest, accessRequestKinds, accessRequests } from '@portal/contract/contacts/access-requests';
import { Button, DateText, EmptyState, Select, Sheet, StateMark, Tabs } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { Suspense } from 'react';
import styles from './AccessRequestsPage.module.css';
import { capital, countWords } from './contacts/contact-words.ts';
import { PersonMark } from './contacts/list/PersonMark.tsx';
import { OutcomeMark } from './requests/RequestOutcome.tsx';
import { kindWords, narrowedWords, requestWords } from './requests/request-words.ts';

const ResolveDialog = later(() => import('./requests/ResolveDialog.tsx'), 'ResolveDialog');

/** Requests to the account: open ones, oldest first, and how earlier ones ended. */
export default function AccessRequestsPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const { path } = usePlace();
  const all = useAnswer(accessRequests.listAccessRequests, { account });
  const waiting = all.filter(request => request.status === 'pending');
  const history = address.get('view') === 'history';
  const open = all.find(request => request.requestId === address.get('request'));
  return (
    <Page
      title="Access requests"
      sub={`People who ask to act for ${account}, or to have more permissions. Nothing changes until a request is approved.`}
    >
      <Tabs
        label="Access requests"
        items={[
          { href: path + changedSearch('', {}), label: 'Pending', count: waiting.length, current: !history },
          { href: path + changedSearch('', { view: 'history' }), label: 'History', current: history },
        ]}
      />
      {history ? <History /> : <Waiting requests={waiting} />}
      {open && (
        <Suspense>
          <ResolveDialog key={open.requestId} request={open} onClose={() => address.set({ request: null })} />
        </Suspense>
      )}
    </Page>
  );
}

function Waiting({ requests }: { requests: readonly AccessRequest[] }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  if (requests.length === 0)
    return (
      <Sheet>
        <EmptyState title="No open requests">
          Requests to be linked to {account}, for permissions or to change contacts appear here. Contacts who can approve them get an
          e-mail.
        </EmptyState>
      </Sheet>
    );
  return (
    <Sheet flush aria-label="Pending requests">
      <output className="vh">{countWords(requests.length, 'open request', 'open requests')}</output>
      <ul>
        {requests.map(request => (
          <li key={request.requestId} className={styles.request}>
            <PersonMark name={request.requester.name} />
            <div className={styles.words}>
              <p className="strong">{requestWords(request, account)}</p>
              <p className="small quiet">
                {request.requester.email} · asked on <DateText value={request.requestedAt} shape="date" /> · open until{' '}
                <DateText value={request.expiresAt} shape="date" />
              </p>
              {request.reason && <blockquote>{request.reason}</blockquote>}
              {!request.requester.emailVerified && <StateMark state="warning">e-mail address not verified</StateMark>}
            </div>
            {request.isMine ? (
              <span className={styles.mine}>your own request: another contact resolves it</span>
            ) : (
              <Button
                className={styles.act}
                aria-label={`Review: ${requestWords(request, account)}`}
                onClick={() => address.set({ request: request.requestId })}
              >
                Review
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

const pageSize = 20;
const outcomes = [
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'other', label: 'Closed' },
] as const;

function History() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const status = outcomes.find(({ value }) => value === address.get('outcome'))?.value;
  const kind = accessRequestKinds.find(each => each === address.get('kind'));
  const page = Math.max(1, Math.floor(Number(address.get('page')) || 1));
  const { answer, stale } = useSteadyAnswer(accessRequests.listResolvedRequests, {
    account,
    query: { ...(status && { status }), ...(kind && { kind }), offset: (page - 1) * pageSize, limit: pageSize },
  });
  const columns: Column<AccessRequest>[] = [
    {
      id: 'request',
      label: 'Request',
      wrap: true,
      fixed: true,
      cell: request => (
        <span className={styles.past}>
          <span className="strong">{requestWords(request, account)}</span>
          {(request.note || narrowedWords(request)) && (
            <span className={styles.note}>{[capital(narrowedWords(request) ?? ''), request.note].filter(Boolean).join('. ')}</span>
          )}
        </span>
      ),
    },
    { id: 'outcome', label: 'Outcome', fixed: true, card: 'wide', cell: request => <OutcomeMark request={request} /> },
    { id: 'by', label: 'By', fixed: true, cell: request => request.resolvedBy ?? '' },
    {
      id: 'at',
      label: 'Resolved',
      fixed: true,
      look: 'quiet',
      cell: request => (request.resolvedAt ? <DateText value={request.resolvedAt} /> : ''),
    },
  ];
  const isFiltered = status !== undefined || kind !== undefined;
  return (
    <Sheet flush aria-label="Earlier requests">
      <DataTable
        caption={`Earlier requests to ${account}`}
        columns={columns}
        rows={answer.rows}
        rowId={request => request.requestId}
        state={{ ...emptyTableState, page }}
        onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null })}
        total={answer.total}
        pageSize={pageSize}
        loading={stale}
        countLabel={countWords(answer.total, 'request', 'requests')}
        tools={
          <>
            <Select
              aria-label="Outcome"
              size="s"
              value={status ?? ''}
              onChange={event => address.set({ outcome: event.target.value, page: null })}
              options={[{ value: '', label: 'Any outcome' }, ...outcomes]}
            />
            <Select
              aria-label="Type of request"
              size="s"
              value={kind ?? ''}
              onChange={event => address.set({ kind: event.target.value, page: null })}
              options={[{ value: '', label: 'Any type' }, ...accessRequestKinds.map(value => ({ value, label: kindWords[value] }))]}
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState
              title="No matches"
              action={<Button onClick={() => address.set({ outcome: null, kind: null, page: null })}>Clear the filters</Button>}
            >
              No earlier request to {account} matches these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No resolved requests">Approved, rejected and expired requests appear here.</EmptyState>
          )
        }
      />
    </Sheet>
  );
}
