import { type AnyEndpoint, type CallInput, type Client, ServiceFailure } from '@portal/api-client';
import type { FileAddress } from '@portal/contract/documents/documents';
import { files } from '@portal/contract/documents/files';
import { useState } from 'react';
import { type Kit, useKit } from '../kit/kit.ts';

/** Fetches the content at an address. @throws ServiceFailure */
async function contentAt(call: Client, { address }: FileAddress): Promise<{ blob: Blob; fileName: string }> {
  const answer = await call(files.downloadFile, { address });
  if (answer.errors) throw new ServiceFailure(answer.status, answer.errors);
  return answer.data;
}

/** Saves the content at an address under its name. */
async function save(call: Client, given: FileAddress): Promise<void> {
  const { blob, fileName } = await contentAt(call, given);
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

type FileEndpoint = AnyEndpoint & { answer?: unknown };

/** Requests an address that is valid for a minute, and does something with it. Errors appear in the banner. */
function useFileAt<E extends FileEndpoint, T>(
  endpoint: E,
  done: (call: Client, given: FileAddress) => Promise<T>,
): { opening: boolean; open: (input: CallInput<E>) => Promise<T | null> } {
  const { call, showErrors }: Kit = useKit();
  const [opening, setOpening] = useState(false);
  return {
    opening,
    open: async input => {
      setOpening(true);
      try {
        const answer = await call(endpoint, input);
        if (answer.errors) throw new ServiceFailure(answer.status, answer.errors);
        return await done(call, answer.data as FileAddress);
      } catch (failure) {
        if (!(failure instanceof ServiceFailure)) throw failure;
        showErrors(failure.errors);
        return null;
      } finally {
        setOpening(false);
      }
    },
  };
}

/** Fetches a file and saves its content. */
export const useOpenFile = <E extends FileEndpoint>(endpoint: E) =>
  useFileAt(endpoint, async (call, given) => {
    await save(call, given);
    return given;
  });

/** Fetches the content of a file, to be shown on the page. */
export const useFileContent = <E extends FileEndpoint>(endpoint: E) =>
  useFileAt(endpoint, async (call, given) => (await contentAt(call, given)).blob);
