import { type Draft, useAccount, useAddress, useChange, useDraft, useKit } from '@portal/app-kit';
import { whois, type WhoisClass, type WhoisObject, type WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { useState } from 'react';
import { changedReads } from '../text/changed-reads.ts';
import { hrefOfObject } from '../text/object-address.ts';
import { type Finding, findingsOf, findingsWhileFilling } from '../text/object-text.ts';

/** The unsaved text, and the version it is based on; null for a new object. */
export type Unsaved = { text: string; base: { version: number; text: string } | null };

/** Returns the unsaved text of one object, or of a new one of a class, stored on this device until it is saved or discarded. */
export function useUnsaved(accountName: string, name: string): Draft<Unsaved | null> {
  return useDraft<Unsaved | null>(`whois:${accountName}:${name}`, null);
}
export const draftOfObject = (objectClass: string, key: string): string => `${objectClass} ${key}`;
export const draftOfNew = (objectClass: string): string => `new ${objectClass}`;

/** The object to edit. */
export type ObjectToEdit = {
  objectClass: WhoisClass;
  /** The stored object; null for a new or deleted one. */
  stored: WhoisObject | null;
  /** Initial text of a new object. */
  initial: string;
  draft: Draft<Unsaved | null>;
};

/** An object on its way: edited as text, previewed by the server, saved. A preview holds until the text changes. */
export function useEditedObject({ objectClass, stored, initial, draft }: ObjectToEdit) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [wasPreviewed, setWasPreviewed] = useState(false);
  const [reviewed, setReviewed] = useState<{ text: string; outcome: WhoisOutcome } | null>(null);

  const unsaved = draft.value;
  const base = unsaved ? unsaved.base : stored && { version: stored.version, text: stored.text };
  const text = unsaved?.text ?? stored?.text ?? initial;
  const isNew = stored === null;
  const isTouched = unsaved !== null && unsaved.text !== (stored?.text ?? initial);
  const isStale = isTouched && stored !== null && base !== null && stored.version > base.version;

  const outcome = reviewed?.text === text ? reviewed.outcome : null;
  const found = findingsOf(text, isNew ? 'create' : 'modify');
  // A new form isn't full of errors: fields not reached yet are not marked before a dry run.
  const all: readonly Finding[] = outcome ? outcome.problems : isNew && !wasPreviewed ? findingsWhileFilling(found, text, initial) : found;
  // Findings in the panel above are not marked in the text.
  const findings = all.filter(({ code }) => code !== 'changed-meanwhile');

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
  return {
    text,
    base,
    isNew,
    isTouched,
    /** The stored object has changed since the editing began. */
    isStale,
    findings,
    /** The preview of this text; null before there is one. */
    outcome,
    isPreviewing: preview.isPending,
    isSaving: write.isPending,
    set,
    merge: (merged: string, theirs: WhoisObject): void => {
      draft.set({ text: merged, base: { version: theirs.version, text: theirs.text } });
      setReviewed(null);
    },
    discard,
    preview: (): void => {
      setWasPreviewed(true);
      preview.mutate({ account, body: { updates: [update] } });
    },
    save: () => write.mutate({ account, body: { updates: [update] } }),
  };
}
