import type { ZoneReport } from '@portal/contract/reverse-dns/zone-reports';
import { formatDate } from '@portal/ui';
import { type Path, pathOfReport, type PathServer } from './delegation-path.ts';

/** A calendar day is the same in every zone. */
const sinceWords = (day: string): string => `since ${formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date')}`;

/** Returns the path of a zone: as its last check saw it, or, before the first one, as far as the registry knows it. */
export function pathOfZone({ zone: { zone, servers, ds, version }, run, lame, parent, leftOut }: ZoneReport): Path {
  const since = (server: string): string | null => {
    const found = lame.find(each => each.server === server);
    return found ? sinceWords(found.since) : null;
  };
  const isLeftOut = leftOut?.whole === true;
  if (run?.report && !isLeftOut) return pathOfReport(zone, run.report, since);
  const isDelegated = version !== null && !isLeftOut;
  const words =
    version === null
      ? `The path ends at the parent zone: ${zone} isn’t delegated, so its addresses have no names.`
      : isLeftOut
        ? `The path ends at the parent zone, which leaves the delegation out: ${leftOut.reasons.join('; ')}.`
        : 'The name servers haven’t been checked since the delegation was last changed.';
  return {
    zone,
    nodes: [
      { zone: '. (root)', note: null, trust: null, link: 'plain' },
      {
        zone: parent?.zone ?? parentName(zone),
        note: parent ? `this registry, serial ${parent.serial}` : 'this registry',
        trust: ds.length > 0 && isDelegated ? `DS ${ds.map(each => each.split(' ')[0]).join(', ')}` : null,
        link: isDelegated ? 'plain' : 'broken',
      },
    ],
    servers: isDelegated
      ? servers.map((text): PathServer => {
          const [server = text, address = null] = text.split(' ');
          const found = lame.find(each => each.server === server);
          return {
            id: text,
            server,
            address,
            state: found ? 'fault' : 'unknown',
            said: found ? 'Doesn’t answer for the zone' : 'Not checked yet',
            note: found ? sinceWords(found.since) : '',
          };
        })
      : [],
    words,
  };
}

const parentName = (zone: string): string => zone.split('.').slice(1).join('.');
