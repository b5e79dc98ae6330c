import { read, useAccount, useAnswer, useChange, useKit, useRefusal, WhyNot } from '@portal/app-kit';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type RouteAlert, routeAlerts } from '@portal/contract/routes/alerts';
import { printAsNumber } from '@portal/number-resources';
import { Button, DateText, EmptyState, LinkButton, ResourceName, Row, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { AlertDelivery } from '../../shell/AlertDelivery.tsx';
import { hrefOfNewRoute, kindOf, nameOf, validityWords } from './route-words.ts';

const columns: Column<RouteAlert>[] = [
  {
    id: 'prefix',
    label: 'Announcement',
    cell: ({ prefix }) => <ResourceName kind={kindOf(prefix)} text={prefix} strong />,
    text: ({ prefix }) => prefix,
    fixed: true,
    card: 'key',
  },
  {
    id: 'asn',
    label: 'Origin',
    cell: ({ asn }) => <ResourceName kind="asn" text={printAsNumber(asn)} />,
    text: ({ asn }) => printAsNumber(asn),
  },
  {
    id: 'validity',
    label: 'Validity',
    cell: ({ validity }) =>
      validity === null ? (
        <span className="quiet">not seen, or valid</span>
      ) : (
        <StateMark state={validityWords[validity].state}>{validityWords[validity].word}</StateMark>
      ),
    text: ({ validity }) => (validity === null ? '' : validityWords[validity].word),
    card: 'state',
  },
  {
    id: 'foundAt',
    label: 'Since',
    cell: ({ foundAt }) => foundAt && <DateText value={foundAt} />,
    text: ({ foundAt }) => foundAt ?? '',
    look: 'quiet',
  },
  {
    id: 'muted',
    label: 'Muted',
    cell: ({ muted }) =>
      muted && (
        <span>
          by {muted.by}, <DateText value={muted.at} shape="date" />
        </span>
      ),
    text: ({ muted }) => muted?.by ?? '',
    wrap: true,
    card: 'wide',
  },
];

/** Findings of the watcher, muted alerts, and how the person gets alerts. */
export function Alerts() {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(routeAlerts.listAlerts);
  if (refusal) return <WhyNot refusal={refusal} />;
  return (
    <FirstRead
      reads={[read(routeAlerts.listAlerts, { account }), read(notificationPreferences.getNotificationPreferences, {})]}
      fallback={<TableSkeleton />}
    >
      <Found />
    </FirstRead>
  );
}

function Found() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { rows } = useAnswer(routeAlerts.listAlerts, { account });
  const [table, setTable] = useState(emptyTableState);
  const refusal = useRefusal(routeAlerts.mute);
  const refresh = [routeAlerts.listAlerts];
  const mute = useChange(routeAlerts.mute, {
    refresh,
    onDone: () => notify({ text: 'Muted. You get no alerts about this announcement any more.' }),
  });
  const unmute = useChange(routeAlerts.unmute, {
    refresh,
    onDone: () => notify({ text: 'You get alerts about this announcement again.' }),
  });
  const acts: Column<RouteAlert> = {
    id: 'acts',
    label: 'Actions',
    fixed: true,
    card: 'wide',
    cell: ({ prefix, asn, muted }) =>
      muted === null ? (
        <Row gap={4}>
          <LinkButton size="s" href={hrefOfNewRoute({ prefix, asn })}>
            Add a route
          </LinkButton>
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => mute.mutate({ account, body: { prefix, asn, reason: '' } })}>
            Mute
          </Button>
        </Row>
      ) : (
        <Button size="s" refusal={refusal} refusalIn="note" onClick={() => unmute.mutate({ account, body: { prefix, asn } })}>
          Unmute
        </Button>
      ),
  };
  return (
    <Stack gap={16}>
      <AlertDelivery />
      <Sheet flush aria-label="Alerts">
        {rows.length === 0 ? (
          <EmptyState title="No alerts">
            Announcements of your space that are invalid or have no ROA appear here. They are checked every ten minutes against what is
            published.
          </EmptyState>
        ) : (
          <DataTable
            caption={`Alerts of ${account}`}
            columns={[...columns, acts]}
            rows={rows}
            rowId={nameOf}
            rowLabel={nameOf}
            state={table}
            onStateChange={setTable}
            countLabel={`${rows.filter(({ muted }) => muted === null).length} open, ${rows.filter(({ muted }) => muted !== null).length} muted`}
          />
        )}
      </Sheet>
    </Stack>
  );
}
