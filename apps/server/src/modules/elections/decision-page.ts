import { isRowId } from '@portal/contract/row-ids';
import { proxies } from '@portal/contract/elections/proxies';
import { sql } from 'kysely';
import type { DecisionPageOf } from '../proposals/index.ts';

const pageOf = (electionId: string): string => `/desk/elections?election=${electionId}`;

/** Acts on an election wait for their second person on its page. @param group the ids of its calls begin with it and a dot */
export const onElectionPage =
  (group: string): DecisionPageOf =>
  async (read, { action, params }) => {
    if (!action.startsWith(`${group}.`)) return null;
    const { electionId, proxyId } = params as { electionId?: string; proxyId?: string };
    if (electionId !== undefined) return pageOf(electionId);
    if (action !== proxies.voidProxy.id || !isRowId(proxyId ?? '')) return null;
    const [proxy] = await read.rows<{
      electionId: string;
    }>(sql`select election_id::text as election_id from election_proxy where election_proxy_id = ${Number(proxyId)}`);
    return proxy ? pageOf(proxy.electionId) : null;
  };
