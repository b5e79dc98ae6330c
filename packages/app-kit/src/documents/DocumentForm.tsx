import type { ServiceFailure } from '@portal/api-client';
import { documentTitleLength, type DocumentType, documentTypes, visibilities, type Visibility } from '@portal/contract/documents/documents';
import { Banner, Button, ButtonRow, Field, FormColumn, Select, TextInput } from '@portal/ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { titleFrom } from './document-words.ts';
import { UploadField } from './UploadField.tsx';
import { useUploads } from './uploads.ts';

/** What the form hands on: a file that was sent, and what it is. */
export type DescribedDocument = {
  documentId: string;
  title: string;
  type: DocumentType;
  visibility: Visibility;
  validUntil: string | null;
};

const typeOptions = (Object.keys(documentTypes) as DocumentType[]).map(value => ({ value, label: documentTypes[value] }));

/** The file of a new document and what it is. `children`: what else is asked for; `mayChoose`: who it may be shown to. */
export function DocumentForm({
  label,
  usualType,
  mayChoose = () => true,
  error,
  busy,
  onSend,
  onClose,
  children,
}: {
  label: string;
  usualType: DocumentType;
  mayChoose?: (visibility: Visibility) => boolean;
  error: ServiceFailure | null;
  busy: boolean;
  onSend: (document: DescribedDocument) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const uploads = useUploads({ most: 1 });
  const file = uploads.sent[0];
  const [title, setTitle] = useState<string | null>(null);
  const [type, setType] = useState<DocumentType>(usualType);
  const [visibility, setVisibility] = useState<Visibility>('CORPORATE');
  const [validUntil, setValidUntil] = useState('');
  const [tried, setTried] = useState(false);
  const name = title ?? (file ? titleFrom(file.fileName) : '');
  const problems = {
    file: uploads.sending ? 'Wait until the file has been sent' : file ? undefined : 'Choose a file',
    title: name.trim() === '' ? 'Write a title' : undefined,
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.file || problems.title || !file) return;
    onSend({ documentId: file.documentId, title: name.trim(), type, visibility, validUntil: validUntil || null });
  };
  return (
    <form onSubmit={send} noValidate aria-label={label}>
      <FormColumn>
        {error && (
          <Banner kind="error" traceId={error.errors[0]?.traceId}>
            {error.message}
          </Banner>
        )}
        <UploadField label="File" uploads={uploads} error={tried ? problems.file : undefined} />
        <Field label="Title" error={tried ? problems.title : undefined}>
          <TextInput value={name} maxLength={documentTitleLength} autoComplete="off" onChange={event => setTitle(event.target.value)} />
        </Field>
        <Field label="Type">
          <Select value={type} options={typeOptions} onChange={event => setType(event.target.value as DocumentType)} />
        </Field>
        <Field label="Seen by">
          <Select
            value={visibility}
            options={(Object.keys(visibilities) as Visibility[]).filter(mayChoose).map(value => ({ value, label: visibilities[value] }))}
            onChange={event => setVisibility(event.target.value as Visibility)}
          />
        </Field>
        <Field label="Valid until" optional>
          <TextInput type="date" value={validUntil} onChange={event => setValidUntil(event.target.value)} />
        </Field>
        {children}
        <ButtonRow>
          <Button type="submit" variant="commit" busy={busy}>
            Add the document
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}
