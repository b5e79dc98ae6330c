import { useAccount, useAddress, useChange, useDraft, useKit } from '@portal/app-kit';
import { tasks } from '@portal/contract/tasks/tasks';
import { maxImmediateUpdates, whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { objectsOfText, ordersOfText, withoutOrder } from '@portal/rpsl';
import { useDeferredValue, useMemo, useState } from 'react';
import { hrefOfObjectsTask, isOpen } from '../tasks/task-words.ts';
import { changedReads } from '../text/changed-reads.ts';
import type { Outcome } from '../tasks/outcome-words.ts';
import { useTextFindings } from './text-findings.ts';
import { countsOfDryRun, useDryRun } from './UploadDryRun.tsx';
import { type Mode, refusedText, type Report } from './UploadReport.tsx';

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

/** The text of many objects on its way: written, run dry, saved. A dry run, immediate or as a task, holds for exactly the text and mode that it had. */
export function useTextUpload() {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const address = useAddress();
  const draft = useDraft<string>(`whois-text:${account}`, '');
  const [text, setText] = useState(draft.value);
  const [name, setName] = useState<string | null>(null);
  const dryRunTask = useDraft<DryRunTask | null>(`whois-text-dry-run:${account}`, null);
  const [mode, setMode] = useState<Mode>(dryRunTask.value?.mode ?? 'best-effort');
  const [report, setReport] = useState<Report | null>(null);

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
  return {
    text,
    name,
    set,
    mode,
    setMode,
    objects,
    found,
    /** Saved as a task, because it has too many objects for an immediate answer. */
    isBig,
    report: shown,
    dryRun,
    isRunning,
    /** How many objects saving would write and refuse; null before a dry run. */
    wouldBe,
    dryRunLine,
    isSending: upload.isPending,
    send,
    dryRunWithoutLine,
  };
}
