import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { useAccount, useAddress, useKit, useRefusal } from '@portal/app-kit';
import { nirDelegations } from '@portal/contract/nir/delegations';
import type { ListedSubaccount } from '@portal/contract/nir/subaccounts';
import { subaccountRequests } from '@portal/contract/requests/subaccounts';
import { Button } from '@portal/ui';
import { registryPoolPath, transferPath } from './nir-reads.ts';
import { subaccountsAsCsv } from './subaccounts-csv.ts';

/** The acts on ticked sub-accounts: on one, and a file of all. */
export function SubaccountSelection({ ticked }: { ticked: readonly ListedSubaccount[] }) {
  const { accountName } = useAccount();
  const address = useAddress();
  const { product } = useKit().environment;
  const delegates = useRefusal(nirDelegations.addNirDelegation);
  const moves = useRefusal(nirDelegations.moveNirDelegations);
  const requests = useRefusal(subaccountRequests.startSubaccountRequest);
  const [one, second] = ticked;
  const file = (
    <Button size="s" icon="download" onClick={() => saveTextFile(`subaccounts-${accountName}.csv`, subaccountsAsCsv(ticked))}>
      CSV
    </Button>
  );
  if (!one || second)
    return (
      <>
        {file}
        <span className="small quiet">Select one to delegate to it, move its numbers or request for it.</span>
      </>
    );
  const closed = one.status === 'closed' ? { reason: `${one.name} is closed` } : null;
  const holdsNothing = one.delegations === 0 ? { reason: `${one.name} holds nothing` } : null;
  return (
    <>
      <Button size="s" refusal={delegates ?? closed} onClick={() => address.set({ delegate: one.subaccountId }, { step: 'in-place' })}>
        Delegate
      </Button>
      <Button size="s" refusal={moves ?? holdsNothing} onClick={() => address.go(`${transferPath}?from=${one.subaccountId}`)}>
        Move its numbers
      </Button>
      <Button
        size="s"
        refusal={requests ?? closed}
        onClick={() => address.go(`${registryPoolPath(product)}?subaccount=${one.subaccountId}`)}
      >
        Request for it
      </Button>
      {file}
    </>
  );
}
