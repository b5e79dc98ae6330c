import { Page, useAccount, useAnswer, useAddress } from '@portal/app-kit';
import { resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { Button, EmptyState, formatCount, LinkButton, Sheet, Stack } from '@portal/ui';
import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import { FirstRead, type Read, read } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { amountWords, ipv6Amount, numberWord, plural, slash24s } from '../amounts.ts';
import { SidePanelLayout } from './SidePanelLayout.tsx';
import { BlockPanel, BlockPanelSkeleton } from './BlockPanel.tsx';
import { addressColumns, DelegationsTable } from './DelegationsTable.tsx';
import { chosenOf, contains } from './holding-map.ts';
import { HoldingSheet, HoldingSheetSkeleton, useHoldingMaps } from './HoldingSheet.tsx';
import { wordsOf } from '../kind-words.ts';
import { OutsideBoundary } from '../OutsideBoundary.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';

type Family = 'ipv4' | 'ipv6';
const columns = { ipv4: addressColumns('ipv4'), ipv6: addressColumns('ipv6') };

/** The address space of one family: its map and the block under inspection side by side, the delegations below. */
export function AddressSpacePage({ kind }: { kind: Family }) {
  const { name } = wordsOf[kind];
  const id = useId();
  const query = useAddress();
  const account = useAccount().accountName;
  const summary = read(resources.getSummary, { account });
  const within = query.get('within');
  const map = read(resources.getAddressMap, { account, query: { kind, ...(within && { within }) } });
  return (
    <Page
      title={name}
      breadcrumb={<ResourcesBreadcrumb page={name} />}
      sub={
        <FirstRead reads={[summary]} fallback={'\u00a0'}>
          <Holds kind={kind} />
        </FirstRead>
      }
      actions={
        <LinkButton href={wordsOf[kind].registrationsPage ?? ''} icon="tasks">
          Registrations
        </LinkButton>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <MapPlace kind={kind} describedBy={id} summary={summary} map={map} />
        <div id={id}>
          <Sheet flush aria-label={`${name} delegations`}>
            <DelegationsTable
              kind={kind}
              columns={columns[kind]}
              selected={query.get('selected')}
              onSelect={row => {
                // The map follows: it shows the holding that the row is.
                query.set({ within: printPrefix(enclosingPrefix(parseRange(row.resource))), selected: row.resource });
              }}
            />
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

/** The map and its panel, or what stands there while they are on their way, when nothing is held, or when the address names space of others. */
function MapPlace({ kind, describedBy, summary, map }: { kind: Family; describedBy: string; summary: Read; map: Read }) {
  const account = useAccount().accountName;
  const query = useAddress();
  const [within, selected] = [query.get('within'), query.get('selected')];
  const waiting = (
    <SidePanelLayout>
      <HoldingSheetSkeleton />
      <BlockPanelSkeleton />
    </SidePanelLayout>
  );
  return (
    <FirstRead reads={[summary]} fallback={waiting}>
      <OutsideBoundary
        at={`${within} ${selected}`}
        words={
          <>
            Nothing that {account} holds lies in {within ?? selected}.
          </>
        }
        action={<Button onClick={() => query.set({ within: null, selected: null })}>Show what it holds</Button>}
      >
        <IfHeld kind={kind}>
          <FirstRead reads={[map]} fallback={waiting}>
            <HeldSpace kind={kind} describedBy={describedBy} />
          </FirstRead>
        </IfHeld>
      </OutsideBoundary>
    </FirstRead>
  );
}

function IfHeld({ kind, children }: { kind: Family; children: ReactNode }) {
  const { totals } = useAnswer(resources.getSummary, { account: useAccount().accountName });
  if (totals.find(each => each.kind === kind)?.delegations) return children;
  return (
    <Sheet aria-label="Address map">
      <EmptyState title={wordsOf[kind].none.title}>{wordsOf[kind].none.words}</EmptyState>
    </Sheet>
  );
}

function HeldSpace({ kind, describedBy }: { kind: Family; describedBy: string }) {
  const query = useAddress();
  const [within, selected] = [query.get('within'), query.get('selected')];
  const { near, whole, holder, holding } = useHoldingMaps(kind, within, selected);
  const chosen = useMemo(() => chosenOf({ near, whole, holding, selected }), [near, whole, holding, selected]);
  // The panel keeps what it shows until the next is read.
  const shown = useDeferredValue(chosen);
  // What is selected stays in the part in view, or the view leaves that part.
  const select = (resource: string) => query.set({ selected: resource, within: within && contains(within, resource) ? within : null });
  return (
    <SidePanelLayout>
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
      {shown && <BlockPanel kind={kind} chosen={shown} onSelect={select} />}
    </SidePanelLayout>
  );
}
