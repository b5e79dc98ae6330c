import type { Profile } from '../../profile.ts';
import type { StaffElection } from '@portal/contract/elections/elections';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { publicPage, sendPage } from '../../platform/http/public-page.ts';
import { type HandOver, ownBallots, readElection, readHandOver } from '../elections/index.ts';

export type Options = { db: Database; config: Config; profile: Profile; styleSheet: string; receiptScript: string; clock: () => Date };

const wordsIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
const inWords = wordsIn('UTC');
/** An instant in a time zone, as the portal writes it: `Thu 10 Dec 2026, 17:30`. */
export const inZone = (instant: string, timeZone: string): string =>
  wordsIn(timeZone).format(new Date(instant)).replace('Sept', 'Sep').replace(',', '');
export const inUtc = (instant: string): string => `${inWords.format(new Date(instant)).replace('Sept', 'Sep')} UTC`;
export const spelled = (receipt: string): string => receipt.match(/.{4}/g)!.join('-');

/** Whether the registry holds plain ballots itself: members or attendees vote without an address of a voting system. */
const isOwn = ({ ballots, windows, publishedAt }: StaffElection): boolean =>
  ballots === 'plain' && publishedAt !== null && windows.some(isOwnVote);
export const isOwnVote = ({ kind, url }: StaffElection['windows'][number]): boolean =>
  url === '' && (kind === 'member-vote' || kind === 'attendee-vote');

export type Tools = ReturnType<typeof ballotTools>;

/** Returns what the pages share: their frame, the hand-over of a request, the election of an address. */
export function ballotTools({
  db,
  config,
  profile,
  styleSheet,
  receiptScript,
  clock,
}: Pick<Options, 'db' | 'config' | 'profile' | 'styleSheet' | 'receiptScript' | 'clock'>) {
  const own = ownBallots(config);
  const page = publicPage({ profile, area: 'Ballots', styleSheet });
  // The only page with a script: where nothing is left to choose.
  const receiptPage = publicPage({ profile, area: 'Ballots', styleSheet, script: receiptScript });
  const answer = (reply: FastifyReply, status: number, title: string, main: Content, who?: Content): FastifyReply =>
    sendPage(reply, status, page(title, main, who));
  const answerReceipt = (reply: FastifyReply, title: string, main: Content, who: Content): FastifyReply =>
    sendPage(reply, 200, receiptPage(title, main, who));
  const back = html`<p><a href="${config.appUrl}/voting">Voting in the portal</a></p>`;
  const refused = (reply: FastifyReply, status: number, words: string, who?: Content): FastifyReply =>
    answer(reply, status, 'This ballot can’t be opened', html`<p>${words}</p>${back}`, who);

  /** The valid hand-over of a request. */
  const handOverIn = (request: FastifyRequest): HandOver | null => readHandOver(own.secret, request.query as Record<string, unknown>);
  const electionOf = async (electionId: string): Promise<StaffElection | null> => {
    try {
      const election = await readElection(db.read, electionId, clock());
      return isOwn(election) ? election : null;
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  };
  return { answer, answerReceipt, back, refused, handOverIn, electionOf };
}
