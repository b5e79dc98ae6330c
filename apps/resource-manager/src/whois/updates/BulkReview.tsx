import { type AnyEndpoint, type CallInput, useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type FormFrame, FormProblems } from '@portal/app-kit/form/Form';
import { rehearsalOf } from '@portal/contract/dry-run';
import { tasks } from '@portal/contract/tasks/tasks';
import { whoisAttributeValues } from '@portal/contract/whois/attribute-values';
import { maxImmediateUpdates, whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { Banner, Button, Field, formatCount, LinkButton, Row, Segmented, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import { hrefOfBulkTask } from '../tasks/task-words.ts';
import styles from './BulkReview.module.css';
import { changedReads } from '../text/changed-reads.ts';
import { countOutcomes, type Outcome } from '../tasks/outcome-words.ts';
import { Outcomes } from '../tasks/Outcomes.tsx';

type Body = CallInput<typeof whois.bulkChange>['body'];
/** One change of many objects, without how it is executed. */
export type BulkChange = Pick<Body, 'choose' | 'actions'>;
type Report = {
  change: string;
  mode: 'atomic' | 'best-effort';
  isDryRun: boolean;
  objects: number;
  matched: number;
  /** How many of all objects would be refused, also those whose outcome is not shown. */
  refused: number;
  outcomes: readonly WhoisOutcome[];
  /** Under which it is recorded once it was carried out. */
  taskId: number | null;
};

/** Above this many objects the number has to be typed before they are changed. */
const maxWithoutPhrase = 100;

const listed = (outcomes: readonly WhoisOutcome[]): Outcome[] =>
  outcomes.map((outcome, index) => ({ ...outcome, id: String(index), text: outcome.after ?? outcome.before ?? '', line: null }));

/** The call of a form for a bulk update, and how it is carried out. */
export type BulkReviewState = ReturnType<typeof useBulkReview>;

/**
 * Keeps the dry run of a bulk update, and carries it out afterwards: immediately, or as a task for many objects.
 * @param refresh reads of the page that are out of date afterwards
 */
export function useBulkReview({ refresh = [], onDone }: { refresh?: readonly AnyEndpoint[]; onDone?: () => void } = {}) {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const address = useAddress();
  const [mode, setMode] = useState<'atomic' | 'best-effort'>('best-effort');
  const [phrase, setPhrase] = useState('');
  const [report, setReport] = useState<Report | null>(null);
  const carryOut = useChange(whois.bulkChange, {
    refresh: [...changedReads, tasks.listTasks, whoisAttributeValues.listAttributeValues, ...refresh],
    showsErrors: true,
    onDone({ objects, matched, refused, outcomes, taskId }, { body }) {
      const { mode: how = 'best-effort', dryRun, ...asked } = body;
      setPhrase('');
      if (dryRun === false) onDone?.();
      if (outcomes === null && taskId !== null) return address.go(hrefOfBulkTask(taskId, environment.product));
      setReport({
        change: JSON.stringify(asked),
        mode: how,
        isDryRun: dryRun !== false,
        objects,
        matched,
        refused,
        outcomes: outcomes ?? [],
        taskId,
      });
    },
  });
  /** The dry run of this change, how many objects it changes, and what has to be typed before. */
  const reviewOf = (change: BulkChange) => {
    const isShown = report && (!report.isDryRun || (report.change === JSON.stringify(change) && report.mode === mode));
    const dryRun = isShown && report.isDryRun ? report : null;
    const changing = dryRun ? (mode === 'atomic' && dryRun.refused > 0 ? 0 : dryRun.objects - dryRun.refused) : 0;
    return {
      shown: isShown ? report : null,
      dryRun,
      changing,
      wanted: changing > maxWithoutPhrase ? `change ${changing} objects` : null,
    };
  };
  return {
    carryOut,
    reviewOf,
    mode,
    setMode,
    phrase,
    setPhrase,
    /** The body of the call: a dry run, until one has shown that something changes. */
    bodyOf: (change: BulkChange) => ({ ...change, mode, dryRun: reviewOf(change).changing === 0 }),
    /** The problem of the phrase; undefined where none is asked for. */
    phraseProblem(change: BulkChange): string | undefined {
      const { wanted } = reviewOf(change);
      return wanted !== null && phrase.trim().toLowerCase() !== wanted ? `Type “${wanted}” first` : undefined;
    },
    send: (body: Body) => carryOut.mutate({ account, body }),
  };
}

/** The last part of a form for a bulk update: how it is carried out, its dry run with the result per object, and the act. */
export function BulkReview({
  review,
  form,
  change,
}: {
  review: BulkReviewState;
  form: FormFrame & { field: (name: 'phrase') => { id: string; error: string | undefined } };
  change: BulkChange;
}) {
  const refusal = useRefusal(rehearsalOf(whois.bulkChange));
  const { mode, setMode, phrase, setPhrase } = review;
  const { shown, dryRun, changing, wanted } = review.reviewOf(change);
  const refused = dryRun?.refused ?? 0;
  const mayWrite = changing > 0;
  return (
    <Sheet
      title="Review"
      meta={
        shown ? (
          <output>
            {shown.isDryRun
              ? `${formatCount(changing)} of ${formatCount(shown.matched)} chosen objects ${changing === 1 ? 'changes' : 'change'}`
              : countOutcomes(shown.outcomes, false) || 'No changes needed'}
          </output>
        ) : (
          <span>Run a dry run to see exactly what will change</span>
        )
      }
      flush
      footer={
        <Stack gap={12}>
          <FormProblems form={form} />
          {wanted !== null && mayWrite && (
            <Field label={`Type “${wanted}” to continue`} {...form.field('phrase')}>
              <TextInput value={phrase} autoComplete="off" maxLength={60} onChange={event => setPhrase(event.target.value)} />
            </Field>
          )}
          <Row gap={8} wrap>
            {mayWrite ? (
              <Button type="submit" variant="commit" busy={form.busy}>
                Change {formatCount(changing)} {changing === 1 ? 'object' : 'objects'}
                {dryRun!.objects > maxImmediateUpdates && ' as a task'}
              </Button>
            ) : (
              <Button type="submit" variant="primary" busy={form.busy} refusal={refusal}>
                Dry run
              </Button>
            )}
          </Row>
        </Stack>
      }
    >
      <ModeChoice mode={mode} onChange={setMode} />
      {shown && !shown.isDryRun && shown.taskId !== null && <Recorded taskId={shown.taskId} />}
      {dryRun && <DryRunNotes dryRun={dryRun} changing={changing} />}
      {shown && shown.outcomes.length > 0 && (
        <Outcomes
          outcomes={listed(shown.outcomes)}
          isDryRun={shown.isDryRun}
          label={shown.isDryRun ? 'Expected result for each object' : 'Result for each object'}
        />
      )}
      {dryRun && dryRun.objects > dryRun.outcomes.length && dryRun.outcomes.length > 0 && (
        <p className={styles.more}>
          All {formatCount(dryRun.objects)} were checked. Showing {dryRun.outcomes.length}
          {refused > 0 ? ', the refused ones first' : ''}.
        </p>
      )}
    </Sheet>
  );
}

function DryRunNotes({ dryRun, changing }: { dryRun: Report; changing: number }) {
  const { refused } = dryRun;
  return (
    <>
      {dryRun.objects === 0 && (
        <div className={styles.note}>
          <Banner title="No changes.">{dryRun.matched === 0 ? 'No objects match.' : 'The selected objects already match.'}</Banner>
        </div>
      )}
      {refused > 0 && (
        <div className={styles.note}>
          <Banner
            kind="warning"
            title={refused === dryRun.objects ? 'All of these would be refused.' : `${formatCount(refused)} of these would be refused.`}
          >
            {changing === 0 ? 'No objects would change.' : 'They stay as they are; the others change.'}
          </Banner>
        </div>
      )}
    </>
  );
}

function Recorded({ taskId }: { taskId: number }) {
  const { environment } = useKit();
  return (
    <div className={styles.note}>
      <Banner
        kind="success"
        title={`Recorded as task ${taskId}.`}
        actions={
          <LinkButton size="s" href={hrefOfBulkTask(taskId, environment.product)}>
            Report and revert
          </LinkButton>
        }
      >
        The task keeps what each object was. You can revert it there.
      </Banner>
    </div>
  );
}

function ModeChoice({ mode, onChange }: { mode: Report['mode']; onChange: (mode: Report['mode']) => void }) {
  return (
    <div className={styles.mode}>
      <span className="small strong">If an object is refused</span>
      <Segmented
        label="If an object is refused"
        options={[
          { value: 'best-effort', label: 'Change the others' },
          { value: 'atomic', label: 'Change nothing' },
        ]}
        value={mode}
        onChange={onChange}
      />
    </div>
  );
}
