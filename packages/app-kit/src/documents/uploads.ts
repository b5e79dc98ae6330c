import type { UploadedFile } from '@portal/contract/documents/documents';
import { files } from '@portal/contract/documents/files';
import { fileKinds, fileSize, largestFile, maxFiles } from '@portal/contract/file-kinds';
import type { ChosenFile } from '@portal/ui/picker/FileField';
import { useEffect, useRef, useState } from 'react';
import { useKit } from '../kit/kit.ts';
import { sendingWithProgress } from './sending.ts';

/** Value of the file dialogue's filter: extensions and media types of every accepted kind. */
export const acceptedFiles = Object.values(fileKinds)
  .flatMap(({ mediaType, extensions }) => [mediaType, ...extensions.map(extension => `.${extension}`)])
  .join(',');

type Entry = ChosenFile & { sent?: UploadedFile };

/** The files of a form: selected, uploading, sent. */
export type Uploads = {
  files: readonly ChosenFile[];
  most: number;
  /** Uploaded files, for the request that uses them. */
  sent: readonly UploadedFile[];
  documentIds: readonly string[];
  /** Some are still on their way. */
  sending: boolean;
  /** Why a form with these files can't be sent as it is shown: one is on its way, or was refused and would be left out without a word. */
  problem: string | undefined;
  add: (chosen: readonly File[]) => void;
  remove: (key: string) => void;
  clear: () => void;
};

const asEntry = (sent: UploadedFile): Entry => ({
  key: sent.documentId,
  name: sent.fileName,
  size: fileSize(sent.bytes),
  state: 'sent',
  share: 1,
  words: sent.check === 'being-checked' ? 'It’s being checked for viruses.' : undefined,
  sent,
});

let lastKey = 0;

/**
 * Uploads files as they are selected, one request each, with progress; leaving the form aborts uploads. The server keeps unused files for a day.
 * @param initial files that were sent before, such as those of a draft
 */
export function useUploads({ most = maxFiles, initial = [] }: { most?: number; initial?: readonly UploadedFile[] } = {}): Uploads {
  const { call } = useKit();
  const [entries, setEntries] = useState<readonly Entry[]>(() => initial.map(asEntry));
  const underWay = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const controllers = underWay.current;
    return () => controllers.forEach(controller => controller.abort());
  }, []);
  const update = (key: string, change: Partial<Entry>): void =>
    setEntries(before => before.map(entry => (entry.key === key ? { ...entry, ...change } : entry)));

  const send = async (key: string, file: File): Promise<void> => {
    const controller = new AbortController();
    underWay.current.set(key, controller);
    const answer = await call(
      files.uploadFile,
      { query: { fileName: file.name }, body: file },
      { signal: controller.signal, fetch: sendingWithProgress(share => update(key, { share })) },
    );
    underWay.current.delete(key);
    if (controller.signal.aborted) return;
    if (answer.errors) update(key, { state: 'refused', words: answer.errors[0]?.message });
    else update(key, { ...asEntry(answer.data), key });
  };

  const add = (chosen: readonly File[]): void => {
    const room = most - entries.filter(({ state }) => state !== 'refused').length;
    const added = chosen.slice(0, Math.max(0, room)).map((file): [Entry, File] => {
      const entry: Entry = { key: `chosen-${++lastKey}`, name: file.name, size: fileSize(file.size), state: 'sending', share: 0 };
      if (file.size > largestFile)
        return [{ ...entry, state: 'refused', words: `It’s larger than ${fileSize(largestFile)}. Choose a smaller file.` }, file];
      if (file.size === 0) return [{ ...entry, state: 'refused', words: 'It’s empty.' }, file];
      return [entry, file];
    });
    // Clear earlier refusals: the person has read them.
    setEntries(before => [...before.filter(({ state }) => state !== 'refused'), ...added.map(([entry]) => entry)]);
    for (const [{ key, state }, file] of added) if (state === 'sending') void send(key, file);
  };

  const sent = entries.flatMap(entry => entry.sent ?? []);
  return {
    files: entries,
    most,
    sent,
    documentIds: sent.map(({ documentId }) => documentId),
    sending: entries.some(({ state }) => state === 'sending'),
    problem: entries.some(({ state }) => state === 'sending')
      ? 'Wait until the files are uploaded'
      : entries.some(({ state }) => state === 'refused')
        ? 'Remove the file that couldn’t be uploaded, or choose another one'
        : undefined,
    add,
    remove: key => {
      underWay.current.get(key)?.abort();
      setEntries(before => before.filter(entry => entry.key !== key));
    },
    clear: () => setEntries([]),
  };
}
