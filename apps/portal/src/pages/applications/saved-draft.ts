import { useKit } from '@portal/app-kit';
import type { ErrorItem } from '@portal/contract';
import type { ApplicationDraft, ApplicationStep } from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { useEffect, useRef, useState } from 'react';

/** The part of an application that the registry stores. */
type Content = { draft: ApplicationDraft; step: ApplicationStep; documentIds: readonly string[] };

export type SavedDraft = {
  draft: ApplicationDraft;
  /** Takes a change; it is saved after a pause. */
  change: (change: Partial<Content>) => void;
  /** Saves pending input immediately, and returns the saved version; null if saving failed. */
  flush: () => Promise<number | null>;
  state: 'saved' | 'unsaved' | 'saving' | 'not-saved' | 'saved-elsewhere';
  savedAt: string;
  errors: readonly ErrorItem[];
};

/** A pause in typing after which it is saved, in milliseconds. */
const PAUSE = 1200;

/** An application being edited: saved at the registry a moment after each change, one save at a time. */
export function useSavedDraft(application: ApplicationDetail): SavedDraft {
  const { call } = useKit();
  const { applicationId } = application;
  const [draft, setDraft] = useState(application.draft);
  const [state, setState] = useState<SavedDraft['state']>('saved');
  const [savedAt, setSavedAt] = useState(application.savedAt);
  const [errors, setErrors] = useState<readonly ErrorItem[]>([]);
  const content = useRef<Content>({
    draft: application.draft,
    step: application.step,
    documentIds: application.papers.map(({ documentId }) => documentId),
  });
  const version = useRef(application.version);
  const unsaved = useRef(false);
  /** Another person saved a newer version: this one must not be saved any more. */
  const overtaken = useRef(false);
  const running = useRef<Promise<number | null> | null>(null);
  const timer = useRef<number | undefined>(undefined);

  const saveAll = async (): Promise<number | null> => {
    if (overtaken.current) return null;
    while (unsaved.current) {
      unsaved.current = false;
      setState('saving');
      const { draft: written, step, documentIds } = content.current;
      const answer = await call(applications.saveDraft, {
        applicationId,
        body: { version: version.current, step, draft: written, documentIds: [...documentIds] },
      });
      if (answer.errors) {
        unsaved.current = true;
        overtaken.current = answer.errors[0]?.code === 'STALE';
        setErrors(answer.errors);
        setState(overtaken.current ? 'saved-elsewhere' : 'not-saved');
        return null;
      }
      version.current = answer.data.version;
      setSavedAt(answer.data.savedAt);
      setErrors([]);
    }
    setState('saved');
    return version.current;
  };
  const flush = (): Promise<number | null> => {
    window.clearTimeout(timer.current);
    running.current ??= saveAll().finally(() => (running.current = null));
    return running.current;
  };
  const latest = useRef(flush);
  useEffect(() => {
    latest.current = flush;
  });
  useEffect(
    () => () => {
      // Leaving while typing keeps the input.
      if (unsaved.current) void latest.current();
    },
    [],
  );

  return {
    draft,
    state,
    savedAt,
    errors,
    flush,
    change: ({ draft: written, ...rest }) => {
      content.current = { ...content.current, ...rest, ...(written && { draft: written }) };
      if (written) setDraft(written);
      unsaved.current = true;
      if (state !== 'saved-elsewhere') setState('unsaved');
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => void latest.current(), PAUSE);
    },
  };
}
