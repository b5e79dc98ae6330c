import { whoisPublication } from '@portal/contract/publication/publication';
import { publicationFeeds } from '@portal/contract/publication/feeds';
import { statesOfFeeds } from '../../platform/feeds.ts';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getPublication } from './whois-receipt.ts';

export const publicationRoutes = (context: ModuleContext) =>
  implement(whoisPublication, { getPublication: ({ read, query }) => getPublication(read, query, context) });

export const feedRoutes = (context: ModuleContext) =>
  implement(publicationFeeds, {
    listFeeds: async () => ({
      at: context.clock().toISOString(),
      feeds: (await statesOfFeeds(context)).map(({ name, title, asOf, most, late }) => ({ name, title, asOf, most, late })),
    }),
  });
