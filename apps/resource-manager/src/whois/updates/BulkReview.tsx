import { type AnyEndpoint, type CallInput, useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { rehearsalOf } from '@portal/contract/dry-run';
import { tasks } from '@portal/contract/tasks/tasks';
import { whoisAttributeValues } from '@portal/contract/whois/attribute-values';
import { maxImmediateUpdates, whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { Banner, Button, Field, formatCount, LinkButton, type RefusalReason, Row, Segmented, Sheet, Stack, TextInput } from '@portal/ui';
import { useState } from 'react';
import { hrefOfBulkTask } from '../tasks/task-words.ts';
import styles from './BulkReview.module.css';
import { changedReads } from '../editor/changed-reads.ts';
import { countOutcomes, type Outcome, OutcomeList } from '../tasks/OutcomeList.tsx';

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

/** Runs a dry run of a bulk update, shows the result per object, and carries it out: immediately, or as a task for many objects. */
export function BulkReview({
  change,
  whyNot,
  refresh = [],
  onDone,
}: {
  change: BulkChange | null;
  whyNot: string | null;
  /** Reads of the page that are out of date afterwards. */
  refresh?: readonly AnyEndpoint[];
  onDone?: () => void;
}) {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const address = useAddress();
  const [mode, setMode] = useState<'atomic' | 'best-effort'>('best-effort');
  const [phrase, setPhrase] = useState('');
  const [report, setReport] = useState<Report | null>(null);
  const name = JSON.stringify(change);
  const carryOut = useChange(whois.bulkChange, {
    refresh: [...changedReads, tasks.listTasks, whoisAttributeValues.listAttributeValues, ...refresh],
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
  const shown = report && (!report.isDryRun || (report.change === name && report.mode === mode)) ? report : null;
  const dryRun = shown?.isDryRun ? shown : null;
  const send = (dryRun: boolean) => change && carryOut.mutate({ account, body: { ...change, mode, dryRun } });
  const refused = dryRun?.refused ?? 0;
  const changing = dryRun ? (mode === 'atomic' && refused > 0 ? 0 : dryRun.objects - refused) : 0;
  const mayWrite = changing > 0;
  const wanted = changing > maxWithoutPhrase ? `change ${changing} objects` : null;
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
          {wanted !== null && mayWrite && (
            <Field label={`Type “${wanted}” to continue`}>
              <TextInput value={phrase} autoComplete="off" maxLength={60} onChange={event => setPhrase(event.target.value)} />
            </Field>
          )}
          <Row gap={8} wrap>
            <DryRunOrWrite
              dryRun={dryRun}
              changing={changing}
              wanted={wanted}
              phrase={phrase}
              whyNot={change === null || whyNot !== null ? { reason: whyNot ?? 'Enter what to change' } : null}
              busy={carryOut.isPending}
              send={send}
            />
          </Row>
        </Stack>
      }
    >
      <ModeChoice mode={mode} onChange={setMode} />
      {shown && !shown.isDryRun && shown.taskId !== null && <Recorded taskId={shown.taskId} />}
      {dryRun && <DryRunNotes dryRun={dryRun} changing={changing} />}
      {shown && shown.outcomes.length > 0 && (
        <OutcomeList
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

function DryRunOrWrite({
  dryRun,
  changing,
  wanted,
  phrase,
  whyNot,
  busy,
  send,
}: {
  dryRun: Report | null;
  changing: number;
  wanted: string | null;
  phrase: string;
  whyNot: RefusalReason | null;
  busy: boolean;
  send: (dryRun: boolean) => void;
}) {
  const refusal = useRefusal(rehearsalOf(whois.bulkChange));
  return changing > 0 ? (
    <Button
      variant="commit"
      busy={busy}
      refusal={wanted !== null && phrase.trim().toLowerCase() !== wanted ? { reason: `Type “${wanted}” first` } : null}
      onClick={() => send(false)}
    >
      Change {formatCount(changing)} {changing === 1 ? 'object' : 'objects'}
      {dryRun!.objects > maxImmediateUpdates && ' as a task'}
    </Button>
  ) : (
    <Button variant="primary" busy={busy} refusal={refusal ?? whyNot} onClick={() => send(true)}>
      Dry run
    </Button>
  );
}
