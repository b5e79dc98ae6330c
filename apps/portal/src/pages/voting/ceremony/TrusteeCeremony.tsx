import { Page, useAnswer } from '@portal/app-kit';
import { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Sheet, Stack, Steps } from '@portal/ui';
import { useElectionId } from '../election-id.ts';
import { DecryptionStep } from './DecryptionStep.tsx';
import { KeyStep, NextMessageStep } from './KeyStep.tsx';
import { Progress, whoIsMissing } from './Progress.tsx';
import type { TrusteeView } from './TrusteeView.ts';

const stepsOf = ({ threshold }: TrusteeView): string[] =>
  threshold === null ? ['Key', 'Voting', 'Decryption'] : ['Key', 'Second message', 'Share', 'Voting', 'Decryption'];

/** The step at which the trustees are together, from 0. */
function stepOf({ threshold, progress: { trustees, hasKey }, next }: TrusteeView): number {
  const last = threshold === null ? 2 : 4;
  if (next === 'decryption' || trustees.some(each => each.next === 'decryption')) return last;
  if (hasKey) return last - 1;
  if (threshold === null || trustees.some(each => each.next === 'certificate')) return 0;
  return trustees.some(each => each.next === 'polynomial') ? 1 : 2;
}

/** `/voting/{electionId}/duty/trustee`: the part of a key that a trustee makes, keeps, and decrypts the sums with. */
export function TrusteeCeremony() {
  const electionId = useElectionId();
  const view = useAnswer(ballotTrustees.getTrustee, { electionId });
  const { title, threshold, progress } = view;
  const all = progress.trustees.length;
  return (
    <Page
      title={pages.ballotDuty.title}
      heading={`Trustee of ${title}`}
      sub={`You keep one of ${all} ${all === 1 ? 'key' : 'keys'}. ${threshold === null ? 'All of them are' : `${threshold} of them are`} needed to decrypt the sums. No single ballot is decrypted.`}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.ballotDuty.title }]} />}
    >
      <Stack gap={16}>
        <Steps steps={stepsOf(view)} current={stepOf(view)} />
        <Now electionId={electionId} view={view} />
        <Progress progress={progress} own={view.place} />
      </Stack>
    </Page>
  );
}

function Now({ electionId, view }: { electionId: string; view: TrusteeView }) {
  const { next, progress } = view;
  if (next === 'decryption') return <DecryptionStep electionId={electionId} view={view} />;
  // Each step begins anew: nothing of the one before stays on the page.
  if (next === 'key' || next === 'certificate') return <KeyStep key={next} electionId={electionId} view={view} />;
  if (next !== null) return <NextMessageStep key={next} electionId={electionId} view={view} step={next} />;
  return (
    <Sheet title="Nothing to do now">
      <p>
        {progress.setUpAt !== null
          ? 'The key is made. Keep your key file until the result is published: after voting you decrypt the sums with it. We write to you then.'
          : progress.hasKey
            ? 'The key is complete. The returning officer sets up the ballot next. Keep your key file: you need it after voting.'
            : `Your message has arrived. We are waiting for ${whoIsMissing(progress)}, and write to you when it’s your turn again.`}
      </p>
    </Sheet>
  );
}
