import { Page, useRefusal } from '@portal/app-kit';
import { rehearsalOf } from '@portal/contract/dry-run';
import { missingConsent } from '@portal/contract/whois/consents';
import { maxUploadedObjects, whois } from '@portal/contract/whois/whois';
import { Banner, Button, FieldGroup, formatCount, type RefusalReason, Row, Segmented, Sheet, Stack } from '@portal/ui';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { AskForConsent } from '../consents/AskForConsent.tsx';
import { countOutcomes } from '../tasks/outcome-words.ts';
import { useTextUpload } from './text-upload.ts';
import { UploadDryRun } from './UploadDryRun.tsx';
import styles from './TextUploadPage.module.css';
import { UploadedText } from './UploadedText.tsx';
import { type Mode, UploadOutcomes, UploadReport } from './UploadReport.tsx';

/** /resources/whois-text-upload: many objects as one text: first a dry run, then saved. */
export default function TextUploadPage() {
  const upload = useTextUpload();
  const { text, mode, objects, isBig, report: shown, dryRun, wouldBe, dryRunLine, set } = upload;
  const refusal = useRefusal(rehearsalOf(whois.uploadText));

  const whyNot =
    refusal ??
    (objects.length === 0
      ? { reason: 'Enter objects first' }
      : objects.length > maxUploadedObjects
        ? { reason: `${formatCount(objects.length)} objects is too many. Send at most ${formatCount(maxUploadedObjects)}` }
        : null);
  const mayWrite = dryRunLine === null && wouldBe !== null && wouldBe.ok > 0 && (mode === 'best-effort' || wouldBe.failed === 0);
  const whyNoDryRun = refusalOfDryRun({ whyNot, dryRunLine, isRunning: upload.isRunning, wouldBe, mayWrite });

  return (
    <Page title="Text upload" sub="Existing objects are updated and new ones created. To delete one, add a “delete:” line with a reason.">
      <AccountNote />
      <Stack gap={16}>
        {shown && !shown.isDryRun && <UploadReport report={shown} />}
        <UploadedText text={text} name={upload.name} objects={objects} found={upload.found} onText={set} />
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
                <Button variant="commit" busy={upload.isSending} onClick={() => upload.send(false)}>
                  Save {formatCount(wouldBe.ok)} {wouldBe.ok === 1 ? 'object' : 'objects'} {isBig && ' as a task'}
                </Button>
              ) : (
                <Button variant="primary" busy={upload.isSending} refusal={whyNoDryRun} onClick={() => upload.send(true)}>
                  Dry run
                </Button>
              )}
            </Row>
          }
        >
          <ModeField mode={mode} onChange={upload.setMode} objects={objects.length} isBig={isBig} />
          {dryRunLine !== null && (
            <DryRunLine line={dryRunLine} busy={upload.isSending} whyNot={whyNot} onRemove={upload.dryRunWithoutLine} />
          )}
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
