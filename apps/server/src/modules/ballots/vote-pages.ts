import { electionKinds, isZone, type StaffElection } from '@portal/contract/elections/elections';
import type { ElectionOption } from '@portal/contract/elections/options';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { type HandOver, optionsOf } from '../elections/index.ts';
import { inZone, type Options, type Tools } from './ballot-tools.ts';
import { castBallot, isOwnReceipt, maxChoices, newReceipt, sealReceipt } from './casting.ts';
import { receiptPart } from './receipt-part.ts';

/** Who votes, in words; `voted` once the vote of this round is cast. */
type Voter = {
  accountName: string | null;
  orgName: string | null;
  castAs: 'member' | 'proxy' | 'attendee';
  voterName: string;
  voted: boolean;
};

/** The voter of a hand-over: who opens several ballots reads in each for which account it is. */
const readVoter = async (read: Read, { voter }: HandOver): Promise<Voter | null> => {
  const [row] = await read.rows<Voter>(sql`
    select s.account_name, a.org_name, s.cast_as, s.voter_name,
      exists (select from election_vote v where v.election_id = s.election_id and v.generation = s.generation and v.account_name = s.account_name)
      or exists (select from attendee_vote p where p.election_id = s.election_id and p.generation = s.generation and p.login_id = s.login_id) as voted
    from ballot_session s left join account a using (account_name) where s.voter_id = ${voter}::uuid`);
  return row ?? null;
};

const voterInWords = ({ accountName, orgName, castAs, voterName }: Voter): Content =>
  castAs === 'attendee'
    ? html`<bdi>${voterName}</bdi>, as an attendee`
    : html`<bdi>${orgName}</bdi> (${accountName})${castAs === 'proxy' && ', as its proxy'}`;

/** Who has come from the portal, in the head of the page. */
const whoPart = ({ accountName, castAs, voterName }: Voter): Content =>
  html`<span class="push who">${accountName !== null && html`<b>${accountName}</b>`}<span><bdi>${voterName}</bdi>${castAs === 'proxy' && ', proxy'}</span></span>`;

const countVotes = (votes: number): string => `${votes} ${votes === 1 ? 'vote' : 'votes'}`;

/** A ballot that is open: its election and answers, and who fills it in. */
type OpenBallot = { handed: HandOver; election: StaffElection; options: ElectionOption[]; most: number; voter: Voter };
/** The fields that a form of the ballot carries from page to page. */
type Filled = { receipt: string; seal: string; choices: readonly number[] };

const steps = ['Choose', 'Review', 'Receipt'] as const;
/** The steps of a ballot, with the current one. */
const stepsPart = (current: (typeof steps)[number]): Content =>
  html`<ol class="steps" aria-label="Steps">${steps.map(
    (step, index) =>
      html`<li${step === current && html` aria-current="step"`}${index < steps.indexOf(current) && html` class="done"`}><i aria-hidden="true">${index + 1}</i>${step}${index < steps.indexOf(current) && html`<span class="away"> done</span>`}</li>`,
  )}</ol>`;

/** The zone in which the portal shows times to the person it sent; null where it didn't send one, as with links in an e-mail. */
function zoneIn(request: FastifyRequest): string | null {
  const { zone } = request.query as { zone?: unknown };
  return typeof zone === 'string' && isZone(zone) ? zone : null;
}

/** An instant in the zone of the election and, where it differs, in that of the voter. */
function timePart(instant: string, official: string, own: string | null): Content {
  const [there, here] = [inZone(instant, official), own === null ? null : inZone(instant, own)];
  if (here === null || here === there) return html`${there}${here === null && html` <span class="quiet">${official}</span>`}`;
  return html`${here} <span class="quiet">in your time, ${there} in ${official}</span>`;
}

/** When the window in which a ballot is cast closes; null where the election has none of its kind. */
const closeOf = ({ election, voter: { castAs } }: OpenBallot): string | null =>
  election.windows.find(({ kind }) => kind === (castAs === 'member' ? 'member-vote' : castAs === 'proxy' ? 'proxy-vote' : 'attendee-vote'))
    ?.closesAt ?? null;

const facts = ({ handed: { votes }, election, voter }: OpenBallot, more: Content): Content =>
  html`<dl class="facts"><div><dt>You vote for</dt><dd>${voterInWords(voter)}</dd></div>
<div><dt>The ballot has</dt><dd>${countVotes(votes)}${electionKinds[election.kind].seats && ' for each candidate you choose'}</dd></div>
${more}</dl>`;

/**
 * The receipt with its seal, in one field. A process of the release before, which casts whatever form has a receipt, finds none in it and casts nothing: its neighbour
 * may have sent the form while the release is changed.
 */
