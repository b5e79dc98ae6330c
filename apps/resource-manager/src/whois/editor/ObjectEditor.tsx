import { DraftNote, useAddress } from '@portal/app-kit';
import type { WhoisObject, WhoisOutcome } from '@portal/contract/whois/whois';
import { Badge, Button, type RefusalReason, Row, Segmented, Sheet, Stack, Steps, useNarrow } from '@portal/ui';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { AskForConsent } from '../consents/AskForConsent.tsx';
import { useCompletions } from './completions.ts';
import { countChanges, Difference } from '../text/Difference.tsx';
import { type ObjectToEdit, useEditedObject } from './edited-object.ts';
import { MergePanel } from './MergePanel.tsx';
import { completionKind, type Finding, lockedLines, placeAt } from '../text/object-text.ts';
import { ObjectForm } from './ObjectForm.tsx';
import { CopyText, ObjectText, type ObjectTextHandle } from '../text/ObjectText.tsx';
import styles from './ObjectEditor.module.css';
import { ProblemList } from '../text/ProblemList.tsx';

/** An object as form and as text; the text is authoritative. Checked while typing, previewed by the server, then saved. */
export function ObjectEditor({ facts, ...object }: ObjectToEdit & { facts?: ReactNode }) {
  const { stored, draft } = object;
  const narrow = useNarrow();
  const address = useAddress();
  const [view, setView] = useState<'form' | 'text'>('form');
  const editor = useRef<ObjectTextHandle>(null);
  const edited = useEditedObject(object);
  const { text, base, isNew, isTouched, isStale, findings, outcome, set, discard } = edited;
  const changeable = stored?.changeable ?? null;
  const goToLine = (line: number) => {
    setView('text');
    requestAnimationFrame(() => editor.current?.goToLine(line));
  };

  const form = (
    <Sheet title="Form" key="form">
      <ObjectForm text={text} onChange={set} findings={findings} isNew={isNew} changeable={changeable} />
    </Sheet>
  );
  return (
    <Stack gap={16}>
      <Steps
        label="Steps of the change"
        steps={['Edit', 'Review', 'Published']}
        current={outcome?.state === 'ok' ? 1 : address.get('saved') !== null && !isTouched ? 3 : 0}
      />
      {isTouched && <DraftNote draft={draft} onDiscard={discard} />}
      {isStale && stored && base && (
        <MergePanel base={base.text} mine={text} theirs={stored} onApply={merged => edited.merge(merged, stored)} onDrop={discard} />
      )}
      {narrow && (
        <Segmented
          label="Edit as"
          options={[
            { value: 'form', label: 'Form' },
            { value: 'text', label: 'Text' },
          ]}
          value={view}
          onChange={setView}
        />
      )}
      <div className={styles.both}>
        {(!narrow || view === 'form') && form}
        <Stack gap={16}>
          {(!narrow || view === 'text') && <TextSheet edited={edited} changeable={changeable} editor={editor} onLine={goToLine} />}
          {facts}
        </Stack>
      </div>
      <Sheet
        title="Review"
        meta={<ReviewMark outcome={outcome} />}
        flush={outcome?.state === 'ok'}
        footer={
          <ReviewFooter
            isReviewed={outcome?.state === 'ok'}
            isSaving={edited.isSaving}
            isPreviewing={edited.isPreviewing}
            refusal={isStale ? { reason: 'Merge both changes first' } : !isTouched && !isNew ? { reason: 'No changes to save' } : null}
            onSave={edited.save}
            onPreview={edited.preview}
            onDiscard={isTouched || isNew ? discard : null}
          />
        }
      >
        <Stack gap={12}>
          <Review outcome={outcome} stored={stored} onLine={goToLine} />
          {outcome && <AskForConsent outcomes={[outcome]} text={text} onAsked={discard} />}
        </Stack>
      </Sheet>
    </Stack>
  );
}

type TextSheetProps = {
  edited: ReturnType<typeof useEditedObject>;
  changeable: WhoisObject['changeable'] | null;
  editor: RefObject<ObjectTextHandle | null>;
  onLine: (line: number) => void;
};

function TextSheet({ edited: { text, base, isNew, findings, set }, changeable, editor, onLine }: TextSheetProps) {
  const narrow = useNarrow();
  return (
    <Sheet
      title="Text"
      meta={narrow ? undefined : 'Edit as a form or as text'}
      flush
      actions={<TextMarks findings={findings} text={text} />}
      footer={
        <span className="small quiet">
          <kbd>Ctrl Space</kbd> completes, <kbd>F8</kbd> goes to the next mark
          {base && <>. Based on version {base.version}</>}
        </span>
      }
    >
      <TextWithCompletion text={text} findings={findings} set={set} locked={lockedLines(text, { isNew, changeable })} editor={editor} />
      {findings.length > 0 && (
        <div className={styles.findings}>
          <ProblemList findings={findings} onLine={onLine} />
        </div>
      )}
    </Sheet>
  );
}

