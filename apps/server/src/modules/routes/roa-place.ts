import { parseAsNumber } from '@portal/number-resources';
import type { Module } from '../../platform/module.ts';
import { roaPublications, servedSerial } from '../rpki/index.ts';

/** The ROA beside a route object, as clients of RRDP find it. Route objects without a ROA have no such line. */
export const roaPlace: NonNullable<Module['publishing']>[number] = {
  place: 'rpki',
  name: 'ROA',
  ask: async ([version], { read, config }) => {
    const written = version!.class === 'route' || version!.class === 'route6' ? /^(\S+\/\d+)(as\d+)$/i.exec(version!.key) : null;
    if (!written) return null;
    const [roa] = await roaPublications(read, [{ prefix: written[1]!, asn: parseAsNumber(written[2]!) }]);
    const { isWanted, serial, isLeaving } = roa!;
    const served = await servedSerial(config.rpkiDir);
    const shown = { query: served === null ? null : '/rrdp/notification.xml', opens: served !== null };
    if (isLeaving) return { ...shown, state: 'waiting', answer: 'Still published' };
    if (!isWanted) return version!.operation === 'DEL' && served !== null ? { ...shown, state: 'done', answer: 'None' } : null;
    if (serial === null) return { ...shown, state: 'waiting', answer: 'Not published yet' };
    const state = served === null ? 'elsewhere' : served >= serial ? 'done' : 'waiting';
    return { ...shown, state, answer: `In RRDP serial ${serial}` };
  },
};
