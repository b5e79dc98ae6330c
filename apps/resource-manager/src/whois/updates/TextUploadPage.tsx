import { Page, useAccount, useAddress, useChange, useDraft, useKit, useRefusal } from '@portal/app-kit';
import { rehearsalOf } from '@portal/contract/dry-run';
import { tasks } from '@portal/contract/tasks/tasks';
import { missingConsent } from '@portal/contract/whois/consents';
import { maxImmediateUpdates, maxUploadedObjects, whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { objectsOfText, ordersOfText, withoutOrder } from '@portal/rpsl';
import { Banner, Button, FieldGroup, formatCount, type RefusalReason, Row, Segmented, Sheet, Stack } from '@portal/ui';
import { useDeferredValue, useMemo, useState } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { AskForConsent } from '../consents/AskForConsent.tsx';
import { hrefOfObjectsTask, isOpen } from '../tasks/task-words.ts';
import { changedReads } from '../editor/changed-reads.ts';
import { countOutcomes, type Outcome } from '../tasks/outcome-words.ts';
import { useTextFindings } from './text-findings.ts';
import { countsOfDryRun, UploadDryRun, useDryRun } from './UploadDryRun.tsx';
import styles from './TextUploadPage.module.css';
import { UploadedText } from './UploadedText.tsx';
import { type Mode, refusedText, type Report, UploadOutcomes, UploadReport } from './UploadReport.tsx';

/** Longer text doesn't survive a reload. */
const MAX_STORED = 300_000;

/** The dry run's task of a large text, and its mode. Valid for exactly this text. */
type DryRunTask = { taskId: number; mode: Mode };

function outcomesOf(outcomes: readonly WhoisOutcome[], text: string): Outcome[] {
  const objects = objectsOfText(text);
  return outcomes.map((outcome, index) => ({
    ...outcome,
    id: String(index),
    text: objects[index]?.text ?? '',
    line: objects[index]?.line ?? null,
  }));
}

const countsOf = (outcomes: readonly Outcome[]): { ok: number; failed: number } => ({
  ok: outcomes.filter(({ state }) => state === 'ok').length,
  failed: outcomes.filter(({ state }) => state === 'failed').length,
});

/** /resources/whois-text-upload: many objects as one text: first a dry run, then saved. */
export default function TextUploadPage() {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const address = useAddress();
  const draft = useDraft<string>(`whois-text:${account}`, '');
  const [text, setText] = useState(draft.value);
  const [name, setName] = useState<string | null>(null);
  const dryRunTask = useDraft<DryRunTask | null>(`whois-text-dry-run:${account}`, null);
  const [mode, setMode] = useState<Mode>(dryRunTask.value?.mode ?? 'best-effort');
  const [report, setReport] = useState<Report | null>(null);
  const refusal = useRefusal(rehearsalOf(whois.uploadText));

  const given = useDeferredValue(text);
  const objects = useMemo(() => objectsOfText(given), [given]);
  const found = useTextFindings(objects);
  const isBig = objects.length > maxImmediateUpdates;

  const set = (next: string, from: string | null = name) => {
    setText(next);
    setName(from);
    dryRunTask.discard();
    if (next.length <= MAX_STORED && next !== '') draft.set(next);
    else draft.discard();
  };
  const upload = useChange(whois.uploadText, {
    refresh: [...changedReads, tasks.listTasks],
    onDone({ outcomes, taskId }, { body }) {
      const isDryRun = body.dryRun ?? false;
      const how = body.mode ?? 'best-effort';
      if (isDryRun && taskId !== null) {
        // It doesn't apply if the text has changed since.
        if (body.text === text) dryRunTask.set({ taskId, mode: how });
        return;
      }
      dryRunTask.discard();
      if (taskId !== null && outcomes === null) {
        draft.discard();
        return address.go(hrefOfObjectsTask(taskId, environment.product));
      }
      const all = outcomesOf(outcomes ?? [], body.text);
      setReport({ text: body.text, mode: how, isDryRun, outcomes: all, taskId });
      // Only the failed objects stay on the page, with their errors.
      if (!isDryRun) set(refusedText(all), null);
    },
  });
  const isCurrent = report !== null && (report.isDryRun ? report.text === text && report.mode === mode : true);
  const shown = isCurrent ? report : null;
  const send = (dryRun: boolean) => upload.mutate({ account, body: { text, mode, dryRun } });
  /** The line with which the text itself asks for a dry run: such a text is never saved. */
  const dryRunLine = useMemo(() => ordersOfText(given).find(({ order }) => order === 'dry-run')?.line ?? null, [given]);
  const dryRunWithoutLine = () => {
    const rest = withoutOrder(text, 'dry-run');
    set(rest);
    upload.mutate({ account, body: { text: rest, mode, dryRun: true } });
  };
  const dryRun = useDryRun(isBig && text === given && dryRunTask.value?.mode === mode ? dryRunTask.value.taskId : null);
  const isRunning = dryRun !== null && !dryRun.isGone && (dryRun.task === null || isOpen(dryRun.task));
  const wouldBe = isBig ? countsOfDryRun(dryRun) : shown?.isDryRun === true ? countsOf(shown.outcomes) : null;

  const whyNot =
    refusal ??
    (objects.length === 0
      ? { reason: 'Enter objects first' }
      : objects.length > maxUploadedObjects
        ? { reason: `${formatCount(objects.length)} objects is too many. Send at most ${formatCount(maxUploadedObjects)}` }
        : null);
  const mayWrite = dryRunLine === null && wouldBe !== null && wouldBe.ok > 0 && (mode === 'best-effort' || wouldBe.failed === 0);
  const whyNoDryRun = refusalOfDryRun({ whyNot, dryRunLine, isRunning, wouldBe, mayWrite });

  return (
    <Page title="Text upload" sub="Existing objects are updated and new ones created. To delete one, add a “delete:” line with a reason.">
      <AccountNote />
      <Stack gap={16}>
        {shown && !shown.isDryRun && <UploadReport report={shown} />}
        <UploadedText text={text} name={name} objects={objects} found={found} onText={set} />
        <Sheet
          title="Review"
          meta={
            shown?.isDryRun ? (
              <span>{countOutcomes(shown.outcomes, true)}</span>
            ) : dryRun ? undefined : (
              <span>Run a dry run to see exactly what will change</span>
            )
          }
          flush
          footer={
            <Row gap={8} wrap>
              {mayWrite ? (
                <Button variant="commit" busy={upload.isPending} onClick={() => send(false)}>
                  Save {formatCount(wouldBe.ok)} {wouldBe.ok === 1 ? 'object' : 'objects'} {isBig && ' as a task'}
                </Button>
              ) : (
                <Button variant="primary" busy={upload.isPending} refusal={whyNoDryRun} onClick={() => send(true)}>
                  Dry run
                </Button>
              )}
            </Row>
          }
        >
          <ModeField mode={mode} onChange={setMode} objects={objects.length} isBig={isBig} />
          {dryRunLine !== null && <DryRunLine line={dryRunLine} busy={upload.isPending} whyNot={whyNot} onRemove={dryRunWithoutLine} />}
          {dryRun && (
            <div className={styles.dryRun}>
              <UploadDryRun dryRun={dryRun} />
            </div>
          )}
          {shown?.isDryRun && <UploadOutcomes report={shown} outcomes={shown.outcomes} />}
          {shown?.isDryRun && shown.outcomes.every(({ state }) => state === 'failed') && missingConsent(shown.outcomes) && (
            <div className={styles.dryRun}>
              <AskForConsent
                outcomes={shown.outcomes}
                text={shown.outcomes.map(each => each.text).join('\n')}
                onAsked={() => set('', null)}
              />
            </div>
          )}
        </Sheet>
      </Stack>
    </Page>
  );
}

function ModeField({ mode, onChange, objects, isBig }: { mode: Mode; onChange: (mode: Mode) => void; objects: number; isBig: boolean }) {
  return (
    <div className={styles.mode}>
      <FieldGroup legend="If an object is refused">
        <div>
          <Segmented
            label="If an object is refused"
            options={[
              { value: 'best-effort', label: 'Save the others' },
              { value: 'atomic', label: 'Save none' },
            ]}
            value={mode}
            onChange={onChange}
          />
        </div>
      </FieldGroup>
      {isBig && (
        <p className="small muted">{formatCount(objects)} objects run as tasks in the background: one for the dry run and one to save.</p>
      )}
    </div>
  );
}

/** The text itself asks for a dry run. */
function DryRunLine({ line, busy, whyNot, onRemove }: { line: number; busy: boolean; whyNot: RefusalReason | null; onRemove: () => void }) {
  return (
    <div className={styles.dryRun}>
      <Banner
        kind="info"
        title={`Line ${formatCount(line)} asks for a dry run`}
        actions={
          <Button size="s" busy={busy} refusal={whyNot} onClick={onRemove}>
            Remove it and preview
          </Button>
        }
      >
        A text with dry-run: is never written. Remove the line to see what would change, and then write it.
      </Banner>
    </div>
  );
}

/** Why no dry run can be made now; null if one can. */
function refusalOfDryRun({
  whyNot,
  dryRunLine,
  isRunning,
  wouldBe,
  mayWrite,
}: {
  whyNot: RefusalReason | null;
  dryRunLine: number | null;
  isRunning: boolean;
  wouldBe: { failed: number } | null;
  mayWrite: boolean;
}): RefusalReason | null {
  return (
    whyNot ??
    (dryRunLine !== null
      ? { reason: `Line ${formatCount(dryRunLine)} asks for a dry run: remove it first` }
      : isRunning
        ? { reason: 'The dry run is running' }
        : wouldBe && !mayWrite
          ? { reason: wouldBe.failed > 0 ? 'Fix rejected objects, then try again' : 'No changes: all objects are already stored like this' }
          : null)
  );
}
