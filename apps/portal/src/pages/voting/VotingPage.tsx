import {
  type AnyEndpoint,
  type CallAnswer,
  Page,
  type PageReads,
  type Read,
  read,
  reading,
  useDateFormat,
  useKit,
  useSession,
} from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { later } from '@portal/app-kit/page/later';
import type { Account } from '@portal/contract/accounts/accounts';
import { MINUTE_MS } from '@portal/contract/days';
import {
  type ElectionWindow,
  type Eligibility,
  type MemberElection,
  type ProxyTurn,
  type VotingElection,
  voting,
} from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { Banner, ButtonRow, DateText, EmptyState, Grid, Icon, type IconName, Link, LinkButton, Row, Sheet, Stack } from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, Suspense, useId } from 'react';
import { type CardNote, ElectionCard, PastElection } from './ElectionCard.tsx';
import { Voters } from './Voters.tsx';
import styles from './VotingPage.module.css';
import { countVotes, hoursApart, officialInWords, votesInWords } from './voting-words.ts';
import { WhyNotVote } from './WhyNotVote.tsx';
import { TimeAxis } from './WindowList.tsx';

/** Below what one came for, and dear to draw: it follows. */
const VoteTiers = optionalPart(() => import('./VoteTiers.tsx'), 'VoteTiers');

/** Interval at which the page asks the server for the state of the windows. */
const againMs = MINUTE_MS;

/** The person’s votes as a proxy, and their duties, which few have: they come after the elections. */
const Duties = later(() => import('./encrypted-parts.ts'), 'Duties');
const ProxyVotes = later(() => import('./encrypted-parts.ts'), 'ProxyVotes');

const votingOf = (account: string) => read(voting.getMemberVoting, { account });
export const reads: PageReads = ({ account }) => [votingOf(account)];

/** Elections of members for the selected account, and those of attendees for the person; who has no account is shown the latter only. */
export default function VotingPage() {
  const { account } = useSession();
  return (
    <Page
      title={pages.voting.title}
      sub={
        account
          ? `Elections in which you vote for ${account.accountName} or as an attendee.`
          : 'Elections in which you vote as an attendee.'
      }
      actions={
        account && (
          <Row wrap>
            <LinkButton href={pages.votingHistory.path} variant="quiet">
              {pages.votingHistory.title}
            </LinkButton>
            <LinkButton href={pages.proxyHistory.path} variant="quiet">
              {pages.proxyHistory.title}
            </LinkButton>
          </Row>
        )
      }
    >
      <Stack gap={16}>
        {account ? <AllElections account={account} /> : <ElectionsOfAttendees />}
        <Suspense>
          <ProxyVotes />
          <Duties />
        </Suspense>
      </Stack>
    </Page>
  );
}

function useCurrent<E extends AnyEndpoint>({ endpoint, input }: Read<E>): CallAnswer<E> {
  const { call } = useKit();
  return useSuspenseQuery({ ...reading(call, endpoint, input), refetchInterval: againMs }).data;
}

/** Returns the elections still to be voted on, with the reader's eligibility. */
const ahead = (elections: readonly VotingElection[], kind: ElectionWindow['kind']): Eligibility[] =>
  elections
    .filter(({ state }) => state === 'published')
    .flatMap(({ windows }) => windows.filter(window => window.kind === kind && window.state !== 'closed'))
    .flatMap(({ eligibility }) => eligibility ?? []);
const eligibilityIn = (election: VotingElection, kind: ElectionWindow['kind']): Eligibility | undefined => ahead([election], kind)[0];

/** Elections of members and of attendees on one time axis; one for both is shown once. */
function AllElections({ account }: { account: Account }) {
  const members = useCurrent(votingOf(account.accountName));
  const own = members.elections.map(election => {
    const other = members.attendees.elections.find(({ electionId }) => electionId === election.electionId);
    const more = other?.windows.filter(({ kind }) => !election.windows.some(window => window.kind === kind)) ?? [];
    const windows = [...election.windows, ...more].sort((a, b) => Date.parse(a.opensAt) - Date.parse(b.opensAt));
    return { ...election, windows };
  });
  const rest = members.attendees.elections.filter(({ electionId }) => !own.some(each => each.electionId === electionId));
  const axis = [...own, ...rest].filter(isAhead).flatMap(({ windows }) => windows);
  return (
    <>
      <Timetable elections={[...own, ...rest]} axis={axis} asOf={members.asOf} proxyTurns={members.proxyTurns}>
        {clockSaid => (
          <>
            <Members account={account} voting={{ ...members, elections: own }} axis={axis} asOf={members.asOf} clockSaid={clockSaid} />
            <Attendees
              voting={{ ...members.attendees, elections: rest }}
              axis={axis}
              asOf={members.asOf}
              alone={own.every(({ windows }) => !windows.some(isOfAttendees))}
              clockSaid={clockSaid}
            />
          </>
        )}
      </Timetable>
      <AboutVotes account={account} voting={members} />
    </>
  );
}