const sealedField = ({ receipt, seal }: Pick<Filled, 'receipt' | 'seal'>): Content =>
  html`<input type="hidden" name="sealed" value="${receipt}.${seal}">`;

/** The first page: candidates or answers. */
function choosePage(url: string, zone: string | null, ballot: OpenBallot, { receipt, seal, choices }: Filled): Content {
  const { election, options, most, handed } = ballot;
  const kind = most === 1 ? 'radio' : 'checkbox';
  const closesAt = closeOf(ballot);
  return html`${stepsPart('Choose')}${election.description !== '' && html`<p>${election.description}</p>`}
${facts(
  ballot,
  html`<div><dt>Choose</dt><dd>${most === 1 ? 'One' : `Up to ${most}`}, or none to abstain</dd></div>
${closesAt !== null && html`<div><dt>Voting closes</dt><dd>${timePart(closesAt, election.timeZone, zone)}</dd></div>`}
<div><dt>This page works until</dt><dd>${inZone(handed.expiresAt, zone ?? election.timeZone)}. You can open it again until voting closes.</dd></div>`,
)}
<form method="post" action="${url}">
${sealedField({ receipt, seal })}
<fieldset><legend>${electionKinds[election.kind].seats ? 'Candidates' : 'Answers'}</legend>
${options.map(
  (
    { name, statement },
    index,
  ) => html`<label class="option"><input type="${kind}" name="choice" value="${index + 1}"${choices.includes(index + 1) && ' checked'} aria-labelledby="name-${index}"${statement !== '' && html` aria-describedby="more-${index}"`}>
<b id="name-${index}"><bdi>${name}</bdi></b>${statement !== '' && html`<span id="more-${index}">${statement}</span>`}</label>`,
)}</fieldset>
<p class="quiet">Nothing is cast yet: the next page shows your choice once more.</p>
<button class="btn" type="submit" name="step" value="review">Review</button></form>`;
}

/** The second page: the account, its votes and each choice, before the vote is final; which is confirmed. */
function reviewPage(url: string, ballot: OpenBallot, { receipt, seal, choices }: Filled, unconfirmed: boolean): Content {
  const { election, options, most, voter, handed } = ballot;
  const noun = electionKinds[election.kind].seats ? 'candidate' : 'answer';
  const left = most - choices.length;
  const chosen = choices.toSorted((a, b) => a - b).map(place => options[place - 1]!.name);
  const rows: { key: Content; value: Content }[] = [
    { key: 'You vote for', value: voterInWords(voter) },
    { key: 'Cast by', value: html`<bdi>${voter.voterName}</bdi>` },
    { key: 'Votes', value: `${countVotes(handed.votes)}${election.seats === null ? '' : ' for each candidate'}` },
    ...chosen.map((name, index) => ({ key: chosen.length === 1 ? 'Your choice' : String(index + 1), value: html`<bdi>${name}</bdi>` })),
    ...(most > 1 && left > 0 ? [{ key: 'Left empty', value: `${left} of ${most}` }] : []),
  ];
  return html`${stepsPart('Review')}
<dl class="slip" data-testid="chosen">${rows.map(({ key, value }) => html`<div><dt>${key}</dt><dd>${value}</dd></div>`)}</dl>
${chosen.length > 0 && left > 0 && html`<p class="quiet">You can choose ${left} more.</p>`}
<form method="post" action="${url}">
${sealedField({ receipt, seal })}${choices.map(place => html`<input type="hidden" name="choice" value="${place}">`)}
${
  chosen.length === 0
    ? html`<p class="missing"${unconfirmed && html` role="alert"`}><b>No ${noun} is chosen.</b> ${unconfirmed ? 'Confirm below that you abstain, or change your choice.' : 'The ballot is counted as an abstention.'}</p>`
    : unconfirmed && html`<p class="missing" role="alert"><b>Confirm below that you have checked the ballot.</b> Nothing is cast yet.</p>`
}
<p class="final"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2"/></svg><span><b>A cast ballot can’t be changed or withdrawn.</b> Your choice is stored without your name or account.</span></p>
<label class="check"><input type="checkbox" name="sure" value="yes" required> ${chosen.length === 0 ? 'I abstain on purpose and know that it is final' : 'I have checked this ballot and know that it is final'}</label>
<div class="acts"><button class="btn commit" type="submit" name="step" value="cast">Cast the ballot${voter.accountName !== null && ` of ${voter.accountName}`}</button>
<button class="btn second" type="submit" name="step" value="choose" formnovalidate>Change ${chosen.length === 1 ? 'the choice' : 'choices'}</button></div></form>`;
}

