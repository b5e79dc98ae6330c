import { holdsOneOf } from '@portal/contract';
import { type search, type SearchHit, searchSectionNames } from '@portal/contract/search/search';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Module, ModuleContext } from '../../platform/module.ts';

/** Hits of a section: the palette is for the one that is meant, lists are on their pages. */
const MAX = 6;

/** Returns what all modules find in an account, section by section. A module that fails is left out. */
export const findInAccount = ({
  read,
  caller,
  account,
  query: { q },
  traceId,
  registry,
}: Act<typeof search.findInAccount>): Promise<SearchHit[]> =>
  gather(registry, traceId, ({ find }) => find?.({ read, caller, account, text: q, most: MAX }, registry));

/** Returns what all modules find over all members, section by section, as far as the caller may open it. */
export const findEverywhere = ({
  read,
  caller,
  query: { q },
  traceId,
  registry,
}: Act<typeof search.findEverywhere>): Promise<SearchHit[]> =>
  gather(registry, traceId, ({ findEverywhere: finder }) =>
    finder && holdsOneOf(caller.staffPermissions, finder.permissions, true)
      ? finder.find({ read, caller, text: q, most: MAX }, registry)
      : undefined,
  );

async function gather(
  { modules, log }: ModuleContext,
  traceId: string,
  ask: (module: Module) => Promise<SearchHit[]> | undefined,
): Promise<SearchHit[]> {
  const lists = await Promise.all(
    modules.map(async module => {
      try {
        return (await ask(module)) ?? [];
      } catch (error) {
        log.error('part of a search failed', { part: module.name, traceId, error });
        return [];
      }
    }),
  );
  const place = new Map(searchSectionNames.map((section, index) => [section, index]));
  return lists.flat().toSorted((a, b) => place.get(a.section)! - place.get(b.section)!);
}
