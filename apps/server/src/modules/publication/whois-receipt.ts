import type { AnswerOf, QueryOf } from '@portal/contract';
import type { PublicationPlace, whoisPublication } from '@portal/contract/publication/publication';
import { isClassName, readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { PlaceAnswer, PublishedVersion, PublishingPlace } from './places.ts';

/** Every change starts here. */
const journal: PublishingPlace = {
  place: 'journal',
  name: 'Journal',
  ask: async ([version]) => ({ query: null, state: 'done', answer: `Serial ${version!.serial}` }),
};

/**
 * Returns what each place answers about a version of an object at this moment. A place with a newer version has had this one.
 * @throws Failure NOT_FOUND for an unknown version
 */
export async function getPublication({
  read,
  query: { class: className, key: written, version },
  registry,
}: {
  read: Read;
  query: QueryOf<typeof whoisPublication.getPublication>;
  registry: ModuleContext;
}): Promise<AnswerOf<typeof whoisPublication.getPublication>> {
  const key = isClassName(className) ? readKey(className, written)?.key.toLowerCase() : undefined;
  const versions = await read.rows<PublishedVersion>(sql`select class, key, shown, version, operation, text, serial from whois_journal
    where class = ${className} and key = ${key ?? ''} and version >= ${version} order by version`);
  const [first] = versions;
  if (!first || first.version !== version) throw refuse('NOT_FOUND', { what: `Version ${version} of ${className} ${written}` });
  const places = await Promise.all(
    [journal, ...registry.modules.flatMap(({ publishing = [] }) => publishing)].map(async ({ place, name, ask }) => {
      const answer = await ask(versions, { ...registry, read });
      return answer && { place, name, ...lineOf(answer) };
    }),
  );
  return { serial: first.serial, at: registry.clock().toISOString(), places: places.filter(each => each !== null) };
}

function lineOf(answer: PlaceAnswer): Omit<PublicationPlace, 'place' | 'name'> {
  const { query, opens = false } = answer;
  if ('state' in answer) return { query, opens, state: answer.state, answer: answer.answer };
  const { seen, isThere } = answer;
  if (seen) return { query, opens, state: 'done', answer: seen.operation === 'DEL' ? 'Removed' : `Version ${seen.version}` };
  return { query, opens, state: 'waiting', answer: isThere ? 'Older version' : 'Not published yet' };
}
