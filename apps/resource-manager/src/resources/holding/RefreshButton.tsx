import type { AnyEndpoint } from '@portal/app-kit';
import { SECOND_MS } from '@portal/contract/days';
import { Button, DateText, Row } from '@portal/ui';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** How long an answer counts as fresh, in seconds. */
const freshSeconds = 30;

/** The time of the server's answer, and a button that reads everything named again; an answer less than 30 seconds old is shown as fresh. */
export function RefreshButton({ reads, at }: { reads: readonly AnyEndpoint[]; at: string }) {
  const answers = useQueryClient();
  const reading = useIsFetching({ predicate: query => reads.some(read => read.id === query.queryKey[0]) }) > 0;
  const [foundFresh, setFoundFresh] = useState<string | null>(null);
  const refresh = () => {
    if (Date.now() - Date.parse(at) < freshSeconds * SECOND_MS) return setFoundFresh(at);
    for (const read of reads) void answers.invalidateQueries({ queryKey: [read.id] });
  };
  return (
    <Row gap={8}>
      <output className="small quiet">
        As of <DateText value={at} shape="time" />
        {foundFresh === at && `, less than ${freshSeconds} seconds ago`}
      </output>
      <Button size="s" icon="refresh" busy={reading} onClick={refresh}>
        Refresh
      </Button>
    </Row>
  );
}
