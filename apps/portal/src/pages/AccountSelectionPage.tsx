import { Page, useKit, useMaybeSession, usePlace, reading } from '@portal/app-kit';
import type { Account } from '@portal/contract/accounts/accounts';
import { safeReturnPath } from '@portal/contract/link';
import { findPage, pages } from '@portal/contract/pages';
import { staff } from '@portal/contract/staff/staff';
import { ButtonRow, EmptyState, LinkButton, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePortal } from '../PortalContext.ts';

/**
 * `/{accountName}/index.html`: selects the account, regardless of case, and continues, to `?to=` if it is a path of the portal. Registry staff come
 * here during a visit; without one they are sent to the account's page of the desk. Public, so that a link in a mail works: a person who is not signed in signs in first.
 */
export default function AccountSelectionPage() {
  const { call, environment, router } = useKit();
  const portal = usePortal();
  const { path, search, hash } = usePlace();
  const session = useMaybeSession();
  const wanted = findPage(path, environment.product).params['accountName'] ?? '';
  const isWanted = (account: Pick<Account, 'accountName'>): boolean => account.accountName.toLowerCase() === wanted.toLowerCase();
  const to = safeReturnPath(new URLSearchParams(search).get('to') ?? `/${hash}`);
  const own = session?.accounts.find(isWanted);
  const closed = own ? undefined : session?.closedAccounts.find(isWanted);
  const visits = session !== null && !own && !closed && session.person.staff;
  const visited = useQuery({ ...reading(call, staff.getVisit, {}), enabled: visits, staleTime: 0 });
  const visitedAccount = visited.data?.visit?.account;
  const found = own ?? (visitedAccount && isWanted(visitedAccount) ? visitedAccount : undefined);
  const accountName = found?.accountName ?? wanted;
  const select = session?.selectAccount;

  useEffect(() => {
    if (!select) return portal.signIn();
    if (!found) return;
    select(accountName);
    router.go(to, { replace: true });
  }, [select, found, accountName, to, router, portal]);

  // Without a visit, registry staff are sent to the desk's page of the account to begin one.
  const leaves = visits && !found && !visited.isFetching;
  useEffect(() => {
    if (leaves) router.go(`/desk/accounts/${encodeURIComponent(accountName)}`, { replace: true });
  }, [leaves, accountName, router]);

  if (closed) {
    return (
      <Page title={`${closed.accountName} is closed`}>
        <EmptyState
          title="A closed account cannot be selected"
          action={
            <ButtonRow>
              <LinkButton href={`${pages.myAccounts.path}?account=${encodeURIComponent(closed.accountName)}`}>See the account</LinkButton>
              <LinkButton variant="quiet" href={`${pages.closedAccount.path}?account=${encodeURIComponent(closed.accountName)}`}>
                {closed.permissions.includes('member-billing-view') ? 'Invoices, reactivation and people' : 'People with access'}
              </LinkButton>
            </ButtonRow>
          }
        >
          You’re still a contact of {closed.accountName}. Find it under closed accounts in My accounts.
        </EmptyState>
      </Page>
    );
  }
  if (session && !found && !visits) {
    return (
      <Page title={`${accountName} is not among your accounts`}>
        <EmptyState
          title={`You aren’t a contact of ${accountName}`}
          action={
            <ButtonRow>
              <LinkButton href={`${pages.linkMembership.path}?account=${encodeURIComponent(accountName)}`}>Ask to be linked</LinkButton>
              <LinkButton variant="quiet" href={pages.myAccounts.path}>
                See your accounts
              </LinkButton>
            </ButtonRow>
          }
        >
          A corporate contact can invite you or approve your request to be linked.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={pages.accountSelection.title}>
      <SkeletonLines lines={1} label={`Selecting ${accountName}`} />
    </Page>
  );
}
