import { Page, useAddress, useKit, useSession } from '@portal/app-kit';
import type { Account } from '@portal/contract/accounts/accounts';
import { pages } from '@portal/contract/pages';
import { Badge, Button, ButtonRow, DateText, EmptyState, Link, LinkButton, Panel, Sheet, Stack, StateMark, Switch } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { accountTypeWords, contactWords } from '@portal/app-kit/words/account-words';
import { optionalPart } from '@portal/app-kit/page/later';
import { useSidePanel } from '@portal/app-kit/embedded/side-panel';
import { useFreshAccounts } from './joining/accounts-again.ts';
import { LeaveAccount } from './joining/LeaveAccount.tsx';
import { LinkRequests } from './joining/LinkRequests.tsx';
import styles from './MyAccountsPage.module.css';
import { PermissionWords } from './PermissionWords.tsx';

const OwnInvitations = optionalPart(() => import('./joining/OwnInvitations.tsx'), 'OwnInvitations');

/** Columns that make room for the panel. */
const besides: readonly string[] = ['economy', 'accountType'];

/** All accounts of the person: the selected one, roles, permissions; and ways to get access to others. */
export default function MyAccountsPage() {
  const { accounts, closedAccounts, account, selectAccount } = useSession();
  const { notify } = useKit();
  const address = useAddress();
  const open = address.get('account');
  // The address may have a closed one.
  const [withClosed, setWithClosed] = useState(() => closedAccounts.some(({ accountName }) => accountName === open));
  const [state, setState] = useState(emptyTableState);
  const [leaving, setLeaving] = useState<Account | null>(null);
  const { beside, reveal } = useSidePanel();
  useFreshAccounts();
  const listed = sorted(withClosed ? [...accounts, ...closedAccounts] : accounts, state.sort);
  const shown = listed.find(row => row.accountName === open) ?? null;

  const select = (accountName: string) => {
    selectAccount(accountName);
    notify({ text: `${accountName} is selected.`, link: { href: '/', label: 'Open' } });
  };
  const columns = columnsOf(account?.accountName);

  if (accounts.length + closedAccounts.length === 0) return <NoAccounts />;
  return (
    <Page title="My accounts" sub="Other pages show the selected account. Select a row to see your permissions in it." actions={<Ways />}>
      <Stack gap={16}>
        <div className={shown ? styles.split : undefined}>
          <Sheet flush>
            <DataTable
              caption="Accounts you are a contact of"
              columns={shown ? columns.filter(column => !besides.includes(column.id)) : columns}
              rows={listed}
              rowId={row => row.accountName}
              state={state}
              onStateChange={setState}
              total={listed.length}
              pageSize={listed.length || 1}
              onOpen={row => {
                address.set({ account: row.accountName }, { step: true });
                reveal();
              }}
              current={open}
              rowActions={row =>
                row.accountStatus !== 'closed' &&
                row.accountName !== account?.accountName && (
                  <Button size="s" onClick={() => select(row.accountName)} aria-label={`Select ${row.accountName}`}>
                    Select
                  </Button>
                )
              }
              tools={
                closedAccounts.length > 0 && (
                  <Switch checked={withClosed} onChange={event => setWithClosed(event.target.checked)}>
                    Show closed ({closedAccounts.length})
                  </Switch>
                )
              }
            />
          </Sheet>
          {shown && (
            <div ref={beside} tabIndex={-1} className={styles.beside}>
              <AccountPanel
                account={shown}
                selected={shown.accountName === account?.accountName}
                onSelect={select}
                onLeave={() => setLeaving(shown)}
                onClose={() => address.set({ account: null })}
              />
            </div>
          )}
        </div>
        <OwnInvitations />
        <LinkRequests />
      </Stack>
      {leaving && <LeaveAccount account={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

function NoAccounts() {
  return (
    <Page title="My accounts">
      <Stack gap={16}>
        <Sheet flush>
          <EmptyState
            title="You aren’t linked to an account yet"
            action={
              <ButtonRow>
                <Ways />
              </ButtonRow>
            }
          >
            Accounts appear here after you accept an invitation, or after a corporate contact approves your request to be linked.
          </EmptyState>
        </Sheet>
        <OwnInvitations />
        <LinkRequests />
      </Stack>
    </Page>
  );
}

function columnsOf(selected: string | undefined): Column<Account>[] {
  return [
    {
      id: 'accountName',
      label: 'Account',
      sortable: true,
      fixed: true,
      card: 'key',
      cell: row => (
        <>
          <span className="strong">{row.accountName}</span> {row.accountName === selected && <Badge kind="line">selected</Badge>}
        </>
      ),
      text: row => row.accountName,
    },
    { id: 'orgName', label: 'Organisation', sortable: true, wrap: true, card: 'wide', cell: row => row.orgName },
    { id: 'economy', label: 'Economy', sortable: true, cell: row => row.economy ?? 'not recorded' },
    { id: 'accountType', label: 'Type', sortable: true, cell: row => accountTypeWords(row.accountType) },
    {
      id: 'accountStatus',
      label: 'Status',
      sortable: true,
      card: 'state',
      cell: row => <Status status={row.accountStatus} />,
      text: row => row.accountStatus,
    },
    { id: 'contactTypes', label: 'Your role', cell: row => contactWords(row.contactTypes), wrap: true, card: 'wide' },
    {
      id: 'expiryDate',
      label: 'Term ends',
      sortable: true,
      cell: row => (row.expiryDate ? <DateText value={row.expiryDate} shape="date" /> : 'none'),
      text: row => row.expiryDate ?? '',
    },
  ];
}

/** The ways to act for another account. */
function Ways() {
  return (
    <>
      <LinkButton href={pages.linkMembership.path} icon="plus">
        {pages.linkMembership.title}
      </LinkButton>
      <LinkButton href={pages.addAccount.path} variant="quiet">
        {pages.addAccount.title}
      </LinkButton>
    </>
  );
}

function Status({ status }: { status: Account['accountStatus'] }) {
  if (status === 'open') return <StateMark state="valid">open</StateMark>;
  if (status === 'suspended') return <StateMark state="warning">suspended</StateMark>;
  if (status === 'closed') return <StateMark state="closed">closed</StateMark>;
  return <Badge>{status}</Badge>;
}

function AccountPanel({
  account,
  selected,
  onSelect,
  onLeave,
  onClose,
}: {
  account: Account;
  selected: boolean;
  onSelect: (accountName: string) => void;
  onLeave: () => void;
  onClose: () => void;
}) {
  return (
    <Panel
      title={account.accountName}
      sub={account.orgName}
      onClose={onClose}
      footer={
        account.accountStatus !== 'closed' && (
          <>
            {!selected && (
              <Button variant="primary" onClick={() => onSelect(account.accountName)}>
                Select this account
              </Button>
            )}
            <Button icon="sign-out" onClick={onLeave}>
              Leave account
            </Button>
          </>
        )
      }
    >
      <h3>Your permissions</h3>
      {account.permissions.length === 0 ? (
        <p className="small muted">You have no permissions in this account.</p>
      ) : (
        <PermissionWords held={account.permissions} />
      )}
      {account.accountStatus === 'closed' && (
        <p className={styles.more}>
          <Link href={`${pages.closedAccount.path}?account=${encodeURIComponent(account.accountName)}`}>
            {account.permissions.includes('member-billing-view') ? 'Invoices, reactivation and people' : 'People with access'}
          </Link>
        </p>
      )}
      {account.accountStatus !== 'closed' && (
        <p className={styles.more}>
          <Link href={`/${encodeURIComponent(account.accountName)}/index.html?to=${pages.myPermissions.path}`}>
            Where they come from and who to ask for more
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** The accounts in the order the table asks for; by name otherwise, closed ones last. */
function sorted(list: readonly Account[], sort: typeof emptyTableState.sort): Account[] {
  if (!sort) return [...list];
  const key = sort.column as 'accountName' | 'orgName' | 'economy' | 'accountType' | 'accountStatus' | 'expiryDate';
  const turn = sort.descending ? -1 : 1;
  return [...list].sort((a, b) => turn * (a[key] ?? '').localeCompare(b[key] ?? '', 'en'));
}
