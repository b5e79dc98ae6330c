/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { useAnswer } from '@portal/app-kit';
import type { StaffElection } from '@portal/contract/elections/elections';
import { type Scrutiny, scrutiny } from '@portal/contract/elections/scrutiny';
import { DateText, Disclosure, formatCount, KeyValueList, Sheet, Stack, StateMark } from '@portal/ui';

/** Counts, turnout and log of an election for scrutineers: they check that nothing was lost or added, and see no choice. */
export function ElectionScrutiny({ election: { electionId } }: { election: StaffElection }) {
  const { roll, attendees, boxApart, rounds, openBallots, proxies, turnout, sortedAt, log } = useAnswer(scrutiny.getScrutiny, {
    electionId,
  });
  const [current, ...earlier] = rounds;
  const voted = current ? current.members + current.proxies : 0;
  const could = (roll?.accounts ?? 0) + (attendees?.people ?? 0);
  return (
    <Sheet title="Scrutiny" meta="Counts only, never choices">
      <Stack gap={16}>
        <KeyValueList
          align="left"
          items={[
            {
              key: 'Roll',
              value: roll ? (
                <>
                  {formatCount(roll.accounts)} accounts with {formatCount(roll.votes)} votes, frozen <DateText value={roll.frozenAt} />
                </>
              ) : (
                'Frozen when voting opens'
              ),
            },
            ...(attendees
              ? [
                  {
                    key: 'Attendees',
                    value: (
                      <>
                        {formatCount(attendees.people)} people, frozen <DateText value={attendees.frozenAt} />
                      </>
                    ),
                  },
                ]
              : []),
            {
              key: 'Voted',
              value: [
                shareOf(voted, roll?.accounts, 'accounts'),
                ...(attendees ? [shareOf(current?.attendees ?? 0, attendees.people, 'attendees')] : []),
              ].join(', '),
            },
            { key: 'Ballots open now', value: formatCount(openBallots) },
            {
              key: 'Proxies',
              value: `${proxies.active} appointed, ${proxies.used} voted, ${proxies.revoked} revoked, ${proxies.voided} voided`,
            },
            {
              key: 'Ballot box',
              value: boxApart
                ? 'Kept where the portal’s database role can’t read it'
                : 'Kept apart, but the portal’s database role can read it on this installation',
            },
            ...(sortedAt ? [{ key: 'Ballots published by receipt', value: <DateText value={sortedAt} /> }] : []),
          ]}
        />
        {(turnout.at(-1) ?? 0) > 0 && could > 0 && <Turnout turnout={turnout} voters={could} />}
        {current && <Round round={current} label={rounds.length === 1 ? 'Ballots' : `Round ${current.generation}, which counts`} />}
        {earlier.map(round => (
          <Round key={round.generation} round={round} label={`Round ${round.generation}, void`} />
        ))}
        <Disclosure summary={`History (${log.length})`}>
          <ol>
            {log.map(({ at, by, what }, index) => (
              <li key={`${at} ${index}`}>
                <DateText value={at} /> {what}
                {by && (
                  <>
                    , <bdi>{by}</bdi>
                  </>
                )}
              </li>
            ))}
          </ol>
        </Disclosure>
      </Stack>
    </Sheet>
  );
}

/** `12 of 40 accounts (30.0 %)`; without a roll, how many only. */
const shareOf = (voted: number, could: number | undefined, voters: string): string =>
  could === undefined
    ? `${formatCount(voted)} ${voters}`
    : `${formatCount(voted)} of ${formatCount(could)} ${voters} (${((100 * voted) / Math.max(1, could)).toFixed(1)} %)`;

function Round({
  round: { members, proxies, attendees, votes, ballots, firstAt, lastAt },
  label,
}: {
  round: Scrutiny['rounds'][number];
  label: string;
}) {
  const voted = members + proxies + attendees;
  return (
    <div>
      <p className="strong">{label}</p>
      <p>
        {formatCount(members + proxies)} accounts voted ({formatCount(members)} directly, {formatCount(proxies)} by proxy)
        {attendees > 0 && <> and {formatCount(attendees)} attendees</>} with {formatCount(votes)} votes
        {firstAt && lastAt && (
          <>
            , from <DateText value={firstAt} /> to <DateText value={lastAt} />
          </>
        )}
        .
      </p>
      {ballots !== null &&
        (ballots === voted ? (
          <StateMark state="valid">{formatCount(ballots)} ballots are stored, one for each voter</StateMark>
        ) : (
          <StateMark state="invalid">
            {formatCount(ballots)} ballots are stored for {formatCount(voted)} voters
          </StateMark>
        ))}
    </div>
  );
}

/** Voters who had voted over the time of voting, drawn; the words above say the same. */
function Turnout({ turnout, voters }: { turnout: readonly number[]; voters: number }) {
  const most = Math.max(voters, 1);
  const points = [0, ...turnout].map(
    (count, index) => `${((100 * index) / turnout.length).toFixed(2)},${(30 - (30 * count) / most).toFixed(2)}`,
  );
  return (
    <figure style={{ margin: 0 }}>
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" width="100%" height="90" role="img" aria-label="Turnout over time">
        <path d={`M0,30 L${points.join(' L')} L100,30 Z`} fill="var(--accent-tint)" />
        <polyline points={points.join(' ')} fill="none" stroke="var(--accent)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
        <line x1="0" y1="0" x2="100" y2="0" stroke="var(--line)" strokeDasharray="3 3" vectorEffect="non-scaling-stroke" />
        <line x1="0" y1="30" x2="100" y2="30" stroke="var(--line-strong)" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="quiet small">
        How many of {formatCount(voters)} voters had voted, from the opening to the close of voting. The dashed line is all of them.
      </figcaption>
    </figure>
  );
}
