import type { ServiceFailure } from '@portal/api-client';
import {
  documents,
  documentTitleLength,
  type DocumentType,
  documentTypes,
  visibilities,
  type Visibility,
} from '@portal/contract/documents/documents';
import { Field, Select, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import type { ReactNode } from 'react';
import { ActForm } from '../form/ActForm.tsx';
import { useForm } from '../form/use-form.ts';
import { titleFrom } from './document-words.ts';
import { UploadField } from './UploadField.tsx';
import { useUploads } from './uploads.ts';

/** Result of the form: an uploaded file and its description. */
export type DescribedDocument = {
  documentId: string;
  title: string;
  type: DocumentType;
  visibility: Visibility;
  validUntil: string | null;
};

/** Typed description; without a title the name of the file suggests one. */
type Described = { title: string | null; type: DocumentType; visibility: Visibility; validUntil: string };

const typeOptions = (Object.keys(documentTypes) as DocumentType[]).map(value => ({ value, label: documentTypes[value] }));

/** The file of a new document, its type and title. `children`: further fields; `mayChoose`: the audiences to choose from. */
export function DocumentForm({
  label,
  usualType,
  mayChoose = () => true,
  change,
  onSend,
  onClose,
  children,
}: {
  label: string;
  usualType: DocumentType;
  mayChoose?: (visibility: Visibility) => boolean;
  change: { error: ServiceFailure | null; isPending: boolean; reset: () => void };
  onSend: (document: DescribedDocument) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const uploads = useUploads({ most: 1 });
  const file = uploads.sent[0];
  const suggested = file ? titleFrom(file.fileName) : '';
  const initial: Described = { title: null, type: usualType, visibility: 'corporate', validUntil: '' };
  const form = useForm(documents.addDocument.body, initial, {
    name: 'document',
    also: ['documentId'],
    toBody: ({ title, validUntil, ...rest }) => ({
      ...rest,
      documentId: file?.documentId ?? '',
      title: title ?? suggested,
      validUntil: validUntil || null,
    }),
    check: () => ({ documentId: uploads.problem }),
    change,
    send: onSend,
  });
  const { title, type, visibility } = form.values;
  return (
    <ActForm form={form} label={label} act="Add the document" onClose={onClose}>
      <UploadField label="File" uploads={uploads} {...form.field('documentId')} />
      <Field label="Title" {...form.field('title')}>
        <TextInput
          value={title ?? suggested}
          maxLength={documentTitleLength}
          autoComplete="off"
          onChange={event => form.set({ title: event.target.value })}
        />
      </Field>
      <Field label="Type">
        <Select value={type} options={typeOptions} onChange={event => form.set({ type: event.target.value as DocumentType })} />
      </Field>
      <Field label="Visible to">
        <Select
          value={visibility}
          options={(Object.keys(visibilities) as Visibility[]).filter(mayChoose).map(value => ({ value, label: visibilities[value] }))}
          onChange={event => form.set({ visibility: event.target.value as Visibility })}
        />
      </Field>
      <Field label="Valid until" optional {...form.field('validUntil')}>
        <DateInput {...form.input('validUntil')} />
      </Field>
      {children}
    </ActForm>
  );
}
