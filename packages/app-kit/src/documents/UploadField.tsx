import { fileKindsInWords, fileSize, largestFile } from '@portal/contract/file-kinds';
import { FileField } from '@portal/ui/picker/FileField';
import type { ReactNode } from 'react';
import { acceptedFiles, type Uploads } from './uploads.ts';

/** Documents of a form: `useUploads` sends them while the rest is filled in. */
export function UploadField({
  id,
  label,
  uploads,
  error,
  optional = false,
  help = `${fileKindsInWords}, at most ${fileSize(largestFile)}${uploads.most > 1 ? ' each' : ''}.`,
}: {
  /** Names the control for the error summary. */
  id?: string;
  label: string;
  uploads: Uploads;
  error?: ReactNode;
  optional?: boolean;
  help?: ReactNode;
}) {
  return (
    <FileField
      id={id}
      label={label}
      help={help}
      error={error}
      optional={optional}
      files={uploads.files}
      accept={acceptedFiles}
      most={uploads.most}
      onChoose={uploads.add}
      onRemove={uploads.remove}
    />
  );
}
