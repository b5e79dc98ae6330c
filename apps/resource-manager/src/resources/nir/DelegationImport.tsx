import { reading, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { nirDelegationColumns, nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { rehearsalOf } from '@portal/contract/dry-run';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ImportedRows, RowsImport } from '../RowsImport.tsx';
import { delegationReads, delegationPath as home } from './nir-reads.ts';
import { firstSubaccounts } from './SubaccountField.tsx';

/** Delegates the rows of a CSV file. @param given rows to begin with; @param onCancel where these came from, instead of the list of delegations */
export function DelegationImport({ given, onCancel }: { given?: string; onCancel?: () => void }) {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(nirDelegations.importNirDelegations);
  const dryRunRefusal = useRefusal(rehearsalOf(nirDelegations.importNirDelegations));
  const [sentRows, setSentRows] = useState<ImportedRows | null>(null);
  const send = useChange(nirDelegations.importNirDelegations, {
    refresh: delegationReads,
    showsErrors: true,
    onDone: (_, { body }) => setSentRows({ csv: body.csv, reuse: body.reuse ?? false }),
  });
  return (
    <RowsImport
      {...(given !== undefined && { given })}
      {...(onCancel && { onCancel })}
      columns={nirDelegationColumns}
      example={useExample()}
      resting="Otherwise returned space isn’t delegated again for 30 days."
      act="Delegate all"
      actOnValid={rows => `Delegate the ${rows} valid ${rows === 1 ? 'row' : 'rows'}`}
      recorded={rows => `${rows} ${rows === 1 ? 'delegation is' : 'delegations are'} recorded`}
      home={{ label: 'Show delegations', href: home }}
      result={sentRows && send.data ? { ...send.data, of: sentRows } : null}
      change={send}
      schema={nirDelegations.importNirDelegations.body}
      refusal={refusal}
      dryRunRefusal={dryRunRefusal}
      send={body => send.mutate({ account, body })}
      cells={({ subaccount, resource, netname }) => (
        <>
          <span className="mono">{subaccount}</span>
          <span className="mono">{resource}</span>
          <span className="mono">{netname}</span>
        </>
      )}
    />
  );
}

/** Lines that would be right here: a sub-account and free numbers of the reader, as soon as they are read. */
function useExample(): string {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data: members } = useQuery(reading(call, nirSubaccounts.listSubaccounts, firstSubaccounts(account)));
  const { data: blocks } = useQuery(reading(call, nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 24 } }));
  const { data: numbers } = useQuery(reading(call, nirDelegations.listNirFreeSpace, { account, query: { kind: 'asn', length: 32 } }));
  const name = members?.rows[0]?.name ?? 'NORTHNET-XX';
  const netname = `${name.replace(/-[A-Z]{2}$/, '')}-2`;
  return `${name},${blocks?.[0]?.resource ?? '198.19.32.0/24'},assigned,${netname},,\n${name},${numbers?.[0]?.resource ?? 'AS64505'},,,,`;
}
