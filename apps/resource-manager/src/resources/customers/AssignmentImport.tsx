import { useAccount, useChange, useRefusal } from '@portal/app-kit';
import { assignmentColumns, whoisCustomers } from '@portal/contract/customers/customers';
import { rehearsalOf } from '@portal/contract/dry-run';
import { resources } from '@portal/contract/resources/resources';
import { useState } from 'react';
import { type ImportedRows, RowsImport } from '../RowsImport.tsx';

const home = '/resources/customers/customer_management';

/** Imports assignments from a CSV file. */
export function AssignmentImport() {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(whoisCustomers.importAssignments);
  const dryRunRefusal = useRefusal(rehearsalOf(whoisCustomers.importAssignments));
  const [sentRows, setSentRows] = useState<ImportedRows | null>(null);
  const send = useChange(whoisCustomers.importAssignments, {
    refresh: [whoisCustomers.listCustomers, resources.listRegistrations],
    showsErrors: true,
    onDone: (_, { body }) => setSentRows({ csv: body.csv, reuse: body.reuse ?? false }),
  });
  return (
    <RowsImport
      columns={assignmentColumns}
      example="Northwind Freight,198.18.11.0/26,assigned,public,CUST-NORTHWIND,,AU"
      resting="Otherwise returned space isn’t assigned again for 30 days."
      act="Register all"
      actOnValid={rows => `Register the ${rows} valid ${rows === 1 ? 'row' : 'rows'}`}
      recorded={rows => `${rows} ${rows === 1 ? 'assignment is' : 'assignments are'} registered`}
      home={{ label: 'Show customers', href: home }}
      result={sentRows && send.data ? { ...send.data, of: sentRows } : null}
      change={send}
      schema={whoisCustomers.importAssignments.body}
      refusal={refusal}
      dryRunRefusal={dryRunRefusal}
      send={body => send.mutate({ account, body })}
      cells={({ resource, netname, visibility }) => (
        <>
          <span className="mono">{resource}</span>
          <span className="mono">{netname}</span>
          <span className="quiet">{visibility}</span>
        </>
      )}
    />
  );
}
