import { useSyncExternalStore } from 'react';
import { StepUpDialog } from './StepUpDialog.tsx';
import type { StepUps } from './step-ups.ts';

/** The question about changes that wait for a second factor. @param renew one silent renewal */
export function StepUpQuestion({ stepUps, renew }: { stepUps: StepUps; renew: () => Promise<boolean> }) {
  const asking = useSyncExternalStore(stepUps.subscribe, stepUps.get);
  return (
    asking && (
      <StepUpDialog
        key={asking.acts[0].challenge.asked ?? asking.acts[0].call.endpoint.id}
        asking={asking}
        stepUps={stepUps}
        renew={renew}
      />
    )
  );
}
