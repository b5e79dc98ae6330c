import { createHash, randomBytes } from 'node:crypto';
import type { BallotOrder } from '@portal/contract/elections/nominations';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Sorts names as the seed of an election orders them on its ballot: by the SHA-256 of `seed|election|name` in hexadecimal. */
export function inDrawnOrder<Row>(rows: readonly Row[], nameOf: (row: Row) => string, seed: string, electionId: string): Row[] {
  const keyed = rows.map(row => ({ row, key: sha256(`${seed}|${electionId}|${nameOf(row)}`) }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
}

/** Draws the seed of an election, once: as it is published, or as one that is published gets nominations. */
export const drawSeed = async (change: Change, electionId: string): Promise<void> => {
  await change.rows(sql`insert into ballot_order (election_id, seed, drawn_at) values (${Number(electionId)}, ${randomBytes(32).toString('hex')}, ${change.now}::timestamptz)
    on conflict do nothing`);
};

/** The seed of an election whose candidates are put on the ballot; from now on it is shown. It isn’t drawn here, where candidates are known. @throws Failure NOMINATION_CLOSED where none was drawn */
export async function revealSeed(change: Change, electionId: string): Promise<string> {
  const [used] = await change.rows<{ seed: string }>(sql`update ballot_order set used_at = coalesce(used_at, ${change.now}::timestamptz)
    where election_id = ${Number(electionId)} returning seed`);
  if (!used) throw refuse('NOMINATION_CLOSED', { why: 'no seed was drawn for the order on its ballot. Enter the candidates by hand' });
  return used.seed;
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, place) => name === others[place]);

/** How the order on the ballot of an election is drawn; null where it is the order in which answers were entered. */
export async function readBallotOrder(read: Pick<Read, 'rows'>, electionId: string): Promise<BallotOrder | null> {
  const [row] = await read.rows<{ seed: string; used: boolean; first: boolean; names: string[]; candidates: string[] }>(sql`
    select b.seed, b.used_at is not null as used, not exists (select from nomination n where n.election_id = b.election_id and n.nominated_at < b.drawn_at) as first,
      array(select n.full_name from nomination n where n.election_id = b.election_id and n.state = 'eligible') as candidates, array(select o.name from election_option o where o.election_id = b.election_id order by o.place) as names
    from ballot_order b where b.election_id = ${Number(electionId)}`);
  if (!row) return null;
  const { seed, used, names, candidates, first } = row;
  // Those who stand, as they were nominated: another spelling on the ballot is another place.
  const drawn = inDrawnOrder(candidates, name => name, seed, electionId);
  return {
    commitment: sha256(seed),
    seed: used ? seed : null,
    isAsDrawn: used && names.length > 0 ? isSame(drawn, names) : null,
    hasTheirNames: used && names.length > 0 ? isSame(candidates.toSorted(), names.toSorted()) : null,
    isDrawnFirst: first,
  };
}

/** The part of a public page that says how the order on the ballot was drawn, and how anyone draws it again. */
export function ballotOrderPart(order: BallotOrder | null, electionId: string): Content {
  if (order === null) return html``;
  const { commitment, seed, isAsDrawn, hasTheirNames, isDrawnFirst } = order;
  const drawn = isDrawnFirst ? 'before anyone was nominated' : 'after people were nominated, as the election had no seed before';
  const words =
    seed === null
      ? `Candidates are put on the ballot in an order that follows from a seed. It was drawn ${drawn}, and is shown once nominations are closed. Its hash is shown now, so that it can’t be chosen afterwards.`
      : hasTheirNames === false
        ? 'The names on the ballot differ from those of the candidates who stand, so its order doesn’t follow from the seed: the registry changed the ballot or a candidate since.'
        : isAsDrawn === false
          ? 'The order on the ballot differs from the one that follows from the seed: the registry changed the ballot since.'
          : `The order on the ballot follows from a seed that was drawn ${drawn}. Calculate the hash of each name: they are in the order of their hashes.`;
  return html`<section id="order"><h2>Order on the ballot</h2><p>${words}</p>
<dl class="rows"><div><dt>Hash of the seed</dt><dd class="mono">${commitment}</dd></div>${
    seed !== null &&
    html`<div><dt>Seed</dt><dd class="mono">${seed}</dd></div>
<div><dt>Check the seed</dt><dd class="mono">printf %s '${seed}' | sha256sum</dd></div>
<div><dt>Hash of a name</dt><dd class="mono">printf %s '${seed}|${electionId}|NAME' | sha256sum</dd></div>`
  }</dl></section>`;
}
