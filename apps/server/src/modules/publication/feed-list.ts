import type { AnswerOf } from '@portal/contract';
import type { publicationFeeds } from '@portal/contract/publication/feeds';
import { statesOfFeeds } from '../../platform/feeds.ts';
import type { Act } from '../../platform/http/endpoints.ts';

/** The age of everything that this registry publishes or sends, for registry staff. */
export const listFeeds = async ({
  registry,
}: Act<typeof publicationFeeds.listFeeds>): Promise<AnswerOf<typeof publicationFeeds.listFeeds>> => ({
  at: registry.now.toISOString(),
  feeds: (await statesOfFeeds(registry)).map(({ name, title, asOf, most, late }) => ({ name, title, asOf, most, late })),
});
