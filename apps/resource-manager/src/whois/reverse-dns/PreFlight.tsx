import { reading, useChange, useKit } from '@portal/app-kit';
import { type DnsCheckRun, dnsChecking } from '@portal/contract/reverse-dns/checks';
import { maxCheckedFirst } from '@portal/contract/reverse-dns/reverse-dns';
import { Banner, Button, KeyValueList, Link, Row, Sheet, Stack, StateMark } from '@portal/ui';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

const marks = { ok: 'valid', notice: 'valid', warning: 'warning', error: 'invalid', failed: 'not-found' } as const;

/**
 * Checks the name servers of a request before anything is saved, as if each zone were already delegated to them. `whenNotReady` is offered if a check found errors.
 */
export function PreFlight({
  zones,
  servers,
  minutes,
  whenNotReady,
}: {
  zones: readonly { zone: string; ds: readonly string[] }[];
  servers: readonly string[];
  /** How long the required check is valid; null if none is required. */
  minutes: number | null;
  whenNotReady: ReactNode;
}) {
  const { call } = useKit();
  const [runs, setRuns] = useState<readonly { zone: string; checkId: string }[]>([]);
  const start = useChange(dnsChecking.startCheck, { onDone: answer => setRuns(before => [...before, answer]) });
  const reports = useQueries({
    queries: runs.map(({ checkId }) => ({
      ...reading(call, dnsChecking.getCheck, { checkId }),
      refetchInterval: ({ state }: { state: { data?: DnsCheckRun | undefined } }) =>
        state.data?.state === 'done' ? false : (700 as const),
    })),
  });
  const asked = zones.slice(0, maxCheckedFirst);
  const begin = (): void => {
    setRuns([]);
    for (const { zone, ds } of asked) start.mutate({ body: { zone, servers: [...servers], ds: [...ds] } });
  };
  const isNotReady = reports.some(({ data }) => data?.grade === 'error' || data?.grade === 'failed');
  return (
    <Sheet
      title="Before you submit"
      meta={<span>Are the name servers ready?</span>}
      actions={
        <Button size="s" icon="refresh" busy={start.isPending} onClick={begin}>
          {runs.length === 0 ? 'Check the servers' : 'Check again'}
        </Button>
      }
    >
      {runs.length === 0 ? (
        <p className="small quiet">
          We ask each server over UDP and TCP whether it answers for the zone with authority, and follow the DNSSEC chain.
          {zones.length > maxCheckedFirst && ` The first ${maxCheckedFirst} of ${zones.length} zones are asked.`}
          {minutes !== null && ` You can submit once a check finds no errors; it counts for ${minutes} minutes.`}
        </p>
      ) : (
        <Stack gap={16}>
          <KeyValueList
            align="left"
            items={runs.map(({ zone, checkId }, index) => ({
              id: checkId,
              key: zone,
              value: <Verdict checkId={checkId} run={reports[index]?.data} />,
            }))}
          />
          {isNotReady && whenNotReady}
        </Stack>
      )}
    </Sheet>
  );
}

function Verdict({ checkId, run }: { checkId: string; run: DnsCheckRun | undefined }) {
  if (!run || run.state === 'queued') return <StateMark state="pending">Asking</StateMark>;
  const errors = run.report?.findings.filter(({ state, severity }) => state === 'failed' && severity === 'error') ?? [];
  return (
    <Row gap={8} wrap>
      <StateMark state={marks[run.grade ?? 'failed']}>{errors.length > 0 ? `${errors.length} to fix` : 'Ready'}</StateMark>
      <Link href={`/technical/rdnscheck?check=${checkId}`}>Report</Link>
      {errors[0] && <Banner kind="error">{errors[0].detail}</Banner>}
    </Row>
  );
}
