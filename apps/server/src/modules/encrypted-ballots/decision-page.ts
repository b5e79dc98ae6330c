import { rollObjections } from '@portal/contract/encrypted-ballots/objections';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import { onElectionPage } from '../elections/index.ts';
import type { DecisionPageOf } from '../proposals/index.ts';

const ofElection = onElectionPage('encryptedBallots');

/** Acts on an encrypted ballot, and decisions on objections to its roll, wait for their second person on the page of the election. */
export const decisionPageOf: DecisionPageOf = async (read, { action, params }) => {
  const { objectionId = '' } = params as { objectionId?: string };
  if (action !== rollObjections.decideObjection.id || !isRowId(objectionId)) return ofElection(read, { action, params });
  const [row] = await read.rows<{ electionId: string }>(
    sql`select election_id::text as election_id from roll_objection where roll_objection_id = ${Number(objectionId)}`,
  );
  return row ? ofElection(read, { action, params: { electionId: row.electionId } }) : null;
};
