import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { entityColumns, nirEntities } from '@portal/contract/nir/entities';
import { rehearsalOf } from '@portal/contract/dry-run';
import { useState } from 'react';
import { type ImportedRows, RowsImport } from '../RowsImport.tsx';
import { entitiesPath as home } from './nir-reads.ts';

/** Records the organisations of a CSV file. */
export function EntityImport() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(nirEntities.importEntities);
  const dryRunRefusal = useRefusal(rehearsalOf(nirEntities.importEntities));
  const [sentRows, setSentRows] = useState<ImportedRows | null>(null);
  const send = useChange(nirEntities.importEntities, {
    refresh: [nirEntities.listEntities],
    showsErrors: true,
    onDone: ({ stored, rows }, { body }) => {
      setSentRows({ csv: body.csv, reuse: false });
      if (!stored) return;
      notify({ text: `${rows.length} ${rows.length === 1 ? 'organisation is' : 'organisations are'} recorded.` });
      address.go(home);
    },
  });
  return (
    <RowsImport
      columns={entityColumns}
      example={'Northnet Ltd,,1234567,"1 Harbour Street, Suva",FJ,+679 555 0100,noc@northnet.example,,'}
      act="Record all"
      actOnValid={rows => `Record the ${rows} valid ${rows === 1 ? 'row' : 'rows'}`}
      home={home}
      result={sentRows && send.data ? { rows: send.data.rows, of: sentRows } : null}
      change={send}
      schema={nirEntities.importEntities.body}
      refusal={refusal}
      dryRunRefusal={dryRunRefusal}
      send={({ csv, dryRun }) => send.mutate({ account, body: { csv, dryRun } })}
      cells={({ name, registrationNumber, economy }) => (
        <>
          <span>{name}</span>
          <span className="mono">{registrationNumber}</span>
          <span>{economy}</span>
        </>
      )}
    />
  );
}
