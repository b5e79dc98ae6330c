import { parseObject, valueOf } from '@portal/rpsl';
import type { Module } from '../../platform/module.ts';
import { readBackRdap } from './read-back.ts';
import { rdapPrefix } from './routes.ts';

/** RDAP as a place of the publication receipt. It has no text, so the version is recognised by the time of the last change. */
export const rdapPlace: NonNullable<Module['publishing']>[number] = {
  place: 'rdap',
  name: 'RDAP',
  ask: async (versions, { db, config, profile }) => {
    const last = versions.at(-1)!;
    const back = await readBackRdap(
      { db: db.forQuestion(), base: config.appUrl + rdapPrefix, bootstrapDir: config.rdapBootstrapDir, profile },
      last,
    );
    if (back === null) return null;
    const { lastChanged } = back;
    const gone = last.operation === 'DEL' ? last : undefined;
    const seen =
      lastChanged === null ? gone : versions.findLast(({ operation, text }) => operation === 'ADD' && lastModified(text) === lastChanged);
    return { query: `${rdapPrefix}/${back.query}`, opens: true, seen, isThere: lastChanged !== null };
  },
};

function lastModified(text: string): string | undefined {
  const { object } = parseObject(text);
  return object ? valueOf(object, 'last-modified') : undefined;
}
