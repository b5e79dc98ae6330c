import path from 'node:path';
import type { AnswerOf, QueryOf } from '@portal/contract';
import type { PublicationPlace, whoisPublication } from '@portal/contract/publication/publication';
import { isClassName, parseObject, readKey, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { rdapPrefix, readBackRdap } from '../rdap/index.ts';
import { lastNotification } from '../mirrors/index.ts';
import { publicText, type ReadBack, readBackIrr, readBackWhois } from '../whois/index.ts';

export type PublicationContext = {
  db: Database;
  config: Pick<Config, 'appUrl' | 'rdapBootstrapDir' | 'nrtmDir' | 'roles'>;
  profile: Profile;
  release: string;
  clock: () => Date;
};

/** A line of the journal. */
type Line = {
  class: string;
  key: string;
  shown: string;
  version: number;
  operation: 'ADD' | 'DEL';
  text: string;
  serial: number;
};

/** Classes routers are set up from. */
const irrClasses = new Set(['aut-num', 'as-set', 'route', 'route6', 'route-set', 'filter-set', 'peering-set', 'rtr-set', 'inet-rtr']);

/**
 * What each place answers about a version of an object at this moment. A place that has a newer version has had this one.
 * @throws Failure NOT_FOUND for a version there never was
 */
export async function getPublication(
  read: Read,
  { class: className, key: written, version }: QueryOf<typeof whoisPublication.getPublication>,
  context: PublicationContext,
): Promise<AnswerOf<typeof whoisPublication.getPublication>> {
  const key = isClassName(className) ? readKey(className, written)?.key.toLowerCase() : undefined;
  const lines = await read.rows<Line>(sql`select class, key, shown, version, operation, text, serial from whois_journal
    where class = ${className} and key = ${key ?? ''} and version >= ${version} order by version`);
  const [line] = lines;
  if (!line || line.version !== version) throw refuse('NOT_FOUND', { what: `Version ${version} of ${className} ${written}` });
  const { profile, config, release } = context;
  const place = { db: context.db, source: profile.source, host: profile.whoisHost, termsUrl: profile.whoisTermsUrl, release };
  const isHere = config.roles.includes('whois');
  const asked = async (name: 'whois' | 'irr', ask: typeof readBackWhois): Promise<PublicationPlace> =>
    isHere ? seenText(name, lines, await ask(place, line)) : { ...another, place: name };
  const journal: PublicationPlace = { place: 'journal', state: 'done', query: null, answer: `Serial ${line.serial}` };
  const places = await Promise.all([
    asked('whois', readBackWhois),
    irrClasses.has(className) ? asked('irr', readBackIrr) : Promise.resolve(null),
    seenInRdap(lines, context),
    seenByMirrors(line.serial, context),
  ]);
  return { serial: line.serial, at: context.clock().toISOString(), places: [journal, ...places].filter(each => each !== null) };
}

const another = { state: 'elsewhere', query: null, answer: 'Another process answers it, which was not asked' } as const;

/** The newest of the versions that a text is; for a deletion, its absence. */
function versionOfText(lines: readonly Line[], text: string | null): Line | undefined {
  if (text === null) return lines.at(-1)?.operation === 'DEL' ? lines.at(-1) : undefined;
  return lines.findLast(line => line.operation === 'ADD' && publicText(line) === text);
}

function seenText(place: 'whois' | 'irr', lines: readonly Line[], { query, text }: ReadBack): PublicationPlace {
  const seen = versionOfText(lines, text);
  return seen
    ? { place, state: 'done', query, answer: wordsOf(seen) }
    : { place, state: 'waiting', query, answer: text === null ? 'It is not there yet' : 'An older version is there' };
}

const wordsOf = ({ operation, version }: Line): string => (operation === 'DEL' ? 'It is gone' : `Version ${version}`);

/** RDAP shows no text: the time of the last change tells the version. */
async function seenInRdap(lines: readonly Line[], { db, config, profile }: PublicationContext): Promise<PublicationPlace | null> {
  const back = await readBackRdap(
    { db, base: config.appUrl + rdapPrefix, bootstrapDir: config.rdapBootstrapDir, profile },
    lines.at(-1) as Line,
  );
  if (back === null) return null;
  const { lastChanged } = back;
  const query = `${rdapPrefix}/${back.query}`;
  const last = lines.at(-1);
  const seen =
    lastChanged === null
      ? last?.operation === 'DEL'
        ? last
        : undefined
      : lines.findLast(line => line.operation === 'ADD' && lastModified(line) === lastChanged);
  return seen
    ? { place: 'rdap', state: 'done', query, answer: wordsOf(seen) }
    : { place: 'rdap', state: 'waiting', query, answer: lastChanged === null ? 'It is not there yet' : 'An older version is there' };
}

function lastModified({ text }: Line): string | undefined {
  const { object } = parseObject(text);
  return object ? valueOf(object, 'last-modified') : undefined;
}

/** The last serial in the signed notification that mirrors fetch. */
async function seenByMirrors(serial: number, { config, profile }: PublicationContext): Promise<PublicationPlace> {
  const published = await lastNotification(path.join(config.nrtmDir, profile.source));
  const query = `/nrtm4/${profile.source}/update-notification-file.jose`;
  if (!published)
    return config.roles.includes('worker')
      ? { place: 'mirrors', state: 'waiting', query, answer: `Serial ${serial} goes with the first files` }
      : { place: 'mirrors', state: 'elsewhere', query: null, answer: 'Another process writes the files, which are not here' };
  const upTo = published.metadata.serial;
  return { place: 'mirrors', state: upTo >= serial ? 'done' : 'waiting', query, answer: `Files go up to serial ${upTo}` };
}
