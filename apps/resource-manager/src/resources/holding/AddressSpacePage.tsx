import { Page, type PageReads, type Read, read, useAccount, useAddress, useRead, useRefusal } from '@portal/app-kit';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { later } from '@portal/app-kit/page/later';
import { pages } from '@portal/contract/pages';
import { resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { Button, EmptyState, formatCount, LinkButton, Segmented, Sheet, Stack } from '@portal/ui';
import { type ReactNode, useDeferredValue, useId, useMemo } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { amountWords, ipv6Amount, numberWord, plural, slash24s } from '../../shell/amounts.ts';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { BlockPanel, BlockPanelSkeleton } from './BlockPanel.tsx';
import { BlocksTable } from './BlocksTable.tsx';
import { addressColumns, DelegationsTable } from './DelegationsTable.tsx';
import { chosenOf, contains } from './holding-map.ts';
import { HoldingSheet, HoldingSheetSkeleton, useHoldingMaps } from './HoldingSheet.tsx';
import { MapWhenAsked } from './MapWhenAsked.tsx';
import { wordsOf } from '../kind-words.ts';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import { customersPath } from '../customers/register-address.ts';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';

type Family = 'ipv4' | 'ipv6';
/** The pictures that only large holders need. */
const LargeHolding = later(() => import('./LargeHolding.tsx'), 'LargeHolding');
const requestPages = { ipv4: pages.ipv4Request, ipv6: pages.ipv6Request };
const columns = { ipv4: addressColumns('ipv4'), ipv6: addressColumns('ipv6') };

const summaryOf = (account: string) => read(resources.getSummary, { account });
const mapOf = (kind: Family, account: string, within: string | null) =>
  read(resources.getAddressMap, { account, query: { kind, ...(within && { within }) } });

/** The reads with which the page of a family begins. Which table and which IPv6 map it has is known only after the summary. */
export const addressSpaceReads =
  (kind: Family): PageReads =>
  page => [summaryOf(page.account), ...(kind === 'ipv4' ? [mapOf(kind, page.account, page.address.get('within'))] : [])];

/** The address space of one family: its map and the block under inspection side by side, the delegations below. */
export function AddressSpacePage({ kind }: { kind: Family }) {
  const { name } = wordsOf[kind];
  const id = useId();
  const query = useAddress();
  const account = useAccount().accountName;
  const summary = summaryOf(account);
  const map = mapOf(kind, account, query.get('within'));
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
        <>
          <LinkButton href={wordsOf[kind].registrationsPage ?? ''} icon="tasks">
            Registrations
          </LinkButton>
          <FirstRead reads={[summary]} fallback={null}>
            <AddAssignment kind={kind} />
          </FirstRead>
        </>
      }
    >
      <AccountNote />
      <Stack gap={16}>
        <MapPlace kind={kind} describedBy={id} summary={summary} map={map} />
        <div id={id}>
          <FirstRead reads={[summary]} fallback={<TableSkeleton />}>
            <HeldTable kind={kind} />
          </FirstRead>
        </div>
      </Stack>
    </Page>
  );
}

/** The link to register an assignment out of any delegation, for contacts who may make one. */
function AddAssignment({ kind }: { kind: Family }) {
  const refusal = useRefusal(whoisCustomers.addAssignment);
  const delegations = useDelegationCount(kind);
  if (refusal || delegations === 0) return null;
  return (
    <LinkButton href={`${customersPath}?add=yes`} variant="primary" icon="plus">
      Add assignment
    </LinkButton>
  );
}

