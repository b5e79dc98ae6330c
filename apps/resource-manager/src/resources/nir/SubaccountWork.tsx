import { read, useAccount, useAddress } from '@portal/app-kit';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { Grid, SkeletonLines, Stack } from '@portal/ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { FirstRead, type Reads } from '../../shell/FirstRead.tsx';
import { DelegationForm } from './DelegationForm.tsx';
import { DelegationImport } from './DelegationImport.tsx';
import { firstSubaccounts } from './SubaccountField.tsx';

/** Work on the page of the list, below it: a delegation from the pool (`?delegate=ID`, or `new` for none yet) and a file of many (`?import=yes`), side by side where both are open. */
export function SubaccountWork() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const delegate = address.get('delegate');
  const isImporting = address.get('import') !== null;
  const subaccountId = delegate === null || delegate === 'new' ? null : delegate;
  const isBoth = delegate !== null && isImporting;
  const closeForm = () => address.set({ delegate: null }, { step: 'in-place' });
  const closeImport = () => address.set({ import: null }, { step: 'in-place' });
  const members = read(nirSubaccounts.listSubaccounts, firstSubaccounts(account));
  const free = read(nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 24 } });
  const reads: Reads =
    subaccountId === null ? [members, free] : [members, free, read(nirSubaccounts.getSubaccount, { account, subaccountId })];
  const form = delegate !== null && (
    <Part key={delegate} title="Delegate from your pool">
      <FirstRead reads={reads} fallback={<SkeletonLines lines={8} label="Loading the form" />}>
        <DelegationForm subaccountId={subaccountId} isNarrow={isBoth} onClose={closeForm} />
      </FirstRead>
    </Part>
  );
  const file = isImporting && (
    <Part key="import" title="Delegate with a file">
      <DelegationImport onCancel={closeImport} />
    </Part>
  );
  return isBoth ? (
    <Grid columns={2}>
      {form}
      {file}
    </Grid>
  ) : (
    form || file
  );
}

/** A part that was just opened: it gets the focus, so that it’s seen and read below a long list. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div>
      <Stack gap={12}>
        <h2 ref={place} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </Stack>
    </div>
  );
}
