import { type WindowKind, windowKinds, windowStateAt } from '@portal/contract/elections/election-windows';
import { electionKinds } from '@portal/contract/elections/elections';
import type { FastifyInstance } from 'fastify';
import { readForms } from '../../platform/http/forms.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { bar } from '../../platform/http/public-page.ts';
import { ballotOrderPart, optionsOf, readBallotOrder } from '../elections/index.ts';
import { ballotTools, inUtc, isOwnVote, type Options, spelled, type Tools } from './ballot-tools.ts';
import { publishedResults } from './published-results.ts';
import { tallyScript, turnoutOf } from './tally.ts';
import { voteRoutes } from './vote-pages.ts';

const windowStates = { 'not-yet-open': 'not yet open', open: 'open', closed: 'closed' } as const;

/** When votes are cast, each with its state now. */
const windowsPart = (windows: readonly { kind: WindowKind; opensAt: string; closesAt: string }[], now: Date): Content =>
  html`<section><h2>Times</h2><ul class="names">${windows
    .filter(({ kind }) => kind !== 'nomination')
    .map(
      window =>
        html`<li><b>${windowKinds[window.kind]}</b><span>${inUtc(window.opensAt)} to ${inUtc(window.closesAt)}, ${windowStates[windowStateAt(window, now)]}</span></li>`,
    )}</ul></section>`;

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

/** The options for everyone; once the election is over, its result, its ballots and the program that counts them. */
function resultRoutes(scope: FastifyInstance, { db, profile, clock }: Options, { answer, back, refused, electionOf }: Tools): void {
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

  // A receipt is sent in the body: addresses are written to logs of proxies, beside that of the voter.
  scope.route({
    method: ['GET', 'POST'],
    url: '/ballots/:electionId',
    handler: async (request, reply) => {
      const { electionId } = request.params as { electionId: string };
      const election = await electionOf(electionId);
      if (!election)
        return answer(reply, 404, 'Election not found', html`<p>${profile.registryName} holds no ballots of this election.</p>${back}`);
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
${windowsPart(election.windows, clock())}
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
      const asked = request.body instanceof URLSearchParams ? (request.body.get('receipt') ?? '') : '';
      const typed = asked.toUpperCase().replaceAll(/[\s-]/g, '').slice(0, 30);
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
<section id="check"><h2>Check it</h2>
${typed !== '' && (found ? html`<p class="found" role="status"><b>The ballot ${spelled(found.receipt)} is counted</b> with ${found.votes} ${found.votes === 1 ? 'vote' : 'votes'} for ${named(found.choices)}.</p>` : html`<p class="missing" role="status"><b>No ballot has this receipt.</b> Check the letters and digits.</p>`)}
<form method="post" action="/ballots/${electionId}#check"><div class="field"><label for="receipt">Receipt of your ballot</label>
<input class="inp mono" id="receipt" name="receipt" value="${found ? spelled(found.receipt) : typed}" maxlength="30" autocomplete="off" autocapitalize="characters" spellcheck="false" required>
<button class="btn" type="submit">Check</button></div></form>
<p>Count for yourself: <a href="/ballots/${electionId}/ballots.csv">${count === 1 ? 'the only ballot' : `all ${count} ballots`}</a> and <a href="/ballots/tally.mjs">a program that counts them</a>.</p></section>
<section><h2>Option numbers</h2>${names}</section>${order}${back}`,
      );
    },
  });
}
