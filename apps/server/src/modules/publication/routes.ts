import { whoisPublication } from '@portal/contract/publication/publication';
import { implement } from '../../platform/endpoints.ts';
import { getPublication, type PublicationContext } from './whois-receipt.ts';

export const publicationRoutes = (context: PublicationContext) =>
  implement(whoisPublication, { getPublication: ({ read, query }) => getPublication(read, query, context) });