function ElectionsOfAttendees() {
  const attendees = useCurrent(read(voting.getAttendeeVoting, {}));
  const axis = attendees.elections.filter(isAhead).flatMap(({ windows }) => windows);
  return (
    <Timetable elections={attendees.elections} axis={axis} asOf={attendees.asOf} proxyTurns={attendees.proxyTurns}>
      {clockSaid => <Attendees voting={attendees} axis={axis} asOf={attendees.asOf} alone clockSaid={clockSaid} />}
    </Timetable>
  );
}

/** One table of all elections over one time axis; the zones of the times are stated once, if possible. */
function Timetable({
  elections,
  axis,
  asOf,
  proxyTurns,
  children,
}: {
  elections: readonly VotingElection[];
  axis: readonly ElectionWindow[];
  asOf: string;
  proxyTurns: readonly ProxyTurn[];
  children: (clockSaid: boolean) => ReactNode;
}) {
  const own = useDateFormat();
  const [timeZone, ...others] = new Set(elections.filter(isAhead).map(each => each.timeZone));
  const apart = timeZone === undefined || others.length > 0 ? null : hoursApart(axis, timeZone, own.timeZone);
  const clock = timeZone !== undefined && apart !== null ? officialInWords(apart, timeZone) : null;
  return (
    <>
      {proxyTurns.length > 0 && <ProxyTurns turns={proxyTurns} />}
      <div className={styles.table}>
        {axis.length > 0 && <TimeAxis axis={axis} asOf={asOf} clock={clock} />}
        {children(apart !== null)}
        <Past elections={elections} />
      </div>
    </>
  );
}

/** Proxy votes that are linked by name; the list of all of them is below the elections. */
const NAMED_TURNS = 3;

/** Votes of others that the person can cast now: before the elections, because no one else can cast them. */
function ProxyTurns({ turns }: { turns: readonly ProxyTurn[] }) {
  const [first] = turns;
  const others = turns.length - NAMED_TURNS;
  return (
    <Banner
      kind="warning"
      title={
        turns.length === 1
          ? `${first!.accountName} waits for your vote as its proxy.`
          : `${turns.length} accounts wait for your votes as their proxy.`
      }
      actions={
        <ButtonRow>
          {turns.slice(0, NAMED_TURNS).map(({ proxyId, accountName, title }) => (
            <LinkButton key={proxyId} size="s" href={`/voting/proxy-votes/${proxyId}`} aria-label={`Vote for ${accountName} in ${title}`}>
              Vote for {accountName}
            </LinkButton>
          ))}
        </ButtonRow>
      }
    >
      {first!.title}
      {others > 0 && `. The other ${others === 1 ? 'one is' : `${others} are`} in the list of your votes as a proxy, below the elections.`}
    </Banner>
  );
}

/** Some elections of the table, under their heading. */
function Group({ title, words, children }: { title: string; words?: string | undefined; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {words && <p className="small quiet">{words}</p>}
      </header>
      {children}
    </section>
  );
}

const isAhead = ({ state }: VotingElection): boolean => state !== 'closed';
const isOfAttendees = ({ kind }: ElectionWindow): boolean => kind === 'attendee-vote';

/** Past elections, one line each. */
function Past({ elections }: { elections: readonly VotingElection[] }) {
  const over = elections.filter(election => !isAhead(election));
  if (over.length === 0) return null;
  return (
    <Group title="Past elections">
      <ul className={styles.past} aria-label="Past elections">
        {over.map(election => (
          <PastElection key={election.electionId} election={election} />
        ))}
      </ul>
    </Group>
  );
}

/** The person's eligibility as an attendee in an election. */
function attendeeNotes(election: VotingElection): CardNote[] {
  const eligibility = eligibilityIn(election, 'attendee-vote');
  if (!eligibility || eligibility.reason === 'MFA_NOT_ENABLED' || eligibility.reason === 'CLOSED') return [];
  if (eligibility.reason === null) return [{ kind: 'entitled', words: 'You can vote as an attendee now' }];
  if (eligibility.reason === 'ALREADY_VOTED') return [{ kind: 'entitled', words: eligibility.message }];
  if (eligibility.reason === 'NOT_OPEN') return [{ kind: 'entitled', words: 'You can vote as an attendee once voting opens' }];
  return [{ kind: 'refused', words: eligibility.message, detail: `${eligibility.detail}.` }];
}

/** Reasons about one election, shown in its card. */
const ofOneElection: readonly string[] = ['NOT_OPEN', 'CLOSED', 'PROXY_APPOINTED', 'ALREADY_VOTED'];

