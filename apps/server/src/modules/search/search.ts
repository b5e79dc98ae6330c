import { type SearchHit, searchSectionNames } from '@portal/contract/search/search';
import type { Search } from '../../platform/finder.ts';
import type { Find, FindEverywhere, Module, ModuleContext } from '../../platform/module.ts';

/** Hits of a section: the palette is for the one that is meant, lists are on their pages. */
const MAX = 6;
type SearchInput<Of extends Find | FindEverywhere> = Omit<Parameters<Of>[0], 'most'>;

/** Returns what all modules find in an account, section by section. A module that fails is left out. */
export const findInAccount = (asked: SearchInput<Find>, context: ModuleContext, traceId: string): Promise<SearchHit[]> =>
  gather(context, traceId, ({ find }) => find?.({ ...asked, most: MAX }, context));

/** Returns what all modules find over all members, section by section. */
export const findEverywhere = (asked: Omit<Search, 'most'>, context: ModuleContext, traceId: string): Promise<SearchHit[]> =>
  gather(context, traceId, module => module.findEverywhere?.({ ...asked, most: MAX }, context));

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
