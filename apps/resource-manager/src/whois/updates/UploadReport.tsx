import { useKit } from '@portal/app-kit';
import { acknowledgement, withReasons } from '@portal/rpsl';
import { Button, formatCount, LinkButton, Row, Segmented, Sheet } from '@portal/ui';
import { useState } from 'react';
import { hrefOfObjectsTask } from '../tasks/task-words.ts';
import { countOutcomes, type Outcome } from '../tasks/outcome-words.ts';
import { Outcomes } from '../tasks/Outcomes.tsx';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import styles from './TextUploadPage.module.css';
import { wasRefused } from '@portal/contract/tasks/tasks';

const shownOutcomes = 50;

export type Mode = 'best-effort' | 'atomic';
/** The result of a text that was checked or saved. */
export type Report = { text: string; mode: Mode; isDryRun: boolean; outcomes: readonly Outcome[]; taskId: number | null };

/** Returns the failed objects with their errors as comments, as a text that can be corrected and sent again. */
export const refusedText = (outcomes: readonly Outcome[]): string =>
  outcomes
    .filter(wasRefused)
    .map(({ text, problems, state }) =>
      withReasons(
        text,
        state === 'skipped'
          ? [{ attribute: null, message: 'left out, as others were refused' }]
          : problems.filter(({ severity }) => severity === 'error'),
      ),
    )
    .join('\n');

/** Outcomes of a text, refused ones alone on demand. */
export function UploadOutcomes({ report, outcomes }: { report: Report; outcomes: readonly Outcome[] }) {
  const [shown, setShown] = useState(shownOutcomes);
  const [only, setOnly] = useState<'all' | 'refused'>('all');
  const refused = outcomes.filter(wasRefused);
  const listed = only === 'refused' ? refused : outcomes;
  return (
    <>
      {refused.length > 0 && refused.length < outcomes.length && (
        <div className={styles.only}>
          <Segmented
            label="Which objects"
            options={[
              { value: 'all', label: `All ${formatCount(outcomes.length)}` },
              { value: 'refused', label: `${formatCount(refused.length)} ${report.isDryRun ? 'refused' : 'not done'}` },
            ]}
            value={only}
            onChange={setOnly}
          />
        </div>
      )}
      <Outcomes
        outcomes={listed.slice(0, shown)}
        isDryRun={report.isDryRun}
        label={report.isDryRun ? 'Expected result for each object' : 'Result for each object'}
      />
      {listed.length > shown && (
        <div className={styles.only}>
          <Button size="s" onClick={() => setShown(listed.length)}>
            Show all {formatCount(listed.length)}
          </Button>
        </div>
      )}
    </>
  );
}

/** The report in the format that members' whois tools read. @param version of the program that made it */
async function saveAcknowledgement({ outcomes }: Report, version: string): Promise<void> {
  const items = outcomes.flatMap(({ state, beforeVersion, ...outcome }) =>
    state === 'pending' ? [] : [{ ...outcome, state, isThere: beforeVersion !== null }],
  );
  let text = '';
  const about = { at: new Date(), footer: `Text upload, whois server version ${version}` };
  for await (const piece of acknowledgement(() => items, about)) text += piece;
  saveTextFile('acknowledgement.txt', text);
}

/** The result of a saved text, and the failed objects as a file. */
export function UploadReport({ report }: { report: Report }) {
  const { environment } = useKit();
  const { outcomes, taskId } = report;
  const bad = outcomes.filter(wasRefused).length;
  return (
    <Sheet
      title="Result"
      meta={<output>{countOutcomes(outcomes, false)}</output>}
      flush
      footer={
        <Row gap={12} wrap>
          {bad > 0 && (
            <Button icon="download" onClick={() => saveTextFile('refused-objects.txt', refusedText(outcomes))}>
              Download rejected objects with reasons
            </Button>
          )}
          <Button variant="quiet" icon="download" onClick={() => void saveAcknowledgement(report, environment.errorReporting.release)}>
            Acknowledgement
          </Button>
          {taskId !== null && (
            <LinkButton variant="quiet" href={hrefOfObjectsTask(taskId, environment.product)}>
              Task {taskId}: report and revert
            </LinkButton>
          )}
          {bad > 0 && <span className="small quiet">Rejected objects are below. Fix them and try again.</span>}
        </Row>
      }
    >
      <UploadOutcomes report={report} outcomes={outcomes} />
    </Sheet>
  );
}
