import { Page, reading, useAccount, useKit } from '@portal/app-kit';
import { countedRecords, nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, formatCount, Sheet, Tabs } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
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

const countText = (count: number | undefined) =>
  count === undefined ? undefined : count > countedRecords ? `${formatCount(countedRecords)}+` : formatCount(count);

/** The tools of a national registry, side by side. @param title of the page that is shown */
function NirTabs({ title }: { title: string }) {
  const { accountName: account } = useAccount();
  const { environment, call } = useKit();
  const { product } = environment;
  // The counts follow when they have been read: the tabs don't wait for them.
  const { data: counts } = useQuery(reading(call, nirSubaccounts.countRecords, { account }));
  // A tab has the name of its page.
  const tools = [
    { label: pages.subaccountManagement.title, count: countText(counts?.subaccounts), href: subaccountsPath },
    { label: pages.nirDelegation.title, count: countText(counts?.delegations), href: delegationPath },
    { label: pages.nirDelegationRegistry.title, href: registryPoolPath(product) },
    { label: pages.subaccountTransfer.title, href: transferPath },
    { label: pages.entityManagement.title, count: countText(counts?.entities), href: entitiesPath },
    { label: differencesTitle, href: differencesPath },
  ];
  return <Tabs label="NIR tools" items={tools.map(tool => ({ ...tool, current: tool.label === title }))} />;
}