function Members({
  account,
  voting: { elections, last, weight },
  ...shared
}: Shared & { account: Account; voting: CallAnswer<typeof voting.getMemberVoting> }) {
  const { accountName, orgName } = account;
  const eligibilities = ahead(elections, 'member-vote');
  // These depend on the account or session, and so are the same in every election.
  const refused = eligibilities.find(({ reason }) => reason !== null && !ofOneElection.includes(reason));
  const notesOf = (election: MemberElection): CardNote[] => {
    const votes = votesInWords(election);
    const eligibility = eligibilityIn(election, 'member-vote');
    return [
      ...(votes ? [{ kind: 'votes', words: votes } as const] : []),
      ...(election.voted ? [{ kind: 'entitled', words: `${election.voted.by} voted for ${accountName}` } as const] : []),
      ...(election.proxy && !election.voted ? [{ kind: 'votes', words: `Proxy: ${election.proxy}` } as const] : []),
      ...(eligibility?.reason === null ? [{ kind: 'entitled', words: `You can vote for ${accountName} now` } as const] : []),
      ...(eligibility?.reason === 'NOT_OPEN'
        ? [{ kind: 'entitled', words: `You can vote for ${accountName} once voting opens` } as const]
        : []),
      ...attendeeNotes(election),
    ];
  };
  return (
    <Group title={`For members: ${accountName}`} words={weight.votes === null ? `${orgName} can’t vote.` : undefined}>
      {refused && (
        <div className={styles.note}>
          <WhyNotVote eligibility={refused} />
        </div>
      )}
      <Cards elections={elections} last={last} none="No member elections now" as="member" notesOf={notesOf} {...shared} />
    </Group>
  );
}

/** Why the account has its votes, who casts them, and what can't be undone. */
function AboutVotes({
  account,
  voting: { weight, tiers, voters },
}: {
  account: Account;
  voting: CallAnswer<typeof voting.getMemberVoting>;
}) {
  if (weight.votes === null) return null;
  return (
    <Grid columns={3}>
      <Sheet title={weight.nir ? 'Your votes' : `Why ${countVotes(weight.votes)}`}>
        {weight.nir ? (
          <p className="small">A national registry votes for its members, with {countVotes(weight.votes)}.</p>
        ) : (
          <VoteTiers tiers={tiers} weight={weight} />
        )}
      </Sheet>
      {!account.asStaff && <Voters account={account.accountName} rows={voters} />}
      <Sheet title="Before you decide">
        <ul className={styles.points}>
          {points.map(({ icon, words }) => (
            <li key={words}>
              <Icon name={icon} />
              <span>{words}</span>
            </li>
          ))}
        </ul>
      </Sheet>
    </Grid>
  );
}

const points: readonly { icon: IconName; words: string }[] = [
  { icon: 'lock', words: 'A vote can’t be changed or withdrawn once it is submitted.' },
  { icon: 'transfer', words: 'With a proxy appointed, your organisation no longer votes directly in that election.' },
  { icon: 'contacts', words: 'The first person to vote for the account decides, for all of its votes.' },
  { icon: 'external', words: 'You choose in the voting system. The portal learns that you voted, never for what.' },
];

function Attendees({
  voting: { elections, last },
  alone,
  ...shared
}: Shared & {
  voting: Pick<CallAnswer<typeof voting.getAttendeeVoting>, 'elections' | 'last'>;
  /** No election above is also one of attendees. */
  alone: boolean;
}) {
  const needsFactor = ahead(elections, 'attendee-vote').find(({ reason }) => reason === 'MFA_NOT_ENABLED');
  if (!alone && !elections.some(isAhead)) return null;
  return (
    <Group
      title="For attendees"
      words="People who registered for the conference and attended one of the eight before it have one vote each. You need a login, but no account."
    >
      {needsFactor && (
        <div className={styles.note}>
          <WhyNotVote eligibility={needsFactor} />
        </div>
      )}
      <Cards elections={elections} last={last} none="No attendee elections now" as="attendee" notesOf={attendeeNotes} {...shared} />
    </Group>
  );
}

/** Values shared by all cards of the page: the time axis, and whether the page states the clock difference. */
type Shared = Pick<ComponentProps<typeof ElectionCard>, 'axis' | 'asOf' | 'clockSaid'>;

/** Elections that are not over, one card each; without any, the last one. */
function Cards<E extends VotingElection>({
  elections,
  last,
  none,
  as,
  notesOf,
  ...shared
}: Shared & {
  elections: readonly E[];
  last: ComponentProps<typeof Nothing>['last'];
  /** Says that there is none. */
  none: string;
  as: 'member' | 'attendee';
  notesOf: (election: E) => CardNote[];
}) {
  const own = elections.filter(isAhead);
  if (own.length === 0) return <Nothing title={none} last={elections.length === 0 ? last : null} />;
  return own.map(election => (
    <ElectionCard
      key={election.electionId}
      election={election}
      as={as}
      notes={notesOf(election)}
      rollUrl={as === 'member' && election.ballots === 'encrypted' ? `/voting/${election.electionId}/roll` : null}
      {...shared}
    />
  ));
}

function Nothing({ title, last }: { title: string; last: { title: string; closedAt: string; resultsUrl: string | null } | null }) {
  return (
    <div className={styles.note}>
      <EmptyState title={title} picture={false}>
        {last ? (
          <>
            The last one was “{last.title}”, which closed on <DateText value={last.closedAt} shape="date" />.{' '}
            {last.resultsUrl && (
              <Link href={last.resultsUrl} target="_blank">
                Results
              </Link>
            )}
          </>
        ) : (
          'Elections appear here once announced, with nomination and voting dates.'
        )}
      </EmptyState>
    </div>
  );
}
