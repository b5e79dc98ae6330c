import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForms } from '../../platform/http/forms.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { publicPage, sendPage } from '../../platform/http/public-page.ts';
import { ballotOrderPart, type HandOver, optionsOf, ownBallots, readBallotOrder, readElection, readHandOver } from '../elections/index.ts';
import { castBallot, isReceipt, maxChoices, newReceipt } from './casting.ts';
import { publishedResults } from './published-results.ts';
import { tallyScript, turnoutOf } from './tally.ts';

type Options = { db: Database; config: Config; product: string; registryName: string; styleSheet: string; clock: () => Date };

/** A drawn share; the text beside it says the same. */
const bar = (share: number, first = false): Content =>
  html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="${first ? 'first' : ''}" width="${(100 * share).toFixed(1)}" height="8"/></svg>`;
const inWords = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const inUtc = (instant: string): string => `${inWords.format(new Date(instant)).replace('Sept', 'Sep')} UTC`;
const spelled = (receipt: string): string => receipt.match(/.{4}/g)!.join('-');

/** Whether the registry holds plain ballots itself: members or attendees vote without an address of a voting system. */
const isOwn = ({ ballots, windows, publishedAt }: StaffElection): boolean =>
  ballots === 'plain' && publishedAt !== null && windows.some(isOwnVote);
const isOwnVote = ({ kind, url }: StaffElection['windows'][number]): boolean =>
  url === '' && (kind === 'member-vote' || kind === 'attendee-vote');

/** The turnout, in words and drawn. */
const turnoutLine = ({ could, did }: { could: number; did: number }, voters: string): Content =>
  html`<p>${did} of ${could} ${voters} voted${could > 0 && ` (${Math.round((1000 * did) / could) / 10} %)`}.</p>${bar(did / Math.max(1, could))}`;

/**
 * /ballots: the ballot opened by the portal's signed hand-over; and for everyone the options and, once the election is over, the result, the ballots
 * and the counting program.
 */
export function ballotPages(app: FastifyInstance, options: Options): void {
  const tools = ballotTools(options);
  void app.register((scope, _options, done) => {
    // A field for each choice.
    readForms(scope, 16_384, { most: 500, read: fields => fields });
    voteRoutes(scope, options, tools);
    resultRoutes(scope, options, tools);
    done();
  });
}

type Tools = ReturnType<typeof ballotTools>;

/** Returns what the pages share: their frame, the hand-over of a request, the election of an address. */
function ballotTools({ db, config, product, styleSheet, clock }: Pick<Options, 'db' | 'config' | 'product' | 'styleSheet' | 'clock'>) {
  const own = ownBallots(config);
  const page = publicPage({ product, area: 'Ballots', styleSheet });
  const answer = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    sendPage(reply, status, page(title, main));
  const back = html`<p><a href="${config.appUrl}/voting">Voting in the portal</a></p>`;
  const refused = (reply: FastifyReply, status: number, words: string): FastifyReply =>
    answer(reply, status, 'This ballot can’t be opened', html`<p>${words}</p>${back}`);

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
  return { answer, back, refused, handOverIn, electionOf };
}

/** The ballot, and how it is cast. */
function voteRoutes(
  scope: FastifyInstance,
  { db, config, clock }: Options,
  { answer, back, refused, handOverIn, electionOf }: Tools,
): void {
  // A ballot that is sent again, as after a lost answer, may have other choices by then: they are not what was cast.
  const showReceipt = (reply: FastifyReply, electionId: string, { receipt, isNew }: { receipt: string; isNew: boolean }): FastifyReply =>
    answer(
      reply,
      200,
      isNew ? 'Your ballot is cast' : 'Your ballot was cast before',
      html`${!isNew && html`<p>What was chosen the first time counts. What was sent now doesn’t change it.</p>`}<p>Write down its receipt. It is shown only here, and no one can find it for you.</p>
