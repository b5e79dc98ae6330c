import path from 'node:path';
import type { Module } from '../../platform/module.ts';
import { lastNotification } from './nrtm4.ts';

/** The files for mirrors as a place of the publication receipt: the last serial in the signed notification that mirrors fetch. */
export const mirrorsPlace: NonNullable<Module['publishing']>[number] = {
  place: 'mirrors',
  name: 'Mirrors',
  ask: async ([version], { config, profile }) => {
    const { serial } = version!;
    const published = await lastNotification(path.join(config.nrtmDir, profile.source));
    const query = `/nrtm4/${profile.source}/update-notification-file.jose`;
    if (!published)
      return config.roles.includes('worker')
        ? { query, state: 'waiting', answer: `Serial ${serial} is included in the first export` }
        : { query: null, state: 'elsewhere', answer: 'Another process writes the files, which are not here' };
    const upTo = published.metadata.serial;
    return { query, state: upTo >= serial ? 'done' : 'waiting', answer: `Files go up to serial ${upTo}` };
  },
};
