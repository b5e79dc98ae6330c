import { useAccount, useChange, useRefusal } from '@portal/app-kit';
import { entityColumns, nirEntities } from '@portal/contract/nir/entities';
import { rehearsalOf } from '@portal/contract/dry-run';
import { useState } from 'react';
import { type ImportedRows, RowsImport } from '../RowsImport.tsx';
import { entitiesPath as home } from './nir-reads.ts';

/** Records the organisations of a CSV file. */
export function EntityImport() {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(nirEntities.importEntities);
  const dryRunRefusal = useRefusal(rehearsalOf(nirEntities.importEntities));
  const [sentRows, setSentRows] = useState<ImportedRows | null>(null);
  const send = useChange(nirEntities.importEntities, {
    refresh: [nirEntities.listEntities],
    showsErrors: true,
    onDone: (_, { body }) => setSentRows({ csv: body.csv, reuse: false }),
  });
  return (
    <RowsImport
      columns={entityColumns}
      example={'Northnet Ltd,,1234567,"1 Harbour Street, Suva",FJ,+679 555 0100,noc@northnet.example,,'}
      act="Record all"
      actOnValid={rows => `Record the ${rows} valid ${rows === 1 ? 'row' : 'rows'}`}
      recorded={rows => `${rows} ${rows === 1 ? 'organisation is' : 'organisations are'} recorded`}
      home={{ label: 'Show organisations', href: home }}
      result={sentRows && send.data ? { ...send.data, of: sentRows } : null}
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
