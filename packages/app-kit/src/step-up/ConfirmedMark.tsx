import { MINUTE_MS } from '@portal/contract/days';
import { TopBarButton } from '@portal/ui';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { HeldConfirmations } from './held-confirmations.ts';

/** Says in the top bar how long what the person confirmed is good for more of its kind; a press ends it. Empty without a confirmation. */
export function ConfirmedMark({ confirmations }: { confirmations: HeldConfirmations }) {
  const held = useSyncExternalStore(confirmations.subscribe, confirmations.get);
  const [last] = held;
  return last && <TimeLeft key={last.confirmation} until={Math.max(...held.map(({ until }) => until))} onEnd={confirmations.end} />;
}

function TimeLeft({ until, onEnd }: { until: number; onEnd: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000);
    return () => clearInterval(timer);
  }, []);
  if (until <= now) return null;
  const minutes = Math.ceil((until - now) / MINUTE_MS);
  return (
    <TopBarButton
      icon="shield"
      secure
      words={`Confirmed, ${minutes} min left`}
      aria-label={`Confirmed, ${minutes} min left. End now`}
      aria-haspopup={undefined}
      title="End confirmation now"
      onClick={onEnd}
    />
  );
}