/** "8 960 addresses in four delegations, 35 /24 equivalents." */
function Holds({ kind }: { kind: Family }) {
  const { totals } = useRead(summaryOf(useAccount().accountName));
  const own = totals.find(each => each.kind === kind);
  if (!own || own.delegations === 0) return null;
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

/** The map and its panel, or a placeholder while they load, without a holding, or when the address names others' space. */
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
            No resources of {account} are in {within ?? selected}.
          </>
        }
        action={<Button onClick={() => query.set({ within: null, selected: null })}>Show what it holds</Button>}
      >
        <IfHeld
          kind={kind}
          few={
            <FirstRead reads={[map]} fallback={waiting}>
              <HeldSpace kind={kind} describedBy={describedBy} />
            </FirstRead>
          }
          many={
            <FirstRead reads={[read(resources.getAddressOverview, { account, query: { kind } })]} fallback={waiting}>
              <LargeHolding kind={kind} describedBy={describedBy} />
            </FirstRead>
          }
        />
      </OutsideBoundary>
    </FirstRead>
  );
}

/** Up to this many delegations are listed beside their map; more start with an overview. */
const FEW = 3;

function useDelegationCount(kind: Family): number {
  const { totals } = useRead(summaryOf(useAccount().accountName));
  return totals.find(each => each.kind === kind)?.delegations ?? 0;
}

/** The table of a holding: its blocks where they are few enough for one map, or its delegations. Without a holding the page says so in place of the map. */
function HeldTable({ kind }: { kind: Family }) {
  const { totals } = useRead(summaryOf(useAccount().accountName));
  const query = useAddress();
  const { delegations = 0, registrations = 0 } = totals.find(each => each.kind === kind) ?? {};
  const hasBlocks = delegations <= FEW && registrations > 0;
  // An address that sorts or filters delegations is about these.
  const isBlocks = hasBlocks && query.get('table') !== 'delegations' && query.get('type') === null && query.get('sort') === null;
  const switcher = hasBlocks && (
    <Segmented
      label="Listed"
      options={[
        { value: 'blocks', label: 'Blocks' },
        { value: 'delegations', label: 'Delegations' },
      ]}
      value={isBlocks ? 'blocks' : 'delegations'}
      onChange={next =>
        query.set({
          table: next === 'blocks' ? null : next,
          q: null,
          page: null,
          parent: null,
          free: null,
          visibility: null,
          route: null,
          type: null,
          sort: null,
          direction: null,
        })
      }
    />
  );
  if (delegations === 0) return null;
  return (
    <Sheet flush aria-label={`${wordsOf[kind].name} ${isBlocks ? 'blocks' : 'delegations'}`}>
      {isBlocks ? (
        <BlocksTable kind={kind} switcher={switcher} />
      ) : (
        <DelegationsTable
          kind={kind}
          columns={columns[kind]}
          selected={query.get('selected')}
          switcher={switcher}
          onSelect={row => {
            // The map follows: it shows the holding that the row is.
            query.set({ within: printPrefix(enclosingPrefix(parseRange(row.resource))), selected: row.resource });
          }}
        />
      )}
    </Sheet>
  );
}

function IfHeld({ kind, few, many }: { kind: Family; few: ReactNode; many: ReactNode }) {
  const delegations = useDelegationCount(kind);
  if (delegations > 0) return <MapWhenAsked>{delegations <= FEW ? few : many}</MapWhenAsked>;
  return (
    <Sheet aria-label="Address map">
      <EmptyState
        title={wordsOf[kind].none.title}
        action={<LinkButton href={requestPages[kind].path}>{requestPages[kind].title}</LinkButton>}
      >
        {wordsOf[kind].none.words}
      </EmptyState>
    </Sheet>
  );
}

function HeldSpace({ kind, describedBy }: { kind: Family; describedBy: string }) {
  const query = useAddress();
  const [within, selected] = [query.get('within'), query.get('selected')];
  const { near, whole, holder, holding } = useHoldingMaps(kind, within, selected);
  const chosen = useMemo(() => chosenOf({ near, whole, holding, selected }), [near, whole, holding, selected]);
  // The panel keeps its content until the next is loaded.
  const shown = useDeferredValue(chosen);
  // Keep the selection in the visible part, or leave that part.
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
      {shown && <BlockPanel kind={kind} chosen={shown} within={whole.within} isFew onSelect={select} />}
    </SidePanelLayout>
  );
}
