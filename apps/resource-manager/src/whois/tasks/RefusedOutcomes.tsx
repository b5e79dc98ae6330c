import type { WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Stack } from '@portal/ui';
import { ProblemList } from '../text/ProblemList.tsx';

const shownAtMost = 20;

/** Objects that could not be saved, each with all its errors. Renders nothing without any. */
export function RefusedOutcomes({ outcomes, title }: { outcomes: readonly WhoisOutcome[]; title: string }) {
  if (outcomes.length === 0) return null;
  return (
    <div role="alert">
      <Stack gap={8}>
        <p className="small strong">{title}</p>
        {outcomes.slice(0, shownAtMost).map(({ class: name, key, shown, problems }) => (
          <div key={`${name} ${key} ${shown}`}>
            <p className="small">
              <span className="mono quiet">{name}</span> <span className="mono strong">{spacedKey(shown)}</span>
            </p>
            <ProblemList findings={problems} label={`Problems with ${name} ${spacedKey(shown)}`} />
          </div>
        ))}
        {outcomes.length > shownAtMost && <p className="small quiet">and {outcomes.length - shownAtMost} more</p>}
      </Stack>
    </div>
  );
}
