import type { RequestKind } from '@portal/contract/requests/request-form';
import type { RequestEligibility } from '@portal/contract/requests/requests';
import { Grid, KeyValueList, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import { CasesTable } from './CasesTable.tsx';
import { Checklist } from './Checklist.tsx';

type Props = {
  kind: RequestKind;
  eligibility: Pick<RequestEligibility, 'checks' | 'documents'>;
  /** The start mentions the queue. */
  queued?: boolean;
  /** The course of the case, before anything is chosen. */
  outlook?: ReactNode;
  /** Below the checks. */
  beside?: ReactNode;
  /** The start: what is possible, and the button. */
  children: ReactNode;
};

/** Layout of a page before a request is started: the start, the documents to have ready, the checks, and earlier cases. */
export function StartLayout({ kind, eligibility: { checks, documents }, queued, outlook, beside, children }: Props) {
  return (
    <Stack gap={16}>
      <Grid columns="split-wide">
        <Stack gap={16}>
          {children}
          {documents.length > 0 && (
            <Sheet title="Documents to have ready">
              <KeyValueList
                align="left"
                items={documents.map(({ name, why, required }) => ({ key: name, value: `${why}${required ? '' : ' (optional)'}` }))}
              />
            </Sheet>
          )}
        </Stack>
        <Stack gap={16}>
          <Checklist checks={checks} kind={kind} />
          {beside}
        </Stack>
      </Grid>
      {outlook}
      <CasesTable kind={kind} queued={queued} />
    </Stack>
  );
}
