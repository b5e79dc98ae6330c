import { ErrorWords } from '@portal/app-kit';
import type { ServiceFailure } from '@portal/app-kit';
import { elections } from '@portal/contract/elections/elections';
import { Banner, Button } from '@portal/ui';
import { useQueryClient } from '@tanstack/react-query';

/** Why an election was not changed. After a concurrent change it offers the other person's version. */
export function ElectionFailure({ failure, onLoad }: { failure: ServiceFailure | null; onLoad: () => void }) {
  const answers = useQueryClient();
  if (!failure) return null;
  const load = async () => {
    await answers.invalidateQueries({ queryKey: [elections.getElection.id] });
    onLoad();
  };
  return (
    <Banner
      kind="error"
      traceId={failure.errors[0]?.traceId}
      actions={
        failure.code === 'STALE' ? (
          <Button size="s" onClick={() => void load()}>
            View the election
          </Button>
        ) : undefined
      }
    >
      <ErrorWords message={failure.message} />
    </Banner>
  );
}
