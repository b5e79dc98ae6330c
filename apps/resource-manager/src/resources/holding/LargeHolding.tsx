import { read, useAccount, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { type AddressOverview, resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange } from '@portal/number-resources';
import { formatCount, formatShare, Stack } from '@portal/ui';
import { useDeferredValue, useMemo } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { amountWords, plural, shareOf } from '../../shell/amounts.ts';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { BlockPanel, BlockPanelSkeleton } from './BlockPanel.tsx';
import { chosenOf, contains, largestHoldingIn } from './holding-map.ts';
import { HoldingSheet, HoldingSheetSkeleton } from './HoldingSheet.tsx';
import { fullestStrip, stripOf } from './overview-places.ts';
import { OverviewSheet, SizesSheet, WholeSpaceSheet } from './OverviewSheet.tsx';

type Family = 'ipv4' | 'ipv6';

/** All of a large holding first, then the part of it that the address names, with the selection beside it. */
export function LargeHolding({ kind, describedBy }: { kind: Family; describedBy: string }) {
  const account = useAccount().accountName;
  const query = useAddress();
  const [within, selected] = [query.get('within'), query.get('selected')];
  const { answer: overview } = useSteadyAnswer(resources.getAddressOverview, { account, query: { kind } });
  const strip = stripOf(overview, within ?? selected) ?? (within || selected ? null : fullestStrip(overview));
  // A prefix outside all strips is requested unchanged: the answer says that nothing is held there.
  const cover = strip?.within ?? within ?? selected;
  if (!cover) return null;
  const near = within && strip && contains(strip.within, within) ? within : cover;
  const maps = read(resources.getAddressMap, { account, query: { kind, within: cover } });
  const show = (place: Place) => query.set(place, { step: true });
  const parts = { kind, overview, cover, part: near, selected, onShow: show };
  // The overview is drawn as soon as it is answered; the parts beside and below follow with the map.
  return (
    <Stack gap={16}>
      <SidePanelLayout>
        <OverviewSheet kind={kind} overview={overview} current={cover} selected={selected} describedBy={describedBy} onShow={show} />
        <Stack gap={16}>
          <FirstRead reads={[maps]} fallback={<BlockPanelSkeleton />}>
            <LargePanel {...parts} />
          </FirstRead>
          {kind === 'ipv4' && <WholeSpaceSheet overview={overview} current={cover} />}
          <SizesSheet overview={overview} length={selected ? lengthOf(selected) : null} />
        </Stack>
      </SidePanelLayout>
      <FirstRead reads={[maps]} fallback={<HoldingSheetSkeleton />}>
        <LargeMap {...parts} describedBy={describedBy} />
      </FirstRead>
    </Stack>
  );
}

type Place = { within: string | null; selected: string | null };
type LargeParts = {
  kind: Family;
  overview: AddressOverview;
  /** The drawn strip, and its visible part. */
  cover: string;
  part: string;
  selected: string | null;
  onShow: (place: Place) => void;
};

/** Returns the maps of a strip and of its visible part, with the selection in them. */
function useLargeMaps({ kind, cover, part, selected, onShow }: LargeParts) {
  const account = useAccount().accountName;
  const { answer: whole } = useSteadyAnswer(resources.getAddressMap, { account, query: { kind, within: cover } });
  const { answer: near } = useSteadyAnswer(resources.getAddressMap, { account, query: { kind, within: part } });
  const holding = useMemo(() => largestHoldingIn(near), [near]);
  const chosen = useMemo(() => chosenOf({ near, whole, holding, selected }), [near, whole, holding, selected]);
  const select = (resource: string) => onShow({ within: part !== cover && contains(part, resource) ? part : null, selected: resource });
  return { whole, near, chosen, select };
}

function LargePanel(parts: LargeParts) {
  const { whole, chosen, select } = useLargeMaps(parts);
  const shown = useDeferredValue(chosen);
  return shown && <BlockPanel kind={parts.kind} chosen={shown} within={whole.within} isFew={false} onSelect={select} />;
}

function LargeMap({ describedBy, ...parts }: LargeParts & { describedBy: string }) {
  const { kind, overview, cover, selected, onShow } = parts;
  const { whole, near, chosen, select } = useLargeMaps(parts);
  const strip = overview.strips.find(each => each.within === cover);
  return (
    <HoldingSheet
      kind={kind}
      near={near}
      whole={whole}
      holder={null}
      chosen={chosen}
      describedBy={describedBy}
      {...(strip && { sub: stripWords(kind, strip, overview.stripLength) })}
      onHolding={next => onShow({ within: null, selected: next.resource })}
      onSelect={select}
      onWithin={prefix => onShow({ within: prefix, selected: selected && contains(prefix, selected) ? selected : null })}
    />
  );
}

/** "4 767 744 addresses in 28 delegations, 28 % of this /8" */
function stripWords(kind: Family, strip: AddressOverview['strips'][number], length: number): string {
  const share = shareOf(BigInt(strip.size), 1n << BigInt((kind === 'ipv4' ? 32 : 128) - length));
  const amount = `${amountWords(kind, BigInt(strip.size))} in ${formatCount(strip.delegations)} ${plural(strip.delegations, 'delegation', 'delegations')}`;
  return share < 0.005 ? amount : `${amount}, ${formatShare(share)} of this /${length}`;
}

/** Returns the length of the smallest prefix around a resource; null if it is not address space. */
function lengthOf(resource: string): number | null {
  try {
    return enclosingPrefix(parseRange(resource)).length;
  } catch {
    return null; // an address typed by hand
  }
}
