import { whoisPublication } from '@portal/contract/publication/publication';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getPublication } from './whois-receipt.ts';

export const publicationRoutes = (context: ModuleContext) =>
  implement(whoisPublication, { getPublication: ({ read, query }) => getPublication(read, query, context) });
