import { Page, useKit, useMaybeSession, usePlace, reading } from '@portal/app-kit';
import { safeReturnPath } from '@portal/contract/link';
import { findPage, pages } from '@portal/contract/pages';
import { staff } from '@portal/contract/staff/staff';
import { ButtonRow, EmptyState, LinkButton, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePortal } from '../PortalContext.ts';

/**
 * `/{accountName}/index.html`: selects the account and leads on, to `?to=` if it is a path of the portal. Registry staff come
 * here with a visit; without one they are led to the account's page of the desk. Public, so that a link in a mail works: whoever is not signed in does that first.
 */
export default function AccountSelectionPage() {
  const { call, environment, router } = useKit();
  const portal = usePortal();
  const { path, search } = usePlace();
  const session = useMaybeSession();
  const accountName = findPage(path, environment.product).params['accountName'] ?? '';
  const to = safeReturnPath(new URLSearchParams(search).get('to'));
  const own = session?.accounts.some(account => account.accountName === accountName) ?? false;
  const visits = session !== null && !own && session.person.staff;
  const visited = useQuery({ ...reading(call, staff.getVisit, {}), enabled: visits, staleTime: 0 });
  const found = own || visited.data?.visit?.account.accountName === accountName;
  const select = session?.selectAccount;

  useEffect(() => {
    if (!select) return portal.signIn();
    if (!found) return;
    select(accountName);
    router.go(to, { replace: true });
  }, [select, found, accountName, to, router, portal]);

  // Without a visit registry staff begin one where they see what it is they look at.
  const leaves = visits && !found && !visited.isFetching;
  useEffect(() => {
    if (leaves) router.go(`/desk/accounts/${encodeURIComponent(accountName)}`, { replace: true });
  }, [leaves, accountName, router]);

  if (session && !found && !visits) {
    return (
      <Page title={`${accountName} is not among your accounts`}>
        <EmptyState
          title={`You are no contact of ${accountName}`}
          action={
            <ButtonRow>
              <LinkButton href={`${pages.linkMembership.path}?account=${encodeURIComponent(accountName)}`}>Ask to be linked</LinkButton>
              <LinkButton variant="quiet" href={pages.myAccounts.path}>
                See your accounts
              </LinkButton>
            </ButtonRow>
          }
        >
          Its corporate contacts can invite you, or approve that you are linked to it.
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
