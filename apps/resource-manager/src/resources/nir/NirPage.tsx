import { Page, useAccount } from '@portal/app-kit';
import { Breadcrumb, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { gateOf } from '../../shell/account-gate.ts';

type Props = {
  title: string;
  sub?: string | undefined;
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
      <AccountNote />
      {children}
    </Page>
  );
}
