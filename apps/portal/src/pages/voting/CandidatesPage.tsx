import { Page, useAnswer } from '@portal/app-kit';
import { type BallotOrder, nominations } from '@portal/contract/elections/nominations';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Disclosure, EmptyState, KeyValueList, Mono, Sheet, Stack } from '@portal/ui';
import { useElectionId } from './election-id.ts';
import { seatsInWords } from './voting-words.ts';

const title = pages.candidates.title;

/** `/voting/{electionId}/candidates`: the candidates, in uniform format and sorted by name. */
export default function CandidatesPage() {
  const electionId = useElectionId();
  const given = useAnswer(nominations.listCandidates, { electionId });
  const { rows, final, seats, order } = given;
  return (
    <Page
      title={title}
      sub={[given.title, seatsInWords(seats)].filter(Boolean).join(', ')}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Stack gap={16}>
        <p className="quiet">
          {final ? 'Nominations are closed.' : 'Nominations are still open, so more people may follow.'} Candidates are listed by name.
          Their order on the ballot follows from a seed.
          {final && seats !== null && rows.length > 0 && rows.length <= seats && ' There are not more candidates than seats.'}
        </p>
        {rows.length === 0 ? (
          <EmptyState title="No candidates yet">People who agreed to stand appear here once the registry has checked them.</EmptyState>
        ) : (
          rows.map(({ fullName, organisation, statement, nominatedBy }) => (
            <Sheet key={fullName + nominatedBy} level={2} title={<bdi>{fullName}</bdi>} meta={<bdi>{organisation}</bdi>}>
              <Stack gap={8}>
                <p dir="auto" style={{ whiteSpace: 'pre-line', maxWidth: '68ch' }}>
                  {statement || <span className="quiet">No statement.</span>}
                </p>
                <p className="small quiet">
                  Nominated by <bdi>{nominatedBy}</bdi>
                </p>
              </Stack>
            </Sheet>
          ))
        )}
        {order !== null && <Order order={order} electionId={electionId} />}
      </Stack>
    </Page>
  );
}

/** How the order on the ballot is drawn, so that anyone can draw it again. */
function Order({
  order: { commitment, seed, isAsDrawn, hasTheirNames, isDrawnFirst },
  electionId,
}: {
  order: BallotOrder;
  electionId: string;
}) {
  return (
    <Disclosure summary="Order on the ballot">
      <Stack gap={12}>
        <p>
          {seed === null
            ? 'The seed is shown once nominations are closed. Its hash is shown now, so that it can’t be chosen afterwards.'
            : hasTheirNames === false
              ? 'The names on the ballot differ from those of the candidates who stand, so its order doesn’t follow from the seed: the registry changed the ballot or a candidate since.'
              : isAsDrawn === false
                ? 'The order on the ballot differs from the one that follows from the seed: the registry changed the ballot since.'
                : `Candidates are in the order of the hashes of their names with this seed, which was drawn ${isDrawnFirst ? 'before' : 'after'} people were nominated.`}
        </p>
        <KeyValueList
          align="left"
          items={[
            { key: 'Hash of the seed', value: <Mono nowrap={false}>{commitment}</Mono> },
            ...(seed === null
              ? []
              : [
                  { key: 'Seed', value: <Mono nowrap={false}>{seed}</Mono> },
                  { key: 'Hash of a name', value: <Mono nowrap={false}>{`printf %s '${seed}|${electionId}|NAME' | sha256sum`}</Mono> },
                ]),
          ]}
        />
      </Stack>
    </Disclosure>
  );
}
