import { Page, useAccount, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Sheet, Tabs } from '@portal/ui';
import type { ReactNode } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { gateOf } from '../../shell/account-gate.ts';
import {
  delegationPath,
  differencesTitle,
  differencesPath,
  entitiesPath,
  registryPoolPath,
  subaccountsPath,
  transferPath,
} from './nir-reads.ts';

type Props = {
  title: string;
  sub?: ReactNode;
  /** The page it is a part of. */
  within?: { label: string; href: string };
  actions?: ReactNode;
  children: ReactNode;
};

/** A page for national registries: other accounts read that it isn't for them. */
export function NirPage({ title, sub, within, actions, children }: Props) {
  const account = useAccount();
  const gate = account.asStaff ? null : gateOf('nir', account);
  if (gate)
    return (
      <Page title={title}>
        <Sheet aria-label={title}>
          <p>{gate}</p>
        </Sheet>
      </Page>
    );
  return (
    <Page
      title={title}
      sub={sub}
      {...(within && { breadcrumb: <Breadcrumb items={[within, { label: title }]} /> })}
      {...(actions !== undefined && { actions })}
    >
      {!within && <NirTabs title={title} />}
      <AccountNote />
      {children}
    </Page>
  );
}

/** The tools of a national registry, side by side. @param title of the page that is shown */
function NirTabs({ title }: { title: string }) {
  const { product } = useKit().environment;
  const tools = [
    { label: 'Sub-accounts', href: subaccountsPath, of: pages.subaccountManagement.title },
    { label: 'Delegations', href: delegationPath, of: pages.nirDelegation.title },
    { label: 'Requests', href: registryPoolPath(product), of: pages.nirDelegationRegistry.title },
    { label: 'Moves', href: transferPath, of: pages.subaccountTransfer.title },
    { label: 'Entities', href: entitiesPath, of: pages.entityManagement.title },
    { label: 'Differences', href: differencesPath, of: differencesTitle },
  ];
  return <Tabs label="NIR tools" items={tools.map(({ of, ...tool }) => ({ ...tool, current: of === title }))} />;
}
