import { publicationFeeds } from '@portal/contract/publication/feeds';
import { whoisPublication } from '@portal/contract/publication/publication';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listFeeds } from './feed-list.ts';
import { getPublication } from './whois-receipt.ts';

export const publicationRoutes: readonly Implementation[] = [
  implement(whoisPublication, { getPublication }),
  implement(publicationFeeds, { listFeeds }),
];
