import { Banner, Button, DateText, formatCount } from '@portal/ui';
import { useState } from 'react';
import { useDateFormat } from '../settings/personal-settings.ts';
import type { Draft } from './draft.ts';

/**
 * Says that a form holds input from an earlier visit: how much, from when, and how to discard it. What was restored when the page was opened counts; what is typed
 * on it does not.
 */
export function DraftNote({
  draft,
  changes,
  onDiscard,
}: {
  draft: Pick<Draft<unknown>, 'restored' | 'restoredFrom'>;
  /** How many changes there are, where they can be counted. */
  changes?: number;
  onDiscard: () => void;
}) {
  const [{ restored, restoredFrom }] = useState(draft);
  const [gone, setGone] = useState(false);
  if (!restored || gone || changes === 0) return null;
  const what = changes === undefined ? 'Unsaved input' : `${formatCount(changes)} unsaved ${changes === 1 ? 'change' : 'changes'}`;
  return (
    <Banner
      kind="info"
      title={
        <>
          {what}
          {restoredFrom !== null && (
            <>
              {' '}
              from <When at={restoredFrom} />
            </>
          )}
          .
        </>
      }
      actions={
        <Button
          size="s"
          onClick={() => {
            setGone(true);
            onDiscard();
          }}
        >
          Discard
        </Button>
      }
    >
      You had not saved this. Nothing changes until you do.
    </Banner>
  );
}

/** The time of day for today, the date with it otherwise. */
function When({ at }: { at: string }) {
  const [now] = useState(() => new Date());
  const { timeZone, hourCycle } = useDateFormat();
  const day = (value: Date) => value.toLocaleDateString('en', { timeZone });
  const today = day(new Date(at)) === day(now);
  if (!today) return <DateText value={at} />;
  return (
    <time dateTime={at}>
      {new Date(at).toLocaleTimeString('en', { timeZone, hourCycle, hour: 'numeric', minute: '2-digit' }).toLowerCase()}
    </time>
  );
}