/** The ballot, how it is looked at once more, and how it is cast. */
export function voteRoutes(
  scope: FastifyInstance,
  { db, config, clock }: Options,
  { answer, answerReceipt, back, refused, handOverIn, electionOf }: Tools,
): void {
  // A ballot that is sent again, as after a lost answer, may have other choices by then: they are not what was cast.
  const showReceipt = (
    reply: FastifyReply,
    { election, voter }: { election: StaffElection; voter: Voter },
    { receipt, isNew }: { receipt: string; isNew: boolean },
  ): FastifyReply => {
    return answerReceipt(
      reply,
      isNew ? 'Your ballot is cast' : 'Your ballot was cast before',
      html`${stepsPart('Receipt')}${!isNew && html`<p>What was chosen the first time counts. What was sent now doesn’t change it.</p>`}
${receiptPart(election, receipt, `${config.appUrl}/ballots/${election.electionId}`)}`,
      whoPart(voter),
    );
  };

  /** The open ballot of a request, or the page that says why it isn't open. */
  const openBallot = async (request: FastifyRequest, reply: FastifyReply): Promise<OpenBallot | FastifyReply> => {
    const handed = handOverIn(request);
    const [election, voter] = handed ? await Promise.all([electionOf(handed.electionId), readVoter(db.read, handed)]) : [null, null];
    if (!handed || !election || !voter) return refused(reply, 404, 'The address is incomplete. Open the ballot from the portal again.');
    if (Date.parse(handed.expiresAt) <= clock().getTime())
      return refused(reply, 410, 'The ballot was open for 30 minutes at most. Open it from the portal again.');
    if (handed.generation !== election.generation || election.state !== 'published')
      return refused(reply, 409, 'The vote is repeated, cancelled or over. The portal says which.');
    const options = await optionsOf(db.read, handed.electionId);
    return { handed, election, options, voter, most: maxChoices({ seats: election.seats, options: options.length }) };
  };

  scope.get('/ballots/vote', async (request, reply) => {
    const ballot = await openBallot(request, reply);
    if (!('handed' in ballot)) return ballot;
    const { handed, election, voter } = ballot;
    if (voter.voted)
      return refused(
        reply,
        409,
        voter.accountName === null ? 'Your vote as an attendee is cast.' : `The votes of ${voter.accountName} are cast.`,
        whoPart(voter),
      );
    const receipt = newReceipt();
    const seal = sealReceipt(config, handed, receipt);
    const main = choosePage(request.url, zoneIn(request), ballot, { receipt, seal, choices: [] });
    return answer(reply, 200, election.title, main, whoPart(voter));
  });

  scope.post('/ballots/vote', async (request, reply) => {
    // A hand-over signed with this key is for one of these elections; everything else is checked when the ballot is stored.
    const handed = handOverIn(request);
    if (!handed) return refused(reply, 404, 'The address is incomplete. Open the ballot from the portal again.');
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const [receipt = '', seal = ''] = (form.get('sealed') ?? '').split('.', 2);
    const choices = form.getAll('choice').map(Number);
    if (!isOwnReceipt(config, handed, { receipt, seal }) || choices.some(choice => !Number.isInteger(choice)))
      return refused(reply, 400, 'The ballot is incomplete. Open it from the portal again.');
    const step = form.get('step');
    const unconfirmed = step === 'cast' && form.get('sure') !== 'yes';
    if (step !== 'cast' || unconfirmed) {
      const ballot = await openBallot(request, reply);
      if (!('handed' in ballot)) return ballot;
      const { election, options, most, voter } = ballot;
      if (new Set(choices).size !== choices.length || choices.some(place => place < 1 || place > options.length))
        return refused(reply, 400, 'The ballot is incomplete. Open it from the portal again.');
      const filled = { receipt, seal, choices };
      const chosenAgain = choosePage(request.url, zoneIn(request), ballot, filled);
      if (step === 'choose') return answer(reply, 200, election.title, chosenAgain, whoPart(voter));
      if (choices.length > most)
        return answer(
          reply,
          400,
          election.title,
          html`<p class="missing" role="alert"><b>${choices.length} are chosen.</b> Choose at most ${most}. Nothing is cast yet.</p>${chosenAgain}`,
          whoPart(voter),
        );
      const review = reviewPage(request.url, ballot, filled, unconfirmed);
      return answer(reply, unconfirmed ? 400 : 200, `Review: ${election.title}`, review, whoPart(voter));
    }
    try {
      const isNew = await castBallot({ db, config }, handed, { receipt, choices });
      const [election, voter] = await Promise.all([electionOf(handed.electionId), readVoter(db.read, handed)]);
      return showReceipt(reply, { election: election!, voter: voter! }, { receipt, isNew });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return answer(reply, error.status, 'The ballot was not cast', html`<p>${error.message}.</p>${back}`);
    }
  });
}
