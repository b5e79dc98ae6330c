import { useAccount, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { type AddressMap as AddressMapAnswer, resources } from '@portal/contract/resources/resources';
import { parsePrefix, parseRange } from '@portal/number-resources';
import { Breadcrumb, Chip, ResourceName, Segmented, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { AddressMap } from '@portal/ui/map/AddressMap';
import { useMemo } from 'react';
import { mapText } from '../../shell/amounts.ts';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { type Chosen, firstHoldingIn, holdingOf, viewWithin, withSelected } from './holding-map.ts';
import styles from './HoldingSheet.module.css';
import { wordsOf } from '../kind-words.ts';
import { blocksOf } from '../../shell/map-blocks.ts';
import { reverseLane } from '../../shell/reverse-lane.ts';
import { routedAndRoaLanes } from '../../shell/routing-lane.ts';
import { useDelegatedZones, useRoutedSpace } from './block-states.ts';
import { SeenRoutes } from './SeenRoutes.tsx';

type Family = 'ipv4' | 'ipv6';
type Holding = AddressMapAnswer['holdings'][number];

/**
 * The maps for an address: `whole` of the drawn holding, `near` of the visible part. Without `within` the holding of the selection is drawn, else the first.
 */
export function useHoldingMaps(kind: Family, within: string | null, selected: string | null) {
  const account = useAccount().accountName;
  const input = { account, query: { kind, ...(within && { within }) } };
  const { answer: first } = useSteadyAnswer(resources.getAddressMap, input);
  const holder = (!within && selected && holdingOf(first, selected)) || holdingOf(first, first.within);
  const cover = holder?.within ?? first.within;
  const { answer: whole } = useSteadyAnswer(
    resources.getAddressMap,
    cover === first.within ? input : { account, query: { kind, within: cover } },
  );
  // Adjacent holdings are drawn as one block; the panel shows the first of them.
  const holding = holder ?? firstHoldingIn(whole, whole.within);
  return { near: within ? first : whole, whole, holder, holding };
}

/** The address map of one holding: its blocks to scale, and the selection. Zooming into a block changes `within`, clicking one changes `selected`. */
export function HoldingSheet({
  kind,
  near,
  whole,
  holder,
  chosen,
  describedBy,
  sub,
  onHolding,
  onSelect,
  onWithin,
}: {
  kind: Family;
  near: AddressMapAnswer;
  whole: AddressMapAnswer;
  /** The holding that fills the whole map; null if there are several side by side. */
  holder: Holding | null;
  chosen: Chosen | null;
  describedBy: string;
  /** The held part of the drawn block, if there are too many holdings to choose from here. */
  sub?: string;
  onHolding: (holding: Holding) => void;
  onSelect: (resource: string) => void;
  onWithin: (prefix: string) => void;
}) {
  const text = useMemo(() => mapText(kind, parseRange(whole.first).first), [kind, whole.first]);
  const drawn = useMemo(() => blocksOf(whole, near), [whole, near]);
  const blocks = useMemo(() => withSelected(drawn, whole, chosen), [drawn, whole, chosen]);
  const view = useMemo(() => viewWithin(whole, near.within), [whole, near.within]);
  const { holdings } = whole;
  const { lanes, switches, isListed, space } = useLayers(kind, whole, sub === undefined);
  const sheet = (
    <Sheet
      aria-label={`Address map of ${holder?.resource ?? whole.within}`}
      meta={
        <>
          <Breadcrumb
            label="Holding"
            items={[
              { label: `All ${wordsOf[kind].name}`, href: '?' },
              { label: <ResourceName kind={kind} text={holder?.resource ?? whole.within} strong /> },
            ]}
          />
          {sub && <span className="small quiet">{sub}</span>}
        </>
      }
      actions={
        sub === undefined &&
        holdings.length > 1 && <HoldingChoice holdings={holdings} current={holder} within={whole.within} onHolding={onHolding} />
      }
    >
      <AddressMap
        kind={kind}
        cover={{ label: whole.within, sizeLog2: whole.sizeLog2 }}
        blocks={blocks}
        text={text}
        lanes={lanes}
        tools={switches}
        selected={chosen?.resource ?? null}
        onSelect={onSelect}
        view={view}
        onViewChange={next => onWithin(text.prefix(next.start, next.sizeLog2))}
        describedBy={describedBy}
      />
    </Sheet>
  );
  if (!isListed) return sheet;
  return (
    <Stack gap={16}>
      {sheet}
      {space && <SeenRoutes key={near.within} space={space} view={near.within} />}
    </Stack>
  );
}

type ChoiceProps = {
  holdings: readonly Holding[];
  /** Null if the map shows several. */
  current: Holding | null;
  /** The block that the map shows. */
  within: string;
  onHolding: (holding: Holding) => void;
};

/** The holding to draw: beside one another where there is room, else in a list. */
function HoldingChoice({ holdings, current: holder, within, onHolding }: ChoiceProps) {
  const choose = (resource: string) => {
    const next = holdings.find(each => each.resource === resource);
    if (next) onHolding(next);
  };
  return (
    <>
      <div className={styles.beside}>
        <Segmented
          label="Holding"
          options={holdings.map(each => ({ value: each.resource, label: <span className="mono nw">{each.resource}</span> }))}
          value={holder?.resource ?? ''}
          onChange={choose}
        />
      </div>
      <div className={styles.list}>
        <FilterSelect
          label="Holding"
          value={holder?.resource ?? ''}
          onChange={choose}
          options={[
            ...(holder ? [] : [{ value: '', label: within }]),
            ...holdings.map(each => ({ value: each.resource, label: each.resource })),
          ]}
        />
      </div>
    </>
  );
}

const layers = { routed: 'Routed', roa: 'ROA', reverse: 'Reverse zones' } as const;
type Layer = keyof typeof layers;

/**
 * Announcements, ROAs and reverse zones in the lanes of the map, read once the map is drawn. A lane that is switched off is named in the address (`?off=routed`), as is the list
 * of announcements below the map (`?layer=routing`). Contacts without a permission don’t see its lanes.
 */
function useLayers(kind: Family, whole: AddressMapAnswer, isFew: boolean) {
  const address = useAddress();
  const off = address.get('off') ?? '';
  const { isAllowed: seesRoutes, space } = useRoutedSpace(whole.within);
  const { isAllowed: seesZones, zones } = useDelegatedZones(isFew);
  const all = useMemo(() => {
    const drawn = parsePrefix(whole.within);
    return [...(seesRoutes ? routedAndRoaLanes(space, drawn.first) : []), ...(seesZones ? [reverseLane(zones ?? [], drawn)] : [])];
  }, [seesRoutes, seesZones, space, zones, whole.within]);
  const lanes = useMemo(() => all.filter(({ id }) => !off.split(',').includes(id)), [all, off]);
  const isOn = (layer: string) => lanes.some(({ id }) => id === layer);
  const isListed = seesRoutes && address.get('layer') === 'routing';
  const set = (next: Record<string, string | null>) => address.set(next, { step: 'in-place' });
  const switches = all.length > 0 && (
    <fieldset className={styles.layers}>
      <legend className="vh">Layers</legend>
      {all.map(({ id }) => (
        <Chip
          key={id}
          pressed={isOn(id)}
          onClick={() => set({ off: all.flatMap(each => ((each.id === id) === isOn(each.id) ? [each.id] : [])).join() || null })}
        >
          <i data-layer={id} data-kind={kind} aria-hidden="true" />
          {layers[id as Layer]}
        </Chip>
      ))}
      {seesRoutes && (
        <Chip pressed={isListed} onClick={() => set({ layer: isListed ? null : 'routing' })}>
          List announcements
        </Chip>
      )}
    </fieldset>
  );
  return { lanes, switches, isListed, space };
}

/** The sheet while its map is loading, as high as a map of eight rows. */
export function HoldingSheetSkeleton() {
  return (
    <Sheet meta={<SkeletonLines lines={1} />}>
      <div className={styles.waiting} aria-busy="true" />
    </Sheet>
  );
}
