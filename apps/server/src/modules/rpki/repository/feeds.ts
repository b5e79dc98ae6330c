import { sql } from 'kysely';
import type { Feed } from '../../../platform/module.ts';
import { lastRound } from '../../../platform/periodic-work.ts';
import { type PublisherNotes, publisherRounds } from '../publisher-rounds.ts';

/** Maximum time, in minutes, for a publication to be visible. */
const USUAL = 15;

/** The repository of RPKI over both protocols. Members left out of publications have a separate alarm. */
export const repositoryFeeds: readonly Feed[] = [
  {
    name: 'rpki-rrdp',
    title: 'RPKI repository, RRDP',
    role: 'publisher',
    usual: () => USUAL,
    asOf: async ({ db }) => (await lastRound(db.read, publisherRounds))?.succeededAt ?? null,
  },
  {
    name: 'rpki-rsync',
    title: 'RPKI repository, rsync',
    role: 'publisher',
    usual: ({ rpkiRsyncSeconds }) => USUAL + Math.ceil(rpkiRsyncSeconds / 60),
    asOf: async ({ db }) => {
      const round = await lastRound(db.read, publisherRounds);
      const [session] = await db.read.rows<{ serial: number; begunAt: string; publishedAt: string }>(
        sql`select serial, begun_at, published_at from rrdp_session where ended_at is null`,
      );
      if (!round?.succeededAt || !session) return round?.succeededAt ?? null;
      const { tree } = (round.noted as PublisherNotes | null) ?? { tree: null };
      if (tree?.serial === session.serial) return round.succeededAt;
      // Since the first publication missing in the tree; a tree of an earlier session lacks all of this one.
      const [missed] = await db.read.rows<{
        at: string | null;
      }>(sql`select min(d.published_at) as at from rrdp_delta d join rrdp_session s using (session_id)
        where s.ended_at is null and d.serial > ${tree && tree.serial < session.serial ? tree.serial : 0}`);
      return missed!.at ?? (tree === null || tree.serial > session.serial ? session.begunAt : session.publishedAt);
    },
  },
];
