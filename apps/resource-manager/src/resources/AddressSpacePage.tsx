import { Page, useAccount, useAnswer } from '@portal/app-kit';
import { resources } from '@portal/contract/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { Button, EmptyState, formatCount, LinkButton, Sheet, Stack } from '@portal/ui';
import { Suspense, useId, useMemo } from 'react';
import { useQuery } from '../shell/query.ts';
import { AccountNote } from './AccountNote.tsx';
import { amountWords, ipv6Amount, numberWord, plural, slash24s } from './amounts.ts';
import { Beside } from './Beside.tsx';
import { BlockPanel, BlockPanelSkeleton } from './BlockPanel.tsx';
import { addressColumns, DelegationsTable } from './DelegationsTable.tsx';
import { chosenOf, contains } from './holding-map.ts';
import { HoldingSheet, HoldingSheetSkeleton, useHoldingMaps } from './HoldingSheet.tsx';
import { wordsOf } from './kind-words.ts';
import { OutsideBoundary } from './OutsideBoundary.tsx';
import { ResourcesWay } from './ResourcesWay.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';

type Family = 'ipv4' | 'ipv6';
const columns = { ipv4: addressColumns('ipv4'), ipv6: addressColumns('ipv6') };

/** The address space of one family: its map and the block under inspection side by side, the delegations below. */
export function AddressSpacePage({ kind }: { kind: Family }) {
  const { name } = wordsOf[kind];
  const id = useId();
  const query = useQuery();
  return (
    <Page
      title={name}
      breadcrumb={<ResourcesWay page={name} />}
      sub={
        <Suspense fallback={'\u00a0'}>
          <Holds kind={kind} />
        </Suspense>
      }
      actions={
        <LinkButton href={wordsOf[kind].registrationsPage ?? ''} icon="tasks">
          Registrations
        </LinkButton>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <Suspense
          fallback={
            <Beside>
              <HoldingSheetSkeleton />
              <BlockPanelSkeleton />
            </Beside>
          }
        >
          <MapAndPanel kind={kind} describedBy={id} />
        </Suspense>
        <div id={id}>
          <Sheet flush aria-label={`${name} delegations`}>
            <Suspense fallback={<TableSkeleton />}>
              <DelegationsTable
                kind={kind}
                columns={columns[kind]}
                selected={query.get('selected')}
                onSelect={row => {
                  // The map follows: it shows the holding that the row is.
                  query.set({ within: printPrefix(enclosingPrefix(parseRange(row.resource))), selected: row.resource });
                }}
              />
            </Suspense>
          </Sheet>
        </div>
      </Stack>
    </Page>
  );
}

/** "8 960 addresses in four delegations, 35 /24 equivalents." */
function Holds({ kind }: { kind: Family }) {
  const { totals } = useAnswer(resources.getSummary, { account: useAccount().accountName });
  const own = totals.find(each => each.kind === kind);
  if (!own || own.delegations === 0) return <>Nothing is delegated to the account.</>;
  const size = BigInt(own.size);
  const inDelegations = `in ${numberWord(own.delegations)} ${plural(own.delegations, 'delegation', 'delegations')}`;
  const registered =
    own.registrations > 0 ? `, ${formatCount(own.registrations)} ${plural(own.registrations, 'registration', 'registrations')} below` : '';
  return kind === 'ipv4' ? (
    <>
      {amountWords('ipv4', size)} {inDelegations}, {slash24s(size)} /24 {plural(size / 256n, 'equivalent', 'equivalents')}
      {registered}.
    </>
  ) : (
    <>
      {ipv6Amount(size)} {inDelegations}
      {registered}.
    </>
  );
}

function MapAndPanel({ kind, describedBy }: { kind: Family; describedBy: string }) {
  const account = useAccount().accountName;
  const { totals } = useAnswer(resources.getSummary, { account });
  const held = totals.find(each => each.kind === kind)?.delegations ?? 0;
  const query = useQuery();
  const [within, selected] = [query.get('within'), query.get('selected')];
  if (held === 0)
    return (
      <Sheet aria-label="Address map">
        <EmptyState title={wordsOf[kind].none.title}>{wordsOf[kind].none.words}</EmptyState>
      </Sheet>
    );
  return (
    <OutsideBoundary
      at={`${within} ${selected}`}
      words={
        <>
          Nothing that {account} holds lies in {within ?? selected}.
        </>
      }
      action={<Button onClick={() => query.set({ within: null, selected: null })}>Show what it holds</Button>}
    >
      <HeldSpace kind={kind} describedBy={describedBy} />
    </OutsideBoundary>
  );
}

function HeldSpace({ kind, describedBy }: { kind: Family; describedBy: string }) {
  const query = useQuery();
  const [within, selected] = [query.get('within'), query.get('selected')];
  const { near, whole, holder, holding } = useHoldingMaps(kind, within, selected);
  const chosen = useMemo(() => chosenOf({ near, whole, holding, selected }), [near, whole, holding, selected]);
  // What is selected stays in the part in view, or the view leaves that part.
  const select = (resource: string) => query.set({ selected: resource, within: within && contains(within, resource) ? within : null });
  return (
    <Beside>
      <HoldingSheet
        kind={kind}
        near={near}
        whole={whole}
        holder={holder}
        chosen={chosen}
        describedBy={describedBy}
        onHolding={next => query.set({ within: null, selected: next.resource }, { step: true })}
        onSelect={select}
        onWithin={prefix => query.set({ within: prefix }, { step: true })}
      />
      {chosen && <BlockPanel kind={kind} chosen={chosen} onSelect={select} />}
    </Beside>
  );
}
