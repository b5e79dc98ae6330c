import { printAsNumber } from '@portal/number-resources';
import { formatCount, KeyValueList, Link, Mono } from '@portal/ui';
import { hrefOfNewRoute } from '../routes/route-words.ts';
import { type BlockRoute, routeOf, useDelegatedZones, useRoutedSpace, zonesOf } from './block-states.ts';
import { RouteMark } from './RouteMark.tsx';
import { ZonesMark } from './ZonesMark.tsx';

/** The ROA that decides an announcement, `198.18.0.0/19-22`, or the way to make one. */
function Roa({ first: { prefix, asn, roas, roaCount } }: BlockRoute) {
  const [roa] = roas;
  if (!roa) return <Link href={hrefOfNewRoute({ prefix, asn })}>Add a ROA</Link>;
  return (
    <>
      <Mono nowrap={false}>
        {roa.prefix}
        {roa.prefix.endsWith(`/${roa.maxLength}`) ? '' : `-${roa.maxLength}`}
      </Mono>
      {roa.asn !== asn && ` for ${printAsNumber(roa.asn)}`}
      {roaCount > 1 && <span className="quiet"> and {formatCount(roaCount - 1)} more</span>}
    </>
  );
}

/** How a block is announced, and whether its reverse zones answer. @param within the drawn space around it, whose reads it shares with the map */
export function BlockFacts({ within, resource, isFew }: { within: string; resource: string; isFew: boolean }) {
  const { space } = useRoutedSpace(within);
  const { zones } = useDelegatedZones(isFew);
  const route = space && routeOf(space, resource);
  return (
    <KeyValueList
      items={[
        ...(route ? [{ key: 'Origin', value: <Mono nowrap={false}>{route.origins.map(printAsNumber).join(', ')}</Mono> }] : []),
        ...(route === undefined || space === null ? [] : [{ key: 'Route', value: <RouteMark route={route} /> }]),
        ...(route?.count === 1
          ? [
              { key: 'ROA', value: <Roa {...route} /> },
              { key: 'Seen by', value: `${formatCount(route.first.peers)} peers` },
            ]
          : []),
        ...(zones ? [{ key: 'Reverse zones', value: <ZonesMark zones={zonesOf(zones, resource)} /> }] : []),
      ]}
    />
  );
}
