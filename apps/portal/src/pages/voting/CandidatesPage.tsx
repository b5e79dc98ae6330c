import { Page, useAnswer } from '@portal/app-kit';
import { nominations } from '@portal/contract/elections/nominations';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, EmptyState, Sheet, Stack } from '@portal/ui';
import { useElectionId } from './election-id.ts';
import { seatsInWords } from './voting-words.ts';

const title = pages.candidates.title;

/** `/voting/{electionId}/candidates`: the candidates, in uniform format and sorted by name. */
export default function CandidatesPage() {
  const given = useAnswer(nominations.listCandidates, { electionId: useElectionId() });
  const { rows, final, seats } = given;
  return (
    <Page
      title={title}
      sub={[given.title, seatsInWords(seats)].filter(Boolean).join(', ')}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Stack gap={16}>
        <p className="quiet">
          {final ? 'Nominations are closed.' : 'Nominations are still open, so more people may follow.'} Candidates are listed by name.
          Their order on the ballot is drawn by lot.
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
      </Stack>
    </Page>
  );
}
