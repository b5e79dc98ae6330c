import { type AnyEndpoint, type CallInput, type Client, ServiceFailure } from '@portal/api-client';
import type { FileAddress } from '@portal/contract/documents/documents';
import { files } from '@portal/contract/documents/files';
import { useState } from 'react';
import { type Kit, useKit } from '../kit/kit.ts';

/** Saves the content at an address under its name. */
async function save(call: Client, { address }: FileAddress): Promise<void> {
  const answer = await call(files.downloadFile, { address });
  if (answer.errors) throw new ServiceFailure(answer.status, answer.errors);
  const url = URL.createObjectURL(answer.data.blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = answer.data.fileName;
  link.click();
  URL.revokeObjectURL(url);
}

type FileEndpoint = AnyEndpoint & { answer?: unknown };

/** Fetches a file: requests an address that is valid for a minute, and saves its content. Errors appear in the banner. */
export function useOpenFile<E extends FileEndpoint>(
  endpoint: E,
): { opening: boolean; open: (input: CallInput<E>) => Promise<FileAddress | null> } {
  const { call, showErrors }: Kit = useKit();
  const [opening, setOpening] = useState(false);
  return {
    opening,
    open: async input => {
      setOpening(true);
      try {
        const answer = await call(endpoint, input);
        if (answer.errors) throw new ServiceFailure(answer.status, answer.errors);
        const given = answer.data as FileAddress;
        await save(call, given);
        return given;
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