<p class="receipt" data-testid="receipt">${spelled(receipt)}</p>
<p>Once voting is over, all ballots are published with their receipts. Check then that yours is counted as you cast it, at
<a href="${config.appUrl}/ballots/${electionId}">${config.appUrl}/ballots/${electionId}</a>.</p>
<p class="quiet">You can close this window.</p>`,
    );
  scope.get('/ballots/vote', async (request, reply) => {
    const handed = handOverIn(request);
    const election = handed && (await electionOf(handed.electionId));
    if (!handed || !election) return refused(reply, 404, 'The address is incomplete. Open the ballot from the portal again.');
    if (Date.parse(handed.expiresAt) <= clock().getTime())
      return refused(reply, 410, 'The ballot was open for 30 minutes at most. Open it from the portal again.');
    if (handed.generation !== election.generation || election.state !== 'published')
      return refused(reply, 409, 'The vote is repeated, cancelled or over. The portal says which.');
    const options = await optionsOf(db.read, handed.electionId);
    const most = maxChoices({ seats: election.seats, options: options.length });
    const kind = most === 1 ? 'radio' : 'checkbox';
    return answer(
      reply,
      200,
      election.title,
      html`${election.description !== '' && html`<p>${election.description}</p>`}
<dl class="facts"><div><dt>Your ballot has</dt><dd>${handed.votes} ${handed.votes === 1 ? 'vote' : 'votes'}${electionKinds[election.kind].seats && ' for each candidate you choose'}</dd></div>
<div><dt>Choose</dt><dd>${most === 1 ? 'One' : `Up to ${most}`}, or none to abstain</dd></div>
<div><dt>This page works until</dt><dd>${inUtc(handed.expiresAt)}. You can open it again until voting closes.</dd></div></dl>
<form method="post" action="${request.url}">
<input type="hidden" name="receipt" value="${newReceipt()}">
<fieldset><legend>${electionKinds[election.kind].seats ? 'Candidates' : 'Answers'}</legend>
${options.map(
  (
    { name, statement },
    index,
  ) => html`<label class="option"><input type="${kind}" name="choice" value="${index + 1}" aria-labelledby="name-${index}"${statement !== '' && html` aria-describedby="more-${index}"`}>
<b id="name-${index}"><bdi>${name}</bdi></b>${statement !== '' && html`<span id="more-${index}">${statement}</span>`}</label>`,
)}</fieldset>
<p class="quiet">A vote is final: it can’t be changed or withdrawn. Your choice is stored without your name or account.</p>
<button class="btn" type="submit">Cast the ballot</button></form>`,
    );
  });

  scope.post('/ballots/vote', async (request, reply) => {
    // A hand-over signed with this key is for one of these elections; everything else is checked when the ballot is stored.
    const handed = handOverIn(request);
    if (!handed) return refused(reply, 404, 'The address is incomplete. Open the ballot from the portal again.');
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const receipt = form.get('receipt') ?? '';
    const choices = form.getAll('choice').map(Number);
    if (!isReceipt(receipt) || choices.some(choice => !Number.isInteger(choice)))
      return refused(reply, 400, 'The ballot is incomplete. Open it from the portal again.');
    try {
      const isNew = await castBallot({ db, config }, handed, { receipt, choices });
      return showReceipt(reply, handed.electionId, { receipt, isNew });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return answer(reply, error.status, 'The ballot was not cast', html`<p>${error.message}.</p>${back}`);
    }
  });
}

/** The options for everyone; once the election is over, its result, its ballots and the program that counts them. */
function resultRoutes(scope: FastifyInstance, { db, registryName, clock }: Options, { answer, back, refused, electionOf }: Tools): void {
  const resultOf = publishedResults({ read: db.read, clock });
  scope.get('/ballots/tally.mjs', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('content-disposition', 'attachment; filename="tally.mjs"').send(tallyScript),
  );

  scope.get('/ballots/:electionId/ballots.csv', async (request, reply) => {
    const { electionId } = request.params as { electionId: string };
    const election = await electionOf(electionId);
    if (election?.state !== 'closed') return refused(reply, 404, 'Ballots are published once voting is over.');
    const options = await optionsOf(db.read, electionId);
    const { file } = await resultOf({ electionId, generation: election.generation, options: options.length });
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="ballots-${electionId}.csv"`)
      .send(file);
  });

  scope.get('/ballots/:electionId', async (request, reply) => {
    const { electionId } = request.params as { electionId: string };
    const election = await electionOf(electionId);
    if (!election) return answer(reply, 404, 'Election not found', html`<p>${registryName} holds no ballots of this election.</p>${back}`);
    const options = await optionsOf(db.read, electionId);
    const order = ballotOrderPart(await readBallotOrder(db.read, electionId), electionId);
    const names = html`<ol class="names">${options.map(({ name, statement }) => html`<li><b><bdi>${name}</bdi></b>${statement !== '' && html`<span>${statement}</span>`}</li>`)}</ol>`;
    if (election.state === 'cancelled')
      return answer(reply, 200, election.title, html`<p>This election is cancelled. ${election.cancelReason}</p>${back}`);
    if (election.state !== 'closed') {
      const last = election.windows.map(({ closesAt }) => closesAt).reduce((a, b) => (a > b ? a : b));
      return answer(
        reply,
        200,
        election.title,
        html`${election.description !== '' && html`<p>${election.description}</p>`}<section><h2>${electionKinds[election.kind].seats ? 'Candidates' : 'Answers'}</h2>${names}</section>${order}
<section><p>The result and all ballots are published here after <span class="nw">${inUtc(last)}</span>.</p>${back}</section>`,
      );
    }
    const { count, sums, ballot } = await resultOf({ electionId, generation: election.generation, options: options.length });
    const { accounts, attendees } = await turnoutOf(db.read, electionId);
    const votes = (kind: string): boolean => election.windows.some(window => window.kind === kind && isOwnVote(window));
    const most = Math.max(1, ...sums);
    const seats = election.seats ?? 1;
    const ranked = options
      .map((option, index) => ({ ...option, place: index + 1, votes: sums[index]! }))
      .toSorted((a, b) => b.votes - a.votes);
    const asked = ((request.query as { receipt?: unknown }).receipt ?? '') as unknown;
    const typed = typeof asked === 'string' ? asked.toUpperCase().replaceAll(/[\s-]/g, '').slice(0, 30) : '';
    const found = ballot(typed);
    const named = (choices: readonly number[]): string =>
      choices.map(place => options[place - 1]?.name ?? String(place)).join(', ') || 'an abstention';
    return answer(
      reply,
      200,
      election.title,
      html`<section><h2>Result</h2>
<table><thead><tr><th scope="col">${electionKinds[election.kind].seats ? 'Candidate' : 'Answer'}</th><th scope="col">Votes</th><th scope="col"><span class="away">Share</span></th></tr></thead>
<tbody>${ranked.map(({ name, votes }, index) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${votes}</td><td>${bar(votes / most, votes > 0 && index < seats)}</td></tr>`)}</tbody></table></section>
<section><h2>Turnout</h2>
${votes('member-vote') && turnoutLine(accounts, 'accounts')}${votes('attendee-vote') && turnoutLine(attendees, 'attendees')}</section>
<section><h2>Check it</h2>
${typed !== '' && (found ? html`<p class="found" role="status"><b>The ballot ${spelled(found.receipt)} is counted</b> with ${found.votes} ${found.votes === 1 ? 'vote' : 'votes'} for ${named(found.choices)}.</p>` : html`<p class="missing" role="status"><b>No ballot has this receipt.</b> Check the letters and digits.</p>`)}
<form method="get" action="/ballots/${electionId}"><div class="field"><label for="receipt">Receipt of your ballot</label>
<input class="inp mono" id="receipt" name="receipt" value="${found ? spelled(found.receipt) : typed}" maxlength="30" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button class="btn" type="submit">Check</button></div></form>
<p>Count for yourself: <a href="/ballots/${electionId}/ballots.csv">${count === 1 ? 'the only ballot' : `all ${count} ballots`}</a> and <a href="/ballots/tally.mjs">a program that counts them</a>.</p></section>
<section><h2>Option numbers</h2>${names}</section>${order}${back}`,
    );
  });
}