function ReviewFooter({
  isReviewed,
  isSaving,
  isPreviewing,
  refusal,
  onSave,
  onPreview,
  onDiscard,
}: {
  isReviewed: boolean;
  isSaving: boolean;
  isPreviewing: boolean;
  refusal: RefusalReason | null;
  onSave: () => void;
  onPreview: () => void;
  onDiscard: (() => void) | null;
}) {
  return (
    <Row gap={8} wrap>
      {isReviewed ? (
        <Button variant="commit" busy={isSaving} onClick={onSave}>
          Save object
        </Button>
      ) : (
        <Button variant="primary" busy={isPreviewing} refusal={refusal} onClick={onPreview}>
          Dry run
        </Button>
      )}
      {onDiscard && (
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </Row>
  );
}

function TextMarks({ findings, text }: { findings: readonly Finding[]; text: string }) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return (
    <Row gap={4}>
      {errors > 0 && (
        <Badge kind="invalid" icon="invalid">
          {errors} <span className="vh">wrong</span>
        </Badge>
      )}
      {warnings > 0 && (
        <Badge kind="warning" icon="warning">
          {warnings} <span className="vh">warnings</span>
        </Badge>
      )}
      <CopyText text={text} />
    </Row>
  );
}

function ReviewMark({ outcome }: { outcome: WhoisOutcome | null }) {
  if (outcome?.state !== 'ok') return <span>Run a dry run to see exactly what will change</span>;
  const count = countChanges(outcome.before, outcome.after);
  return (
    <Badge kind="pending" icon="edit">
      {outcome.done === 'create' ? 'A new object' : `${count} ${count === 1 ? 'line changes' : 'lines change'}`}
    </Badge>
  );
}

function Review({ outcome, stored, onLine }: { outcome: WhoisOutcome | null; stored: WhoisObject | null; onLine: (line: number) => void }) {
  if (!outcome) return <p className="small muted">A dry run checks references, permissions and related objects. It saves nothing.</p>;
  if (outcome.state === 'unchanged') return <p className="small">No changes: the stored object is the same.</p>;
  if (outcome.state !== 'ok')
    return (
      <Stack gap={8}>
        <p role="alert" className="small strong">
          This can’t be saved yet:
        </p>
        <ProblemList findings={outcome.problems} onLine={onLine} label="Problems" />
      </Stack>
    );
  return (
    <>
      {outcome.problems.length > 0 && (
        <div className={styles.findings}>
          <ProblemList findings={outcome.problems} onLine={onLine} label="Notes" />
        </div>
      )}
      <div className={styles.review}>
        <Difference before={outcome.before ?? (stored ? stored.text : null)} after={outcome.after} label="Changes" />
      </div>
    </>
  );
}

type TextProps = {
  text: string;
  findings: readonly Finding[];
  set: (text: string) => void;
  locked: ReadonlySet<number>;
  editor: RefObject<ObjectTextHandle | null>;
};

/** The text with completions of the word before the caret, on demand. */
function TextWithCompletion({ text, findings, set, locked, editor }: TextProps) {
  const [caret, setCaret] = useState<number | null>(null);
  const place = caret === null ? null : placeAt(text, caret);
  const kind = place && completionKind(place.name);
  const items = useCompletions(kind, place?.word ?? '');
  const change = (next: string) => {
    set(next);
    setCaret(null);
  };
  return (
    <>
      <ObjectText
        ref={editor}
        text={text}
        label="Text of the object"
        findings={findings}
        locked={locked}
        onChange={change}
        onComplete={setCaret}
      />
      {caret !== null && (
        <section className={styles.completions} aria-label="Completions">
          {!kind || !place ? (
            <span className="small quiet">No completions here.</span>
          ) : items.length === 0 ? (
            <span className="small quiet">No object starts with this.</span>
          ) : (
            items.map(({ id, text: word, note }) => (
              <Button
                key={id}
                size="s"
                onClick={() => {
                  editor.current?.replace(place.from, place.from + place.word.length, word);
                  setCaret(null);
                }}
              >
                <span className="mono">{word}</span> <span className="quiet">{note}</span>
              </Button>
            ))
          )}
          <Button variant="quiet" size="s" icon="close" aria-label="Close completions" onClick={() => setCaret(null)} />
        </section>
      )}
    </>
  );
}
