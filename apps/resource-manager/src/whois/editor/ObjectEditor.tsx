import { DraftNote, type Draft, useAccount, useAddress, useChange, useDraft, useKit } from '@portal/app-kit';
import { whois, type WhoisClass, type WhoisObject, type WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Badge, Button, type RefusalReason, Row, Segmented, Sheet, Stack, useNarrow } from '@portal/ui';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { changedReads } from './changed-reads.ts';
import { AskForConsent } from '../consents/AskForConsent.tsx';
import { useCompletions } from './completions.ts';
import { countChanges, Difference } from './Difference.tsx';
import { MergePanel } from './MergePanel.tsx';
import { hrefOfObject } from '../objects/object-address.ts';
import { completionKind, type Finding, findingsOf, findingsWhileFilling, lockedLines, placeAt } from '../objects/object-text.ts';
import { ObjectForm } from './ObjectForm.tsx';
import { CopyText, ObjectText, type ObjectTextHandle } from '../objects/ObjectText.tsx';
import styles from './ObjectEditor.module.css';
import { ProblemList } from './ProblemList.tsx';

/** The unsaved text, and the version it is based on; null for a new object. */
export type Unsaved = { text: string; base: { version: number; text: string } | null };

/** Returns the unsaved text of one object, or of a new one of a class, stored on this device until it is saved or discarded. */
export function useUnsaved(accountName: string, name: string): Draft<Unsaved | null> {
  return useDraft<Unsaved | null>(`whois:${accountName}:${name}`, null);
}
export const draftOfObject = (objectClass: string, key: string): string => `${objectClass} ${key}`;
export const draftOfNew = (objectClass: string): string => `new ${objectClass}`;

type Props = {
  objectClass: WhoisClass;
  /** The stored object; null for a new or deleted one. */
  stored: WhoisObject | null;
  /** Initial text of a new object. */
  initial: string;
  draft: Draft<Unsaved | null>;
  /** Further facts, below the text. */
  facts?: ReactNode;
};

/** An object as form and as text; the text is authoritative. Checked while typing, previewed by the server, then saved. */
export function ObjectEditor({ objectClass, stored, initial, draft, facts }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const narrow = useNarrow();
  const [view, setView] = useState<'form' | 'text'>('form');
  const editor = useRef<ObjectTextHandle>(null);
  const [wasPreviewed, setWasPreviewed] = useState(false);
  const [reviewed, setReviewed] = useState<{ text: string; outcome: WhoisOutcome } | null>(null);

  const unsaved = draft.value;
  const base = unsaved ? unsaved.base : stored && { version: stored.version, text: stored.text };
  const text = unsaved?.text ?? stored?.text ?? initial;
  const isNew = stored === null;
  const changeable = stored?.changeable ?? null;
  const isTouched = unsaved !== null && unsaved.text !== (stored?.text ?? initial);
  const isStale = isTouched && stored !== null && base !== null && stored.version > base.version;

  const outcome = reviewed?.text === text ? reviewed.outcome : null;
  const found = findingsOf(text, isNew ? 'create' : 'modify');
  // A new form isn't full of errors: fields not reached yet are not marked before a dry run.
  const all: readonly Finding[] = outcome ? outcome.problems : isNew && !wasPreviewed ? findingsWhileFilling(found, text, initial) : found;
  // Findings in the panel above are not marked in the text.
  const findings = all.filter(({ code }) => code !== 'changed-meanwhile');
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;

  const set = (next: string) => draft.set({ text: next, base });
  const update = {
    operation: isNew ? ('create' as const) : ('modify' as const),
    text,
    ...(stored && { expectedVersion: base?.version ?? null, of: { class: objectClass, key: stored.key } }),
  };
  const keep = (outcome: WhoisOutcome | undefined, of: string) => {
    if (!outcome) return;
    setReviewed({ text: of, outcome });
  };
  const preview = useChange(whois.previewUpdates, {
    onDone: ({ outcomes }, { body }) => keep(outcomes[0], body.updates[0]?.text ?? ''),
    refresh: [whois.getObject],
  });
  const write = useChange(whois.submitUpdates, {
    refresh: changedReads,
    onDone: ({ outcomes }, { body }) => {
      const [outcome] = outcomes;
      if (outcome?.state !== 'ok' && outcome?.state !== 'unchanged') return keep(outcome, body.updates[0]?.text ?? '');
      draft.discard();
      setReviewed(null);
      notify({ text: `${outcome.class} ${spacedKey(outcome.shown)} saved.` });
      address.go(hrefOfObject(outcome.class, outcome.shown, { saved: String(outcome.afterVersion) }));
    },
  });
  const discard = () => {
    draft.discard();
    setReviewed(null);
    if (isNew) address.set({ new: null });
  };
  const goToLine = (line: number) => {
    setView('text');
    requestAnimationFrame(() => editor.current?.goToLine(line));
  };

  const form = (
    <Sheet title="Form" key="form">
      <ObjectForm text={text} onChange={set} findings={findings} isNew={isNew} changeable={changeable} />
    </Sheet>
  );
  const words = (
    <Sheet
      key="text"
      title="Text"
      meta={narrow ? undefined : 'Edit as a form or as text'}
      flush
      actions={<TextMarks errors={errors} warnings={warnings} text={text} />}
      footer={
        <span className="small quiet">
          <kbd>Ctrl Space</kbd> completes, <kbd>F8</kbd> goes to the next mark
          {base && <>. Began with version {base.version}</>}
        </span>
      }
    >
      <TextWithCompletion text={text} findings={findings} set={set} locked={lockedLines(text, { isNew, changeable })} editor={editor} />
      {findings.length > 0 && (
        <div className={styles.findings}>
          <ProblemList findings={findings} onLine={goToLine} />
        </div>
      )}
    </Sheet>
  );

  return (
    <Stack gap={16}>
      {isTouched && <DraftNote draft={draft} onDiscard={discard} />}
      {isStale && stored && base && (
        <MergePanel
          base={base.text}
          mine={text}
          theirs={stored}
          onApply={merged => {
            draft.set({ text: merged, base: { version: stored.version, text: stored.text } });
            setReviewed(null);
          }}
          onDrop={discard}
        />
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
          {(!narrow || view === 'text') && words}
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
            isSaving={write.isPending}
            isPreviewing={preview.isPending}
            refusal={isStale ? { reason: 'Merge both changes first' } : !isTouched && !isNew ? { reason: 'No changes to save' } : null}
            onSave={() => write.mutate({ account, body: { updates: [update] } })}
            onPreview={() => {
              setWasPreviewed(true);
              preview.mutate({ account, body: { updates: [update] } });
            }}
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

function TextMarks({ errors, warnings, text }: { errors: number; warnings: number; text: string }) {
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
