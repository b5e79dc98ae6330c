import { FailureBanner, read, reading, useAccount, useAddress, useChange, useKit, useRead, useRefusal } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { printAsNumber } from '@portal/number-resources';
import { Button, DateText, EmptyState, ResourceName, Row, Sheet, SkeletonRows, Stack, StateMark } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { later } from '@portal/app-kit/page/later';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { FirstRead } from '../shell/FirstRead.tsx';
import { useInlineForm } from '../shell/inline-form.ts';
import { usePollingDelay } from '../shell/polling.ts';
import { TableSkeleton } from '../shell/TableSkeleton.tsx';
import { roaStateWords } from './roa-words.ts';

const AspaForm = later(() => import('./AspaForm.tsx'), 'AspaForm');

const providerWords = (providers: readonly number[]): string =>
  providers[0] === 0 ? 'None (AS0)' : providers.map(printAsNumber).join(', ');

const columns: Column<Aspa>[] = [
  {
    id: 'customer',
    label: 'AS number',
    cell: ({ customer }) => <ResourceName kind="asn" text={printAsNumber(customer)} href={recordAddress(printAsNumber(customer))} strong />,
    text: ({ customer }) => printAsNumber(customer),
    fixed: true,
    card: 'key',
  },
  {
    id: 'providers',
    label: 'Providers',
    cell: ({ providers }) => <span className="mono">{providerWords(providers)}</span>,
    text: ({ providers }) => providerWords(providers),
    wrap: true,
    card: 'wide',
  },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => (
      <StateMark state={roaStateWords[state][0]}>{state === 'not-held' ? 'AS not held' : roaStateWords[state][1]}</StateMark>
    ),
    text: ({ state }) => roaStateWords[state][1],
    card: 'state',
  },
  { id: 'comment', label: 'Comment', cell: ({ comment }) => comment, look: 'quiet', wrap: true, card: 'wide' },
  {
    id: 'changedAt',
    label: 'Last changed',
    cell: ({ changedAt }) => <DateText value={changedAt} shape="date" />,
    text: ({ changedAt }) => changedAt,
    look: 'quiet',
  },
];

/** The upstream providers that the account has stated. */
export const aspasOf = (account: string) => read(rpkiAspas.listAspas, { account });

/** The upstream providers of the account's AS numbers. `?aspa=` opens the form of one, or of a new one. */
export function AspaList({ status }: { status: RpkiStatus }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(rpkiAspas.saveAspa);
  const holdsNone = status.held.every(resource => !resource.startsWith('AS'));
  const isOpen = address.get('aspa') !== null;
  const { opener, box } = useInlineForm(isOpen);
  return (
    <Sheet
      flush={!isOpen}
      title="Upstream providers (ASPA)"
      actions={
        !isOpen && (
          <Button
            ref={opener}
            size="s"
            icon="plus"
            refusal={refusal ?? (holdsNone ? { reason: 'This account holds no AS number' } : null)}
            refusalIn="note"
            onClick={() => address.set({ aspa: 'new' }, { step: true })}
          >
            Add providers
          </Button>
        )
      }
    >
      <FirstRead reads={[aspasOf(account)]} fallback={<TableSkeleton rows={2} />}>
        <div ref={box} tabIndex={isOpen ? -1 : undefined}>
          <Aspas />
        </div>
      </FirstRead>
    </Sheet>
  );
}

function Aspas() {
  const { accountName: account } = useAccount();
  const { call, notify } = useKit();
  const address = useAddress();
  const [table, setTable] = useState(emptyTableState);
  const { rows, asNumbers } = useRead(aspasOf(account));
  const delay = usePollingDelay();
  useQuery({
    ...reading(call, rpkiAspas.listAspas, { account }),
    refetchInterval: rows.some(({ state }) => state === 'pending') ? delay : false,
  });
  const refusal = useRefusal(rpkiAspas.removeAspa);
  const close = () => address.set({ 'remove-aspa': null });
  const done = () => address.set({ 'remove-aspa': null, aspa: null });
  const remove = useChange(rpkiAspas.removeAspa, {
    showsErrors: true,
    refresh: [rpkiAspas.listAspas, rpki.getStatus, rpki.listHistory],
    onProposed: done,
    onDone: () => {
      done();
      notify({ text: 'The providers are removed with the next publication.' });
    },
  });
  const opened = address.get('aspa');
  const asked = rows.find(({ aspaId }) => aspaId === address.get('remove-aspa'));
  const dialog = (
    <ConfirmDialog
      open={asked !== undefined}
      onClose={close}
      title={asked ? `Remove the providers of ${printAsNumber(asked.customer)}?` : 'Remove the providers?'}
      act="Remove providers"
      kind="danger"
      busy={remove.isPending}
      onAct={() => asked && remove.mutate({ account, aspaId: asked.aspaId, body: { version: asked.version } })}
      error={<FailureBanner failure={remove.error} />}
    >
      <Stack gap={8}>
        <p>
          Routers stop checking paths through this AS against your list within about an hour. Nothing you announce becomes invalid. You can
          state the providers again at any time.
        </p>
        {asked && <p className="mono small">{providerWords(asked.providers)}</p>}
      </Stack>
    </ConfirmDialog>
  );
  if (opened !== null)
    return (
      <>
        <Suspense fallback={<SkeletonRows rows={4} label="Loading the form" />}>
          <AspaForm
            key={opened}
            aspa={rows.find(({ customer }) => printAsNumber(customer) === opened) ?? null}
            asNumbers={asNumbers}
            onClose={() => address.set({ aspa: null })}
            onRemove={({ aspaId }: Aspa) => address.set({ 'remove-aspa': aspaId }, { step: true })}
          />
        </Suspense>
        {dialog}
      </>
    );
  if (rows.length === 0)
    return (
      <EmptyState title="No providers stated">
        With an ASPA you list the networks that carry your AS as a customer. Routers that check it drop route leaks that claim a path
        through any other network.
      </EmptyState>
    );
  return (
    <>
      <DataTable
        caption={`Upstream providers of ${account}`}
        columns={columns}
        rows={rows}
        rowId={({ aspaId }) => aspaId}
        rowLabel={({ customer }) => printAsNumber(customer)}
        state={table}
        onStateChange={setTable}
        onOpen={({ customer }) => address.set({ aspa: printAsNumber(customer) }, { step: true })}
        rowActions={({ aspaId, customer }) => (
          <Row gap={4}>
            <Button size="s" variant="quiet" onClick={() => address.set({ aspa: printAsNumber(customer) }, { step: true })}>
              Change
            </Button>
            <Button
              size="s"
              variant="quiet"
              refusal={refusal}
              refusalIn="note"
              onClick={() => address.set({ 'remove-aspa': aspaId }, { step: true })}
            >
              Remove
            </Button>
          </Row>
        )}
      />
      {dialog}
    </>
  );
}
